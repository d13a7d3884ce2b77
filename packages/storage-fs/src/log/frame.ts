import { crc32 } from 'node:zlib';
import type { OpenFile } from '../files/file-system.ts';

/** Size of the header before the records of a batch. */
export const FRAME_HEADER_BYTES = 48;

const MAGIC = 0x54414243;

export interface FrameHeader {
  readonly payloadBytes: number;
  readonly count: number;
  readonly payloadCrc: number;
  readonly firstSequence: number;
  /**
   * Records before this number were durable when the batch was written. A damaged batch before a sound one is a torn
   * write if both were in the same unsynced write, else damage: this number tells.
   */
  readonly durableSequence: number;
  readonly timestampMs: number;
}

/**
 * Writes a header at the start of a buffer. `salt` is the segment's, so that bytes of another file do not pass as a
 * header.
 */
export function writeFrameHeader(buffer: Buffer, header: FrameHeader, salt: number): void {
  buffer.writeUInt32LE(MAGIC, 0);
  buffer.writeUInt32LE(header.payloadBytes, 4);
  buffer.writeUInt32LE(header.count, 8);
  buffer.writeUInt32LE(header.payloadCrc, 12);
  buffer.writeDoubleLE(header.firstSequence, 16);
  buffer.writeDoubleLE(header.durableSequence, 24);
  buffer.writeDoubleLE(header.timestampMs, 32);
  buffer.writeUInt32LE(0, 40);
  buffer.writeUInt32LE(crc32(buffer.subarray(0, 44), salt), 44);
}

/** Reads the header at an offset; `undefined` when there is no sound one. */
export function readFrameHeader(buffer: Buffer, offset: number, salt: number): FrameHeader | undefined {
  if (offset + FRAME_HEADER_BYTES > buffer.length || buffer.readUInt32LE(offset) !== MAGIC) return undefined;
  if (crc32(buffer.subarray(offset, offset + 44), salt) !== buffer.readUInt32LE(offset + 44)) return undefined;
  return {
    payloadBytes: buffer.readUInt32LE(offset + 4),
    count: buffer.readUInt32LE(offset + 8),
    payloadCrc: buffer.readUInt32LE(offset + 12),
    firstSequence: buffer.readDoubleLE(offset + 16),
    durableSequence: buffer.readDoubleLE(offset + 24),
    timestampMs: buffer.readDoubleLE(offset + 32),
  };
}

/** Returns the offset of the next thing that looks like a header, at or after an offset; -1 when there is none. */
export function findFrameMagic(buffer: Buffer, offset: number): number {
  return buffer.indexOf('CBAT', offset, 'latin1');
}

/** A sound batch in a file. */
export interface Frame extends FrameHeader {
  readonly offset: number;
  /** The records, from `payloadStart` on for `payloadBytes`. */
  readonly buffer: Buffer;
  readonly payloadStart: number;
  readonly reason?: undefined;
}

/** A place without a sound batch, and the reason. */
export interface BadFrame {
  readonly offset: number;
  readonly reason: string;
}

const CHUNK_BYTES = 256 * 1024;

/** Walks the batches of a segment in order, reading ahead in chunks and checking every sum. */
export class FrameCursor {
  readonly #file: OpenFile;
  readonly #salt: number;
  readonly #limit: number;
  #buffer: Buffer = Buffer.alloc(0);
  /** Offset in the file of the buffer's first byte. */
  #base: number;
  /** Next batch, in the buffer. */
  #at = 0;

  constructor(file: OpenFile, salt: number, offset: number, limit: number) {
    this.#file = file;
    this.#salt = salt;
    this.#base = offset;
    this.#limit = limit;
  }

  /** Returns the next batch, `undefined` at the limit. After a bad one the cursor stays there. */
  async next(): Promise<Frame | BadFrame | undefined> {
    const offset = this.#base + this.#at;
    if (offset >= this.#limit) return undefined;
    if (!(await this.#require(FRAME_HEADER_BYTES))) return { offset, reason: 'a batch header is cut short' };
    const header = readFrameHeader(this.#buffer, this.#at, this.#salt);
    if (header === undefined) return { offset, reason: 'a batch header fails its checksum' };
    const frameBytes = FRAME_HEADER_BYTES + header.payloadBytes;
    if (!(await this.#require(frameBytes))) return { offset, reason: 'a batch is cut short' };
    const payloadStart = this.#at + FRAME_HEADER_BYTES;
    const payload = this.#buffer.subarray(payloadStart, payloadStart + header.payloadBytes);
    if (crc32(payload) !== header.payloadCrc) return { offset, reason: 'a batch fails its checksum' };
    this.#at += frameBytes;
    return { ...header, offset, buffer: this.#buffer, payloadStart };
  }

  /**
   * Buffers this many bytes from the current place; false when the file ends before. Takes a new buffer each time: the
   * events read share the old one.
   */
  async #require(bytes: number): Promise<boolean> {
    if (this.#buffer.length - this.#at >= bytes) return true;
    const offset = this.#base + this.#at;
    if (offset + bytes > this.#limit) return false;
    const buffer = Buffer.allocUnsafeSlow(Math.min(Math.max(bytes, CHUNK_BYTES), this.#limit - offset));
    const kept = this.#buffer.copy(buffer, 0, this.#at);
    const filled = kept + (await this.#file.read(buffer.subarray(kept), offset + kept));
    this.#buffer = buffer.subarray(0, filled);
    this.#base = offset;
    this.#at = 0;
    return filled >= bytes;
  }
}

export function isBadFrame(step: Frame | BadFrame): step is BadFrame {
  return step.reason !== undefined;
}

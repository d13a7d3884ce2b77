import { crc32 } from 'node:zlib';

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

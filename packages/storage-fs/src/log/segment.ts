import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { toSequencePosition } from '@cairn/events/experimental';
import { newerFormat } from '../files/envelope.ts';
import type { OpenFile } from '../files/file-system.ts';
import { logCorrupt } from './errors.ts';

const INDEX_EVERY_BYTES = 64 * 1024;

/** One file of a topic. The last one grows; those before it are sealed. */
export interface Segment {
  readonly file: string;
  readonly firstSequence: number;
  /** One past the number of its last event; only events before it may be read. */
  endSequence: number;
  endOffset: number;
  /** Time of append of its last event, milliseconds since the epoch; `undefined` until somebody looks. */
  lastTimestampMs: number | undefined;
  /** Raised when the file is replaced by one with the same events elsewhere. */
  generation: number;
  index: SparseIndex;
  /** Set while the file is being replaced: do not open it until this resolves. */
  replacing: Promise<void> | undefined;
}

export function segmentFileName(firstSequence: number): string {
  return `${toSequencePosition(firstSequence)}.seg`;
}

/** Returns the number in a file name of {@link segmentFileName}; `undefined` when it is none. */
export function firstSequenceOf(fileName: string): number | undefined {
  return /^[0-9]{16}\.seg$/.test(fileName) ? Number(fileName.slice(0, 16)) : undefined;
}

/** Offsets of some batches of a segment: one for each 64 KiB, learnt while scanning, reading and appending. */
export class SparseIndex {
  readonly #sequences: number[] = [];
  readonly #offsets: number[] = [];

  /** Notes a batch, unless it is before the last noted one or close behind it. */
  note(firstSequence: number, offset: number): void {
    const last = this.#offsets.at(-1);
    if (last !== undefined && offset < last + INDEX_EVERY_BYTES) return;
    this.#sequences.push(firstSequence);
    this.#offsets.push(offset);
  }

  /** Returns the offset of a batch at or before an event; `undefined` when none is known. O(log entries). */
  offsetBefore(sequence: number): number | undefined {
    let low = 0;
    let high = this.#sequences.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#sequences[middle] <= sequence) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? undefined : this.#offsets[low - 1];
  }
}

/** Size of the header before the first batch of a segment. */
export const SEGMENT_HEADER_BYTES = 40;
/** Version of the segment format that this release writes. */
export const SEGMENT_VERSION = 1;

const MAGIC = 'CAIRNLOG';

export interface SegmentHeader {
  readonly firstSequence: number;
  readonly createdMs: number;
  /** Random, so that the bytes of another segment, say in an event's value, do not pass for batches of this one. */
  readonly salt: number;
  /** Mark of the folder that it was written for; 0 in segments that do not say. */
  readonly mark: number;
}

/** Tells the folders of topics apart, so that a segment in the wrong folder is noticed. Never 0. */
export function markOfFolder(directory: string): number {
  return crc32(path.basename(directory)) || 1;
}

/** Returns the header of a new segment of a topic's folder, with a new salt unless it takes over batches of another. */
export function createSegmentHeader(
  directory: string,
  firstSequence: number,
  createdMs: number,
  salt: number = randomBytes(4).readUInt32LE(),
): { bytes: Buffer; salt: number } {
  const bytes = Buffer.alloc(SEGMENT_HEADER_BYTES);
  bytes.write(MAGIC, 0, 'latin1');
  bytes.writeUInt32LE(SEGMENT_VERSION, 8);
  bytes.writeUInt32LE(salt, 12);
  bytes.writeDoubleLE(firstSequence, 16);
  bytes.writeDoubleLE(createdMs, 24);
  bytes.writeUInt32LE(markOfFolder(directory), 32);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 36)), 36);
  return { bytes, salt };
}

/**
 * Reads the header of an open segment.
 * @throws `ERR_LOG_CORRUPT` (corrupt) when damaged, `ERR_LOG_VERSION` (unsupported) when a later release wrote it
 */
export async function readSegmentHeader(handle: OpenFile, file: string): Promise<SegmentHeader> {
  const bytes = Buffer.alloc(SEGMENT_HEADER_BYTES);
  const header = parseSegmentHeader(bytes.subarray(0, await handle.read(bytes, 0)), file);
  if (header.mark === 0 || header.mark === markOfFolder(path.dirname(file))) return header;
  throw logCorrupt(file, 32, 'it was written for another topic');
}

/** Parses the header at the start of a segment. @throws as {@link readSegmentHeader} */
export function parseSegmentHeader(bytes: Buffer, file: string): SegmentHeader {
  const { length } = bytes;
  if (length < SEGMENT_HEADER_BYTES) throw logCorrupt(file, length, 'the segment header is cut short');
  if (bytes.toString('latin1', 0, 8) !== MAGIC) throw logCorrupt(file, 0, `it does not start with ${MAGIC}`);
  const version = bytes.readUInt32LE(8);
  if (version > SEGMENT_VERSION) throw newerFormat('ERR_LOG_VERSION', file, version, SEGMENT_VERSION);
  if (crc32(bytes.subarray(0, 36)) !== bytes.readUInt32LE(36))
    throw logCorrupt(file, 0, 'the header fails its checksum');
  return {
    salt: bytes.readUInt32LE(12),
    firstSequence: bytes.readDoubleLE(16),
    createdMs: bytes.readDoubleLE(24),
    mark: bytes.readUInt32LE(32),
  };
}

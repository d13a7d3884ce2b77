import { crc32 } from 'node:zlib';
import { isCodedError } from '@cairn/errors';
import { FRAME_HEADER_BYTES, type FrameHeader, findFrameMagic, readFrameHeader } from './frame.ts';
import { parseSegmentHeader, SEGMENT_HEADER_BYTES, SEGMENT_VERSION, type SegmentHeader } from './segment.ts';

/** Consecutive sound batches of a damaged segment. */
export interface Run {
  readonly firstSequence: number;
  readonly endSequence: number;
  readonly lastTimestampMs: number;
  /** The batches as they are in the file. */
  readonly bytes: Buffer;
  /** Start value of their checksums. */
  readonly salt: number;
}

/** Remains of a segment's file. */
export interface Salvage {
  readonly runs: readonly Run[];
  /** True for a sound header and consecutive batches, and nothing else. */
  readonly isWhole: boolean;
  /** `undefined` when it is damaged. */
  readonly header: SegmentHeader | undefined;
}

/**
 * Returns the sound batches of a segment, whatever is between them, even when its header is damaged.
 * @throws `ERR_LOG_VERSION` (unsupported) when a later release wrote it
 */
export function salvageSegment(file: string, content: Buffer): Salvage {
  const header = soundHeader(file, content);
  const salt = header?.salt ?? saltOfBatches(content);
  const runs = salt === undefined ? [] : soundRuns(content, salt);
  const whole = runs.reduce((bytes, run) => bytes + run.bytes.length, SEGMENT_HEADER_BYTES) === content.length;
  return { runs, isWhole: header !== undefined && whole && runs.length <= 1, header };
}

function soundHeader(file: string, content: Buffer): SegmentHeader | undefined {
  try {
    return parseSegmentHeader(content, file);
  } catch (error) {
    if (!isCodedError(error) || (error.code !== 'ERR_LOG_VERSION' && error.kind !== 'corrupt')) throw error;
    if (error.code === 'ERR_LOG_VERSION' && !isOurs(file, content)) throw error;
    return undefined;
  }
}

/** Returns true if only the version in a header is damaged: with our version its checksum is right. */
function isOurs(file: string, content: Buffer): boolean {
  const header = Buffer.from(content.subarray(0, SEGMENT_HEADER_BYTES));
  header.writeUInt32LE(SEGMENT_VERSION, 8);
  try {
    parseSegmentHeader(header, file);
    return true;
  } catch {
    return false;
  }
}

function saltOfBatches(content: Buffer): number | undefined {
  for (let at = findFrameMagic(content, 0); at >= 0; at = findFrameMagic(content, at + 1)) {
    if (at + FRAME_HEADER_BYTES > content.length) return undefined;
    const salt = crcStart(content.subarray(at, at + 44), content.readUInt32LE(at + 44));
    if (soundFrame(content, at, salt) !== undefined) return salt;
  }
  return undefined;
}

function soundRuns(content: Buffer, salt: number): Run[] {
  const runs: (Run & { readonly endOffset: number })[] = [];
  for (let at = findFrameMagic(content, 0); at >= 0; ) {
    const frame = soundFrame(content, at, salt);
    const before = runs.at(-1);
    // A value can hold a copy of this very file at most, and that was written before it.
    if (frame === undefined || frame.firstSequence < (before?.endSequence ?? 0)) {
      at = findFrameMagic(content, at + 1);
      continue;
    }
    const endOffset = at + FRAME_HEADER_BYTES + frame.payloadBytes;
    const [endSequence, lastTimestampMs] = [frame.firstSequence + frame.count, frame.timestampMs];
    const follows = before?.endOffset === at && before.endSequence === frame.firstSequence;
    if (follows) runs.pop();
    const start = follows ? before.endOffset - before.bytes.length : at;
    const firstSequence = follows ? before.firstSequence : frame.firstSequence;
    const bytes = content.subarray(start, endOffset);
    runs.push({ firstSequence, endSequence, lastTimestampMs, bytes, salt, endOffset });
    at = findFrameMagic(content, endOffset);
  }
  return runs;
}

function soundFrame(content: Buffer, at: number, salt: number): FrameHeader | undefined {
  const header = readFrameHeader(content, at, salt);
  if (header === undefined) return undefined;
  const start = at + FRAME_HEADER_BYTES;
  const payload = content.subarray(start, start + header.payloadBytes);
  return payload.length === header.payloadBytes && crc32(payload) === header.payloadCrc ? header : undefined;
}

const POLYNOMIAL = 0xedb88320;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
  return value;
});

/** By the highest byte of an entry of the table: which entry that is. Each occurs once. */
const BY_HIGH_BYTE = new Uint8Array(256);
for (let index = 0; index < 256; index++) BY_HIGH_BYTE[TABLE[index] >>> 24] = index;

/**
 * Runs a CRC32 backwards: returns the value it was begun with, from its result and the bytes. So any batch of a segment
 * tells its salt when the segment's own header is damaged.
 */
export function crcStart(bytes: Uint8Array, crc: number): number {
  let state = ~crc >>> 0;
  for (let at = bytes.length - 1; at >= 0; at--) {
    const index = BY_HIGH_BYTE[state >>> 24];
    state = (((state ^ TABLE[index]) << 8) | (index ^ bytes[at])) >>> 0;
  }
  return ~state >>> 0;
}

import { crc32 } from 'node:zlib';
import { CodedError } from '@cairn/errors';
import type { Event } from '@cairn/events';
import { eventTooLarge } from '@cairn/events/experimental';
import { FRAME_HEADER_BYTES, type FrameHeader, writeFrameHeader } from './frame.ts';
import { maxRecordBytes, writeRecord } from './record.ts';

/** A batch ready to be written, except for its header, which needs the number of the first event. */
export interface EncodedBatch {
  /** Room for the header, then the records. */
  readonly frame: Buffer;
  readonly count: number;
  readonly payloadCrc: number;
}

const MAX_BATCH_BYTES = 256 * 1024 * 1024;

/**
 * Encodes a batch: one buffer, one checksum.
 * @throws `ERR_EVENT_TOO_LARGE` (too-large) when an event or the batch (256 MiB) is too large
 */
export function encodeBatch(batch: readonly Event[], maxEventBytes: number): EncodedBatch {
  let bound = FRAME_HEADER_BYTES;
  for (const event of batch) bound += maxRecordBytes(event);
  if (bound > 3 * MAX_BATCH_BYTES) throw batchTooLarge();
  const buffer = Buffer.allocUnsafe(bound);
  let end = FRAME_HEADER_BYTES;
  for (const event of batch) {
    const next = writeRecord(buffer, end, event);
    if (next - end > maxEventBytes) throw eventTooLarge(next - end, maxEventBytes);
    end = next;
  }
  if (end > MAX_BATCH_BYTES) throw batchTooLarge();
  const frame = buffer.subarray(0, end);
  return { frame, count: batch.length, payloadCrc: crc32(frame.subarray(FRAME_HEADER_BYTES)) };
}

export function numberBatch(
  { frame, count, payloadCrc }: EncodedBatch,
  { firstSequence, durableSequence, timestampMs }: Omit<FrameHeader, 'payloadBytes' | 'count' | 'payloadCrc'>,
  salt: number,
): void {
  const payloadBytes = frame.length - FRAME_HEADER_BYTES;
  const header = { payloadBytes, count, payloadCrc, firstSequence, durableSequence, timestampMs };
  writeFrameHeader(frame, header, salt);
}

function batchTooLarge(): CodedError {
  const message = `a batch must be at most ${MAX_BATCH_BYTES} bytes`;
  return new CodedError({ code: 'ERR_EVENT_TOO_LARGE', kind: 'too-large', message });
}

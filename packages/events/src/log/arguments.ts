import { badArgument, CodedError, checkArray, checkObject, checkPort, checkSignal } from '@cairn/errors';
import { checkKey } from '../event/create-event.ts';
import type { ReadOptions } from './event-log.ts';
import { fromSequencePosition } from './sequence-position.ts';

/**
 * Checks a topic name: 1 to 100 characters of `A-Z a-z 0-9 . _ -`, and not `.` or `..`.
 * @throws `ERR_TOPIC_INVALID` (invalid)
 */
export function checkTopicName(topic: string): void {
  if (typeof topic === 'string' && /^[A-Za-z0-9._-]{1,100}$/.test(topic) && topic !== '.' && topic !== '..') return;
  const message = `a topic name must be 1 to 100 characters of A-Z a-z 0-9 . _ -; got ${quote(topic)}`;
  throw new CodedError({ code: 'ERR_TOPIC_INVALID', kind: 'invalid', message });
}

/**
 * Checks the name of a consumer group: 1 to 200 characters, no control characters.
 * @throws `ERR_GROUP_INVALID` (invalid)
 */
export function checkGroupName(group: string): void {
  if (typeof group === 'string' && /^[^\u0000-\u001f\u007f\p{Surrogate}]{1,200}$/u.test(group)) return;
  const message = `a group name must be 1 to 200 characters without control characters; got ${quote(group)}`;
  throw new CodedError({ code: 'ERR_GROUP_INVALID', kind: 'invalid', message });
}

export function logClosed(): CodedError {
  const message = 'the log is closed';
  return new CodedError({ code: 'ERR_LOG_CLOSED', kind: 'unavailable', message, retryable: false });
}

function quote(name: string): string {
  return JSON.stringify(String(name).slice(0, 200));
}

/**
 * @throws `ERR_ARGUMENT` (invalid) unless this is a list of events, `ERR_EVENT_INVALID` (invalid) for a key that is no
 *   well-formed text; called before any of it is appended
 */
export function checkBatch(batch: unknown): void {
  checkArray(batch, 'a batch');
  for (const event of batch as Iterable<unknown>) checkEvent(event);
}

function checkEvent(event: unknown): void {
  checkObject(event, 'an event');
  const { headers, key, value } = event as { headers: unknown; key: unknown; value: unknown };
  checkPort(headers, 'getAll', 'the headers of an event');
  if (key !== undefined) checkKey(key);
  if (!(value instanceof Uint8Array)) throw badArgument('the value of an event', 'bytes', value);
}

/** @throws `ERR_ARGUMENT`, `ERR_POSITION_INVALID` (invalid) unless these are options of a read by numbered positions */
export function checkReadOptions(options: ReadOptions): void {
  checkObject(options, 'the options of a read');
  checkSignal(options.signal);
  if (options.after !== undefined) fromSequencePosition(options.after);
}

export function eventTooLarge(bytes: number, maxBytes: number): CodedError {
  const message = `an event must be at most ${maxBytes} bytes; got ${bytes}. Offload large values to a BlobStore`;
  return new CodedError({ code: 'ERR_EVENT_TOO_LARGE', kind: 'too-large', message });
}

/** Returns the size of a read batch, by default 1000. @throws `ERR_ARGUMENT` (invalid) */
export function checkBatchSize(maxBatchEvents: number = 1000): number {
  if (Number.isSafeInteger(maxBatchEvents) && maxBatchEvents >= 1) return maxBatchEvents;
  const message = `maxBatchEvents must be an integer of 1 and up; got ${maxBatchEvents}`;
  throw new CodedError({ code: 'ERR_ARGUMENT', kind: 'invalid', message });
}

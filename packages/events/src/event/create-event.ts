import { badArgument, CodedError, checkObject, checkText } from '@cairn/errors';
import type { Event, Headers } from './event.ts';
import { createHeaders, type HeadersInit } from './header-list.ts';
import { HEADER } from './header-names.ts';

/** Parts of an event for {@link createEvent}. */
export interface EventInit {
  /** Unique; the same for the same event when it is delivered again. */
  readonly id: string;
  readonly type: string;
  /** Version of the value's format, 1 and up. Default 1. */
  readonly schemaVersion?: number;
  readonly key?: string | undefined;
  /** Further headers. Those named `Event-Id`, `Event-Type` and `Schema-Version` are replaced. */
  readonly headers?: HeadersInit | undefined;
  /** Bytes, or text to store as UTF-8. */
  readonly value: Uint8Array | string;
}

const utf8 = new TextEncoder();

/**
 * Returns an event with the three headers that the log requires.
 * @throws `ERR_EVENT_INVALID` (invalid) when id or type is empty, the version is not an integer of 1 and up, or the key has
 *   half of a surrogate pair;
 *   `ERR_ARGUMENT` (invalid) when the value is neither text nor bytes.
 */
export function createEvent(init: EventInit): Event {
  checkObject(init, 'what an event is made of');
  checkText(init.id, 'the id of an event');
  checkText(init.type, 'the type of an event');
  if (init.key !== undefined) checkKey(init.key);
  const { id, type, schemaVersion: version = 1 } = init;
  if (id === '' || type === '')
    throw invalid(`an event needs an id and a type; got id ${quote(id)}, type ${quote(type)}`);
  if (!isVersion(version)) throw invalid(`schemaVersion must be an integer of 1 and up; got ${version}`);
  const headers = createHeaders([
    [HEADER.eventId, id],
    [HEADER.eventType, type],
    [HEADER.schemaVersion, String(version)],
    ...[...createHeaders(init.headers)].filter(([name]) => !REQUIRED.has(name.toLowerCase())),
  ]);
  const value = typeof init.value === 'string' ? utf8.encode(init.value) : init.value;
  if (!(value instanceof Uint8Array)) throw badArgument('the value of an event', 'bytes or text', value);
  return init.key === undefined ? { headers, value } : { key: init.key, headers, value };
}

/**
 * Refuses a key that a log on disk could not give back: UTF-8 has no half of a surrogate pair, and two keys would be one.
 * @throws `ERR_ARGUMENT` (invalid) for what is no text, `ERR_EVENT_INVALID` (invalid)
 */
export function checkKey(key: unknown): void {
  checkText(key, 'the key of an event');
  const at = (key as string).search(/\p{Surrogate}/u);
  if (at >= 0) throw invalid(`the key of an event must be whole characters; got half of a surrogate pair at ${at}`);
}

const REQUIRED: ReadonlySet<string> = new Set(
  [HEADER.eventId, HEADER.eventType, HEADER.schemaVersion].map((name) => name.toLowerCase()),
);

/** Returns the `Event-Id`. @throws `ERR_EVENT_INVALID` (invalid) when there is none. */
export function eventId(event: WithHeaders): string {
  return required(event, HEADER.eventId);
}

/** Returns the `Event-Type`. @throws `ERR_EVENT_INVALID` (invalid) when there is none. */
export function eventType(event: WithHeaders): string {
  return required(event, HEADER.eventType);
}

/** Returns the `Schema-Version`, 1 and up. @throws `ERR_EVENT_INVALID` (invalid) when it is missing or no such number. */
export function schemaVersion(event: WithHeaders): number {
  const text = required(event, HEADER.schemaVersion);
  const version = Number(text);
  if (/^[0-9]{1,9}$/.test(text) && isVersion(version)) return version;
  throw invalid(`the header ${HEADER.schemaVersion} must be an integer of 1 and up; got ${quote(text)}`);
}

/** An event, stored or not, or anything else with headers. */
export interface WithHeaders {
  readonly headers: Headers;
}

function required(event: WithHeaders, name: string): string {
  if (typeof event?.headers?.get !== 'function') throw badArgument('an event', 'an object with headers', event);
  const value = event.headers.get(name);
  if (value === undefined || value === '') throw invalid(`the event has no header ${name}`);
  return value;
}

function isVersion(version: number): boolean {
  return Number.isSafeInteger(version) && version >= 1;
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 100));
}

function invalid(message: string): CodedError {
  return new CodedError({ code: 'ERR_EVENT_INVALID', kind: 'invalid', message });
}

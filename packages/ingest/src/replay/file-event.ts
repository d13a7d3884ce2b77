import { badArgument, CodedError, checkArray, checkText } from '@cairn/errors';
import { contentHash, createEvent, createHeaders, type Event, HEADER } from '@cairn/events';
import { EVENT_TYPE } from '../pipeline/contract.ts';
import { rdfTypeOf } from '../pipeline/detect-type.ts';

/** A file that holds an event, as a replay reads it. */
export interface EventFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Reads YAML; this package knows no YAML of its own. */
export type ParseYaml = (text: string) => unknown;

const TEXT_FORM = /^(?<head>(?:[^\r\n:]+:[^\r\n]*\r?\n)*)\r?\n(?<body>[\s\S]*)$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Files in the order of the number in their name, then by name; files without a number come last. */
export function orderEventFiles<File extends { readonly name: string }>(files: readonly File[]): File[] {
  checkArray(files, 'the event files');
  const numberOf = ({ name }: File): number => Number(/\d+/.exec(name)?.[0] ?? Number.POSITIVE_INFINITY);
  return [...files].sort((a, b) => {
    const [first, second] = [numberOf(a), numberOf(b)];
    if (first !== second) return first - second;
    return a.name < b.name ? -1 : 1;
  });
}

/**
 * The event that a file holds: `.yaml` or `.yml` with headers, key and value in base64; `.txt` with header lines, an empty
 * line and the body; or RDF by its extension.
 *
 * Its id is that of its `Event-Id` header, else a hash of name and content, so that replaying a directory again changes
 * nothing.
 * @throws `ERR_EVENT_FILE` (invalid), naming the file and what was expected.
 */
export function parseEventFile(file: EventFile, parseYaml: ParseYaml): Event {
  checkText(file?.name, 'the name of an event file');
  if (!(file.bytes instanceof Uint8Array)) throw badArgument('an event file', 'bytes', file.bytes);
  if (/\.ya?ml$/i.test(file.name)) return fromYaml(file, parseYaml);
  if (/\.txt$/i.test(file.name)) return fromText(file);
  const contentType = rdfTypeOf(file.name, undefined);
  if (contentType === undefined)
    throw invalid(file, 'a file of .yaml, .txt, .nq, .nt, .ttl, .trig, .rdf, .jsonld or .rdfp');
  return toEvent(file, [[HEADER.contentType, contentType]], undefined, file.bytes);
}

function fromYaml(file: EventFile, parseYaml: ParseYaml): Event {
  const document = asRecord(orInvalid(file, 'YAML', () => parseYaml(decode(file))));
  if (document === undefined) throw invalid(file, 'an object with headers, key and value');
  // YAML has null where nothing is behind a key.
  const { key } = document;
  const headers = document['headers'] ?? [];
  const value = document['value'] ?? '';
  if (!Array.isArray(headers)) throw invalid(file, 'headers as a list of {key, value}');
  const pairs = headers.map((item: unknown): [string, string] => {
    const header = asRecord(item);
    if (typeof header?.['key'] !== 'string') throw invalid(file, 'headers as a list of {key, value}');
    return [header['key'], String(header['value'] ?? '')];
  });
  const keyBytes = key === undefined || key === null ? undefined : fromBase64(file, 'key', key);
  const eventKey = keyBytes === undefined ? undefined : new TextDecoder().decode(keyBytes);
  return toEvent(file, pairs, eventKey, fromBase64(file, 'value', value));
}

function fromText(file: EventFile): Event {
  const match = TEXT_FORM.exec(decode(file));
  if (match?.groups === undefined) throw invalid(file, 'header lines, an empty line and the body');
  const { head = '', body = '' } = match.groups;
  const pairs = head
    .split(/\r?\n/)
    .filter((line) => line !== '')
    .map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    });
  return toEvent(file, pairs, undefined, new TextEncoder().encode(body));
}

function toEvent(
  file: EventFile,
  pairs: readonly (readonly [string, string])[],
  key: string | undefined,
  value: Uint8Array,
): Event {
  return orInvalid(file, 'valid headers', () => {
    const headers = createHeaders(pairs);
    return createEvent({
      id: headers.get(HEADER.eventId) || contentHash(`${file.name}\n${contentHash(file.bytes)}`),
      type: headers.get(HEADER.eventType) || typeFor(headers.get(HEADER.contentType)),
      schemaVersion: Number(headers.get(HEADER.schemaVersion) ?? 1),
      key,
      headers,
      value,
    });
  });
}

function typeFor(contentType: string | undefined): string {
  return rdfTypeOf('', contentType) === undefined ? EVENT_TYPE.uploaded : EVENT_TYPE.rdf;
}

function decode(file: EventFile): string {
  return orInvalid(file, 'text in UTF-8', () => new TextDecoder('utf-8', { fatal: true }).decode(file.bytes));
}

function orInvalid<Result>(file: EventFile, expected: string, read: () => Result): Result {
  try {
    return read();
  } catch (cause) {
    throw invalid(file, expected, cause);
  }
}

function fromBase64(file: EventFile, what: string, value: unknown): Uint8Array {
  const text = typeof value === 'string' ? value.replace(/\s+/g, '') : undefined;
  if (text === undefined || !BASE64.test(text)) throw invalid(file, `${what} in base64`);
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

function asRecord(value: unknown): Record<string, unknown> | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : undefined;
}

function invalid({ name }: EventFile, expected: string, cause?: unknown): CodedError {
  const detail = cause instanceof Error ? ` (${cause.message.slice(0, 200)})` : '';
  const message = `${JSON.stringify(name)} must be ${expected}${detail}`;
  return new CodedError({ code: 'ERR_EVENT_FILE', kind: 'invalid', message, cause });
}

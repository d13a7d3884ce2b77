import { createHeaders, type Event, HEADER, type Headers, type StoredEvent } from '@cairn/events';
import { toSequencePosition } from '@cairn/events/experimental';
import type { Frame } from './frame.ts';

/**
 * A record: u32 bytes that follow, u32 bytes of the value, key length + 1 (0: no key), key, number of headers, headers
 * (code of a well-known name, or 0 and the name; then the value), value. Lengths are varints, text is UTF-8.
 */
const PREFIX_BYTES = 8;

/** Names that take one byte, by their place from 1. Append only: the place is the format. */
const KNOWN_NAMES: readonly string[] = [
  HEADER.eventId,
  HEADER.eventType,
  HEADER.schemaVersion,
  HEADER.securityLabel,
  HEADER.execPath,
  HEADER.deadLetterReason,
  HEADER.deadLetterException,
  HEADER.deadLetterRootCause,
  HEADER.inputRequestId,
  HEADER.requestId,
  HEADER.contentType,
  HEADER.dataSourceReference,
  HEADER.distributionId,
  HEADER.policyInformation,
  HEADER.documentId,
  HEADER.owner,
  HEADER.valueBlob,
  HEADER.erased,
];
const CODES = new Map(KNOWN_NAMES.map((name, index) => [name, index + 1]));

/** Returns an upper bound of the bytes of a record. */
export function maxRecordBytes(event: Event): number {
  let bytes = PREFIX_BYTES + 10 + event.value.length + (event.key === undefined ? 0 : event.key.length * 3);
  for (const [name, value] of event.headers) bytes += 11 + (CODES.has(name) ? 0 : name.length * 3) + value.length * 3;
  return bytes;
}

/** Writes a record at an offset; returns the offset behind it. The buffer must have {@link maxRecordBytes} there. */
export function writeRecord(buffer: Buffer, start: number, event: Event): number {
  let offset = start + PREFIX_BYTES;
  offset = event.key === undefined ? writeVarint(buffer, offset, 0) : writeText(buffer, offset, event.key, 1);
  const countAt = offset;
  let count = 0;
  offset += 2;
  for (const [name, value] of event.headers) {
    const code = CODES.get(name) ?? 0;
    buffer[offset++] = code;
    if (code === 0) offset = writeText(buffer, offset, name, 0);
    offset = writeText(buffer, offset, value, 0);
    count++;
  }
  buffer.writeUInt16LE(count, countAt);
  buffer.set(event.value, offset);
  offset += event.value.length;
  buffer.writeUInt32LE(offset - start - 4, start);
  buffer.writeUInt32LE(event.value.length, start + 4);
  return offset;
}

/** Returns the events of a batch, from a number on. */
export function eventsOf(frame: Frame, topic: string, from: number = frame.firstSequence): StoredEvent[] {
  const events: StoredEvent[] = [];
  let at = frame.payloadStart;
  for (let sequence = frame.firstSequence; sequence < frame.firstSequence + frame.count; sequence++) {
    if (sequence >= from) events.push(readRecord(frame.buffer, at, topic, sequence, frame.timestampMs));
    at += frame.buffer.readUInt32LE(at) + 4;
  }
  return events;
}

/** Reads the record at an offset. Value and headers share the buffer; headers are decoded when asked for. */
function readRecord(buffer: Buffer, offset: number, topic: string, sequence: number, timestampMs: number): StoredEvent {
  const end = offset + 4 + buffer.readUInt32LE(offset);
  const valueStart = end - buffer.readUInt32LE(offset + 4);
  const [keyBytes, keyStart] = readVarint(buffer, offset + PREFIX_BYTES);
  const headersStart = keyBytes === 0 ? keyStart : keyStart + keyBytes - 1;
  const count = buffer.readUInt16LE(headersStart);
  const headers = count === 0 ? NO_HEADERS : new StoredHeaders(buffer, headersStart + 2, count);
  const value = new Uint8Array(buffer.buffer, buffer.byteOffset + valueStart, end - valueStart);
  const position = toSequencePosition(sequence);
  if (keyBytes === 0) return { topic, position, timestampMs, headers, value };
  return { topic, position, timestampMs, headers, value, key: buffer.toString('utf8', keyStart, headersStart) };
}

const NO_HEADERS: Headers = createHeaders();

/** Most readers look at few headers of few events, so text is decoded at the first question. */
class StoredHeaders implements Headers {
  #buffer: Buffer | undefined;
  readonly #start: number;
  readonly #count: number;
  #decoded: Headers | undefined;

  constructor(buffer: Buffer, start: number, count: number) {
    this.#buffer = buffer;
    this.#start = start;
    this.#count = count;
  }

  get(name: string): string | undefined {
    return this.#headers().get(name);
  }

  getAll(name: string): readonly string[] {
    return this.#headers().getAll(name);
  }

  has(name: string): boolean {
    return this.#headers().has(name);
  }

  with(name: string, ...values: readonly string[]): Headers {
    return this.#headers().with(name, ...values);
  }

  append(name: string, value: string): Headers {
    return this.#headers().append(name, value);
  }

  toArray(): [name: string, value: string][] {
    return this.#headers().toArray();
  }

  [Symbol.iterator](): Iterator<readonly [name: string, value: string]> {
    return this.#headers()[Symbol.iterator]();
  }

  #headers(): Headers {
    if (this.#decoded === undefined) {
      // biome-ignore lint/style/noNonNullAssertion: there until it is decoded
      this.#decoded = createHeaders(readHeaders(this.#buffer!, this.#start, this.#count));
      this.#buffer = undefined;
    }
    return this.#decoded;
  }
}

function readHeaders(buffer: Buffer, start: number, count: number): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  let offset = start;
  const text = (): string => {
    const [bytes, textStart] = readVarint(buffer, offset);
    offset = textStart + bytes;
    return buffer.toString('utf8', textStart, offset);
  };
  for (let index = 0; index < count; index++) {
    const code = buffer[offset++];
    const name = code === 0 ? text() : KNOWN_NAMES[code - 1];
    pairs.push([name, text()]);
  }
  return pairs;
}

/** Writes length + `lengthBias` and text. ASCII of less than 100 characters, the usual case, goes byte by byte. */
function writeText(buffer: Buffer, start: number, text: string, lengthBias: number): number {
  const { length } = text;
  if (length < 100) {
    let union = 0;
    for (let index = 0; index < length; index++) {
      const unit = text.charCodeAt(index);
      union |= unit;
      buffer[start + 1 + index] = unit;
    }
    if (union < 128) {
      buffer[start] = length + lengthBias;
      return start + 1 + length;
    }
  }
  const bytes = Buffer.byteLength(text);
  const textStart = writeVarint(buffer, start, bytes + lengthBias);
  return textStart + buffer.write(text, textStart);
}

function writeVarint(buffer: Buffer, start: number, value: number): number {
  let offset = start;
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) buffer[offset++] = (rest % 128) + 128;
  buffer[offset++] = rest;
  return offset;
}

function readVarint(buffer: Buffer, start: number): [value: number, next: number] {
  let offset = start;
  let value = 0;
  let scale = 1;
  for (let byte = buffer[offset++]; ; byte = buffer[offset++]) {
    value += (byte & 127) * scale;
    if (byte < 128) return [value, offset];
    scale *= 128;
  }
}

import {
  badArgument,
  CodedError,
  checkBound,
  checkObject,
  checkPort,
  type ErrorKind,
  isAsyncIterable,
  isCodedError,
  readableOnce,
} from '@cairn/errors';
import { concatenateBytes, copyBytes, inPieces } from '../content/bytes.ts';
import type { Event, Headers } from '../event/event.ts';
import { HEADER } from '../event/header-names.ts';
import { checkChunk, isBlobName } from './arguments.ts';
import type { BlobInfo, BlobSource, BlobStore } from './blob-store.ts';

/** Options of {@link offloadValue} and {@link attachValue}. */
export interface OffloadOptions {
  /** Largest value that stays in the event, bytes. Default 1 MiB. */
  readonly maxInlineBytes?: number;
  /** Start of the blob's name. Default `values/`. */
  readonly prefix?: string;
  /** True when nobody writes into the value until the call resolves, so that it need not be copied. Default false. */
  readonly isHandedOver?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

const MAX_INLINE_BYTES = 1024 * 1024;
const PIECE_BYTES = 1024 * 1024;
const NO_BYTES = new Uint8Array(0);

/**
 * Returns an event whose value is small: a value over 1 MiB is stored as a content-addressed blob, and the event
 * returned has an empty value and a header `Value-Blob` with the blob's name and size. The blob is durable once this
 * resolves; append the event then.
 */
export async function offloadValue<E extends Event>(
  event: E,
  blobs: BlobStore,
  options: OffloadOptions = {},
): Promise<E> {
  if (!(event?.value instanceof Uint8Array)) throw badArgument('the value of an event', 'bytes', event?.value);
  checkPort(blobs, 'putContent', 'the blob store');
  checkOptions(options);
  if (event.value.length <= (options.maxInlineBytes ?? MAX_INLINE_BYTES)) return event;
  const source = options.isHandedOver ? inPieces(event.value, PIECE_BYTES) : event.value;
  const blob = await blobs.putContent(options.prefix ?? 'values/', source, { signal: options.signal });
  return referTo(event, blob);
}

/**
 * Returns the event with a streamed value; like {@link offloadValue}, holding at most 1 MiB of it in memory.
 * @throws whatever the source throws
 */
export async function attachValue<E extends Event>(
  event: E,
  source: AsyncIterable<Uint8Array>,
  blobs: BlobStore,
  options: OffloadOptions = {},
): Promise<E> {
  checkObject(event, 'an event');
  checkPort(event.headers, 'with', 'the headers of an event');
  if (!isAsyncIterable(source)) throw badArgument('the value', 'an async iterable of bytes', source);
  checkPort(blobs, 'putContent', 'the blob store');
  checkOptions(options);
  const iterator = source[Symbol.asyncIterator]();
  const head = await readHead(iterator, options.maxInlineBytes ?? MAX_INLINE_BYTES);
  if (head.ended)
    return { ...event, value: concatenateBytes(head.parts), headers: event.headers.with(HEADER.valueBlob) };
  const all: BlobSource = rejoin(head.parts, iterator);
  const blob = await blobs.putContent(options.prefix ?? 'values/', all, { signal: options.signal });
  return referTo(event, blob);
}

/**
 * Returns the blob that holds an event's value; `undefined` when the event holds it itself. A blob that no event of the
 * log refers to in this way can be deleted.
 * @throws `ERR_EVENT_INVALID` (invalid) when the header is malformed
 */
export function valueBlob(event: { readonly headers: Headers }): BlobInfo | undefined {
  if (typeof event?.headers?.get !== 'function') throw badArgument('an event', 'an object with headers', event);
  const text = event.headers.get(HEADER.valueBlob);
  if (text === undefined) return undefined;
  const [name = '', size = '', ...rest] = text.split(' ');
  if (isBlobName(name) && /^[0-9]{1,15}$/.test(size) && rest.length === 0) return { name, sizeBytes: Number(size) };
  const message = `the header ${HEADER.valueBlob} must be a blob name and a size; got ${JSON.stringify(text.slice(0, 250))}`;
  throw new CodedError({ code: 'ERR_EVENT_INVALID', kind: 'invalid', message });
}

/**
 * Returns the whole value of an event, wherever it is stored.
 * @throws `ERR_BLOB_MISSING` (corrupt) when its blob is missing or has another size, `ERR_VALUE_DAMAGED` (corrupt) when
 *   the store finds it damaged, `ERR_VALUE_UNREADABLE` (unavailable) when the store refuses for another reason. All are
 *   worth another try: the blob may be put back.
 */
export async function loadValue(event: Event, blobs: BlobStore): Promise<Uint8Array> {
  const blob = valueBlob(event);
  if (blob === undefined) return event.value;
  checkPort(blobs, 'get', 'the blob store');
  const bytes = await orDamaged(blob, () => blobs.get(blob.name));
  if (bytes?.length === blob.sizeBytes) return bytes;
  throw blobMissing(blob, bytes?.length);
}

/** Streams the value of an event; like {@link loadValue}, without holding it in memory. */
export async function streamValue(event: Event, blobs: BlobStore): Promise<AsyncIterable<Uint8Array>> {
  const blob = valueBlob(event);
  if (blob === undefined) return readableOnce(inPieces(event.value, event.value.length));
  checkPort(blobs, 'stream', 'the blob store');
  const chunks = await orDamaged(blob, () => blobs.stream(blob.name));
  if (chunks === undefined) throw blobMissing(blob, undefined);
  return readableOnce(ofSize(chunks, blob));
}

/** Returns true if an error says that an event's stored value is damaged or missing; it can be read once it is put back. */
export function isValueLost(error: unknown): boolean {
  return isCodedError(error) && (error.code === 'ERR_BLOB_MISSING' || error.code === 'ERR_VALUE_DAMAGED');
}

/** Returns the size of an event's value in bytes, wherever it is stored. */
export function valueSizeBytes(event: Event): number {
  return valueBlob(event)?.sizeBytes ?? event.value.length;
}

function checkOptions(options: OffloadOptions): void {
  checkObject(options, 'the options');
  if (options.maxInlineBytes !== undefined) checkBound(options.maxInlineBytes, 'maxInlineBytes');
}

function referTo<E extends Event>(event: E, { name, sizeBytes }: BlobInfo): E {
  return { ...event, headers: event.headers.with(HEADER.valueBlob, `${name} ${sizeBytes}`), value: NO_BYTES };
}

async function readHead(
  iterator: AsyncIterator<Uint8Array>,
  maxBytes: number,
): Promise<{ readonly parts: Uint8Array[]; readonly ended: boolean }> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  while (bytes <= maxBytes) {
    const next = await iterator.next();
    if (next.done) return { parts, ended: true };
    if (!(next.value instanceof Uint8Array)) await iterator.return?.();
    checkChunk(next.value, 'a value');
    parts.push(copyBytes(next.value));
    bytes += next.value.length;
  }
  return { parts, ended: false };
}

async function* rejoin(head: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* head;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

async function* ofSize(chunks: AsyncIterable<Uint8Array>, blob: BlobInfo): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  let bytes = 0;
  try {
    for (;;) {
      const step = await orDamaged(blob, () => iterator.next());
      if (step.done) break;
      bytes += step.value.length;
      yield step.value;
    }
  } finally {
    await iterator.return?.();
  }
  if (bytes !== blob.sizeBytes) throw blobMissing(blob, bytes);
}

async function orDamaged<T>(blob: BlobInfo, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    if (!isCodedError(cause) || PASSING.has(cause.kind)) throw cause;
    const value = `the value of an event, blob ${blob.name} of ${blob.sizeBytes} bytes,`;
    if (cause.kind === 'corrupt') {
      const message = `${value} is damaged: ${cause.message}`;
      throw new CodedError({ code: 'ERR_VALUE_DAMAGED', kind: 'corrupt', message, retryable: true, cause });
    }
    // A store's complaint about a blob, say of a later release or slow, says nothing about the event.
    const message = `${value} cannot be read: ${cause.message}`;
    throw new CodedError({ code: 'ERR_VALUE_UNREADABLE', kind: 'unavailable', message, cause });
  }
}

const PASSING: ReadonlySet<ErrorKind> = new Set(['unavailable', 'overloaded', 'cancelled']);

function blobMissing(blob: BlobInfo, found: number | undefined): CodedError {
  const what = found === undefined ? 'does not exist' : `has ${found} bytes`;
  const message = `an event refers to blob ${blob.name} of ${blob.sizeBytes} bytes, which ${what}`;
  return new CodedError({ code: 'ERR_BLOB_MISSING', kind: 'corrupt', retryable: true, message });
}

import { throwIfAborted } from '@cairn/errors';
import type { BlobInfo, BlobStore } from '@cairn/events';
import type { HashContent } from '../port/hash-content.ts';
import { PartReader, TooLarge, Unreadable } from './part-reader.ts';

/** Content of an uploaded file as it waits for its event. */
export type HeldContent =
  | { readonly kind: 'inline'; readonly bytes: Uint8Array; readonly sizeBytes: number; readonly hash: string }
  | { readonly kind: 'blob'; readonly blob: BlobInfo; readonly sizeBytes: number; readonly hash: string };

/** Why content was not held. */
export interface RefusedContent {
  readonly kind: 'refused';
  readonly reason: string;
}

export interface HoldOptions {
  readonly maxBytes: number;
  readonly blobs: BlobStore;
  /** Start of the blob's name; unique to the upload, so that it may take back what it stored. */
  readonly prefix: string;
  /** Returns true if so many bytes may wait in memory. */
  readonly mayHold: (bytes: number) => boolean;
  /** SHA-256 in hex of what was held in memory. */
  readonly hash: HashContent;
  readonly signal: AbortSignal | undefined;
}

const MAX_INLINE_BYTES = 1024 * 1024;

/**
 * Reads a part to its end: up to 1 MiB into memory, more into a blob as it streams. Refused content leaves nothing.
 * @throws what the blob store throws, and `ERR_CANCELLED`.
 */
export async function holdContent(
  content: AsyncIterable<Uint8Array>,
  options: HoldOptions,
): Promise<HeldContent | RefusedContent> {
  const part = new PartReader(content, options.maxBytes, options.signal);
  try {
    return await hold(part, options);
  } catch (error) {
    throwIfAborted(options.signal);
    // A store may wrap what its source threw: the part knows better.
    const failure = part.failure ?? error;
    if (failure instanceof TooLarge) return await refuseTooLarge(part, options.maxBytes);
    if (failure instanceof Unreadable) return refuse(`the file could not be read: ${failure.message}`);
    throw failure;
  }
}

async function hold(part: PartReader, options: HoldOptions): Promise<HeldContent | RefusedContent> {
  const head: Uint8Array[] = [];
  let sizeBytes = 0;
  for (let chunk = await part.next(); chunk !== undefined; chunk = await part.next()) {
    sizeBytes += chunk.length;
    if (sizeBytes > MAX_INLINE_BYTES) return toBlob([...head, chunk], part, options);
    // Before the next is asked for: its source may read that into the same buffer.
    head.push(new Uint8Array(chunk));
  }
  if (sizeBytes === 0) return refuse('the file is empty');
  if (!options.mayHold(sizeBytes)) return toBlob(head, part, options);
  const bytes = concatenate(head, sizeBytes);
  return { kind: 'inline', bytes, sizeBytes, hash: await options.hash(bytes) };
}

async function toBlob(head: readonly Uint8Array[], rest: PartReader, options: HoldOptions): Promise<HeldContent> {
  const { blobs, prefix, signal } = options;
  const blob = await blobs.putContent(prefix, rejoin(head, rest), { signal });
  return { kind: 'blob', blob, sizeBytes: blob.sizeBytes, hash: blob.name.slice(prefix.length) };
}

async function* rejoin(head: readonly Uint8Array[], rest: PartReader): AsyncGenerator<Uint8Array> {
  yield* head;
  for (let chunk = await rest.next(); chunk !== undefined; chunk = await rest.next()) yield chunk;
}

async function refuseTooLarge(part: PartReader, maxBytes: number): Promise<RefusedContent> {
  await part.drain();
  return refuse(`the file exceeds the maximum document size of ${maxBytes} bytes`);
}

function refuse(reason: string): RefusedContent {
  return { kind: 'refused', reason };
}

function concatenate(parts: readonly Uint8Array[], sizeBytes: number): Uint8Array {
  if (parts.length === 1) return parts[0];
  const bytes = new Uint8Array(sizeBytes);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

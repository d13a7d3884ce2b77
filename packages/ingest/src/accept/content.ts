import { isCodedError, throwIfAborted } from '@cairn/errors';
import { type BlobInfo, type BlobStore, checkChunk } from '@cairn/events';
import type { HashContent } from '../port/hash-content.ts';

/** Content of an uploaded file as it waits for its event. */
export type HeldContent =
  | { readonly kind: 'inline'; readonly bytes: Uint8Array; readonly sizeBytes: number; readonly hash: string }
  | { readonly kind: 'blob'; readonly blob: BlobInfo; readonly sizeBytes: number; readonly hash: string };

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
    if (failure instanceof TooLarge) {
      await part.drain();
      return refuse(`the file exceeds the maximum document size of ${options.maxBytes} bytes`);
    }
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

class Unreadable extends Error {}

class TooLarge extends Error {}

/** Reads the content of one part and counts its bytes. */
export class PartReader {
  readonly #iterator: AsyncIterator<Uint8Array>;
  readonly #maxBytes: number;
  readonly #signal: AbortSignal | undefined;
  #sizeBytes = 0;
  #failure: unknown;

  constructor(content: AsyncIterable<Uint8Array>, maxBytes: number, signal: AbortSignal | undefined) {
    this.#iterator = content[Symbol.asyncIterator]();
    this.#maxBytes = maxBytes;
    this.#signal = signal;
  }

  get failure(): unknown {
    return this.#failure;
  }

  /**
   * The next bytes, which are the source's again once those behind them are asked for; `undefined` at the end.
   * @throws {@link TooLarge}, {@link Unreadable}, `ERR_CANCELLED`, `ERR_ARGUMENT` (invalid) for a chunk that is no bytes
   */
  async next(): Promise<Uint8Array | undefined> {
    try {
      const chunk = await this.#read();
      this.#sizeBytes += chunk?.length ?? 0;
      if (this.#sizeBytes > this.#maxBytes) throw new TooLarge();
      return chunk;
    } catch (error) {
      this.#failure ??= error;
      throw error;
    }
  }

  /** Reads to the end and keeps nothing, so that the parts behind still arrive. */
  async drain(): Promise<void> {
    try {
      while ((await this.#read()) !== undefined);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
    }
  }

  async #read(): Promise<Uint8Array | undefined> {
    const next = await this.#take();
    if (next.done) return undefined;
    try {
      checkChunk(next.value, 'an uploaded file');
      return next.value;
    } catch (error) {
      // Its mistake is the caller's, not the file's: the upload ends here.
      await this.#iterator.return?.().catch(() => undefined);
      throw error;
    }
  }

  async #take(): Promise<IteratorResult<Uint8Array>> {
    throwIfAborted(this.#signal);
    try {
      return await this.#iterator.next();
    } catch (cause) {
      throwIfAborted(this.#signal);
      if (isCodedError(cause) && cause.kind === 'cancelled') throw cause;
      throw new Unreadable(cause instanceof Error ? cause.message : 'unknown reason', { cause });
    }
  }
}

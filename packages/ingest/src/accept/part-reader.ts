import { isCodedError, throwIfAborted } from '@cairn/errors';
import { checkChunk } from '@cairn/events';

export class Unreadable extends Error {}

export class TooLarge extends Error {}

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

  /** Error of {@link PartReader.next}. */
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
    const chunk = await this.#take();
    try {
      if (chunk !== undefined) checkChunk(chunk.bytes, 'an uploaded file');
      return chunk?.bytes;
    } catch (error) {
      // Its mistake is the caller's, not the file's: the upload ends here.
      await this.#iterator.return?.().catch(() => undefined);
      throw error;
    }
  }

  async #take(): Promise<{ readonly bytes: Uint8Array } | undefined> {
    throwIfAborted(this.#signal);
    try {
      const next = await this.#iterator.next();
      return next.done ? undefined : { bytes: next.value };
    } catch (cause) {
      throwIfAborted(this.#signal);
      if (isCodedError(cause) && cause.kind === 'cancelled') throw cause;
      throw new Unreadable(cause instanceof Error ? cause.message : 'unknown reason', { cause });
    }
  }
}

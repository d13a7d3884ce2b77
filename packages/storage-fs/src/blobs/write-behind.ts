import type { OpenFile } from '../files/file-system.ts';

const BUFFER_BYTES = 256 * 1024;

/**
 * Gathers small pieces into large writes, and lets one of these run while the next is gathered. Memory: two buffers of
 * 256 KiB, however much is written.
 *
 * Invariant: a buffer has one holder. It is gathered in (`#buffer`), or being written (known to that write alone), or
 * at rest (`#spare`), and is taken from one of these for good. So nothing is ever copied into a buffer that the system
 * still reads.
 */
export class WriteBehind {
  readonly #file: OpenFile;
  readonly #onWrite: (bytes: Uint8Array) => void;
  #position: number;
  #buffer: Buffer | undefined;
  #spare: Buffer | undefined;
  #filled = 0;
  #writing: Promise<void> | undefined;

  /**
   * @param position where the first byte goes
   * @param onWrite is shown the bytes of every write, in order, before it begins
   */
  constructor(file: OpenFile, position: number, onWrite: (bytes: Uint8Array) => void) {
    this.#file = file;
    this.#position = position;
    this.#onWrite = onWrite;
  }

  /** Takes bytes, which are the caller's again when it resolves. @throws the error of an earlier write */
  async add(bytes: Uint8Array): Promise<void> {
    for (let from = 0; from < bytes.length; ) {
      this.#buffer ??= this.#takeSpare();
      const part = bytes.subarray(from, from + BUFFER_BYTES - this.#filled);
      this.#buffer.set(part, this.#filled);
      this.#filled += part.length;
      from += part.length;
      if (this.#filled === BUFFER_BYTES) await this.#write();
    }
  }

  /** Writes the rest; resolves when no write is under way. @throws the error of a write */
  async end(): Promise<void> {
    if (this.#filled > 0) await this.#write();
    await this.#written();
  }

  #takeSpare(): Buffer {
    const spare = this.#spare ?? Buffer.allocUnsafeSlow(BUFFER_BYTES);
    this.#spare = undefined;
    return spare;
  }

  async #write(): Promise<void> {
    await this.#written();
    const full = this.#buffer;
    if (full === undefined) return;
    const bytes = full.subarray(0, this.#filled);
    this.#buffer = undefined;
    this.#filled = 0;
    this.#onWrite(bytes);
    this.#writing = this.#file.write(bytes, this.#position).then(() => {
      this.#spare = full;
    });
    // The next call reports its failure.
    this.#writing.catch(() => undefined);
    this.#position += bytes.length;
  }

  async #written(): Promise<void> {
    const writing = this.#writing;
    this.#writing = undefined;
    await writing;
  }
}

/** Parts that the parser has met and nobody has taken yet; one producer, one consumer. */
export class PartQueue<Part> {
  readonly #parts: Part[] = [];
  readonly #onEmpty: () => void;
  #ended = false;
  #error: Error | undefined;
  #wake: (() => void) | undefined;

  /** @param onEmpty called when the consumer has taken the last part, and when it waits for one. */
  constructor(onEmpty: () => void) {
    this.#onEmpty = onEmpty;
  }

  push(part: Part): void {
    this.#parts.push(part);
    this.#notify();
  }

  /** No part follows; with an error, {@link take} throws it once the parts before it are taken. */
  end(error?: Error): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#error = error;
    this.#notify();
  }

  /** The next part; `undefined` after the last. */
  async take(): Promise<Part | undefined> {
    while (this.#parts.length === 0 && !this.#ended) {
      this.#onEmpty();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const part = this.#parts.shift();
    if (this.#parts.length === 0) this.#onEmpty();
    if (part === undefined && this.#error !== undefined) throw this.#error;
    return part;
  }

  #notify(): void {
    this.#wake?.();
    this.#wake = undefined;
  }
}

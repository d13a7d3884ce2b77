import type * as RDF from '@rdfjs/types';

type Listener = (this: unknown, value?: unknown) => void;

const BUFFERED_QUADS = 256;

/**
 * An RDF/JS stream over an async iterable, in the part that Comunica uses: `read`, `on`, `once`, `off`. Reads ahead by at
 * most 256 quads, so a slow reader slows the source.
 */
export class QuadStream {
  readonly #source: AsyncIterator<RDF.Quad>;
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #buffer: RDF.Quad[] = [];
  #isPulling = false;
  #isOver = false;
  #hasEnded = false;

  constructor(source: AsyncIterable<RDF.Quad>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** The next quad that is at hand, else `null`: then wait for `readable` or `end`. */
  read(): RDF.Quad | null {
    const next = this.#buffer.shift() ?? null;
    if (this.#buffer.length < BUFFERED_QUADS / 2) void this.#pull();
    return next;
  }

  on(event: string, listener: Listener): this {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners.add(listener));
    if (event === 'readable') void this.#pull();
    return this;
  }

  once(event: string, listener: Listener): this {
    const first: Listener = (value) => {
      this.off(event, first);
      listener.call(this, value);
    };
    return this.on(event, first);
  }

  off(event: string, listener: Listener): this {
    this.#listeners.get(event)?.delete(listener);
    return this;
  }

  removeListener(event: string, listener: Listener): this {
    return this.off(event, listener);
  }

  /** Stops reading the source. */
  destroy(): void {
    this.#isOver = true;
    void this.#source.return?.();
  }

  #emit(event: string, value?: unknown): void {
    // Comunica's listeners find their reader by `this`, as those of an event emitter may.
    for (const listener of [...(this.#listeners.get(event) ?? [])]) listener.call(this, value);
  }

  async #pull(): Promise<void> {
    if (this.#isPulling) return;
    this.#isPulling = true;
    try {
      while (!this.#isOver && this.#buffer.length < BUFFERED_QUADS) {
        const next = await this.#source.next();
        if (next.done === true) this.#isOver = true;
        else this.#buffer.push(next.value);
      }
    } catch (error) {
      this.#isOver = true;
      this.#emit('error', error);
    }
    this.#isPulling = false;
    if (this.#buffer.length > 0) this.#emit('readable');
    else if (this.#isOver && !this.#hasEnded) {
      this.#hasEnded = true;
      this.#emit('end');
    }
  }
}

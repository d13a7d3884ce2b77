import type * as RDF from '@rdfjs/types';
import { Emitter, type Listener } from '../rdf/emitter.ts';

const BUFFERED_QUADS = 256;

/** An RDF/JS stream over an async iterable. Reads ahead by at most 256 quads, so a slow reader slows the source. */
export class QuadStream extends Emitter {
  readonly #source: AsyncIterator<RDF.Quad>;
  readonly #buffer: RDF.Quad[] = [];
  #isPulling = false;
  #isOver = false;
  #hasEnded = false;

  constructor(source: AsyncIterable<RDF.Quad>) {
    super();
    this.#source = source[Symbol.asyncIterator]();
  }

  /** The next quad that is at hand, else `null`: then wait for `readable` or `end`. */
  read(): RDF.Quad | null {
    const next = this.#buffer.shift() ?? null;
    if (this.#buffer.length < BUFFERED_QUADS / 2) void this.#pull();
    return next;
  }

  override on(event: string | symbol, listener: Listener): this {
    super.on(event, listener);
    if (event === 'readable') void this.#pull();
    return this;
  }

  destroy(): void {
    this.#isOver = true;
    void this.#source.return?.();
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
      this.emit('error', error);
    }
    this.#isPulling = false;
    if (this.#buffer.length > 0) this.emit('readable');
    else if (this.#isOver && !this.#hasEnded) {
      this.#hasEnded = true;
      this.emit('end');
    }
  }
}

import { readableOnce } from '@cairn/errors';
import { nextTurn } from '@cairn/events';
import type * as RDF from '@rdfjs/types';
import { Emitter, type Listener } from '../rdf/emitter.ts';

/** How many quads flow between two turns of the event loop. */
const QUADS_PER_TURN = 1024;

/** An RDF/JS stream of quads over an iterable: read on demand, or flowing to `data` listeners. Iterable once. */
export class QuadReader extends Emitter {
  readonly #quads: Iterator<RDF.Quad>;
  #walk: AsyncGenerator<RDF.Quad> | undefined;
  #isFlowing = false;
  #isOver = false;

  constructor(quads: Iterable<RDF.Quad>) {
    super();
    this.#quads = quads[Symbol.iterator]();
  }

  /** The next quad, `null` at the end. @throws what reading throws; in flowing mode that is an `error` event. */
  read(): RDF.Quad | null {
    if (this.#isOver) return null;
    const next = this.#quads.next();
    if (!next.done) return next.value;
    this.#isOver = true;
    void nextTurn().then(() => this.emit('end'));
    return null;
  }

  override on(event: string | symbol, listener: Listener): this {
    super.on(event, listener);
    if (event === 'data' && !this.#isFlowing) {
      this.#isFlowing = true;
      void this.#flow();
    }
    if (event === 'readable') void nextTurn().then(() => this.emit('readable'));
    return this;
  }

  /** Stops reading. */
  destroy(): void {
    this.#isOver = true;
    this.#quads.return?.();
  }

  /** @throws `ERR_ALREADY_READ` (invalid) when it is called again, or after `data` was listened to */
  [Symbol.asyncIterator](): AsyncGenerator<RDF.Quad> {
    this.#walk ??= readableOnce(this.#readAll());
    return this.#walk[Symbol.asyncIterator]();
  }

  async *#readAll(): AsyncGenerator<RDF.Quad> {
    let count = 0;
    for (let one = this.read(); one !== null; one = this.read()) {
      yield one;
      if (++count % QUADS_PER_TURN === 0) await nextTurn();
    }
  }

  async #flow(): Promise<void> {
    try {
      await nextTurn();
      for await (const one of this) this.emit('data', one);
    } catch (error) {
      this.#isOver = true;
      this.emit('error', error);
    }
  }
}

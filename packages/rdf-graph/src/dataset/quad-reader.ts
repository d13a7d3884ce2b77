import { nextTurn } from '@cairn/events';
import type * as RDF from '@rdfjs/types';

type Listener = (this: unknown, value?: unknown) => void;

/** How many quads flow between two turns of the event loop. */
const QUADS_PER_TURN = 1024;

/** The part of Node's event emitter that RDF/JS asks for. */
export class Emitter {
  readonly #listeners = new Map<string | symbol, Listener[]>();

  on(event: string | symbol, listener: Listener): this {
    this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener]);
    return this;
  }

  addListener(event: string | symbol, listener: Listener): this {
    return this.on(event, listener);
  }

  once(event: string | symbol, listener: Listener): this {
    const first: Listener = (value) => {
      this.off(event, first);
      listener.call(this, value);
    };
    return this.on(event, first);
  }

  off(event: string | symbol, listener: Listener): this {
    const kept = (this.#listeners.get(event) ?? []).filter((one) => one !== listener);
    this.#listeners.set(event, kept);
    return this;
  }

  removeListener(event: string | symbol, listener: Listener): this {
    return this.off(event, listener);
  }

  emit(event: string | symbol, value?: unknown): boolean {
    const listeners = this.#listeners.get(event) ?? [];
    for (const listener of listeners) listener.call(this, value);
    return listeners.length > 0;
  }

  listenerCount(event: string | symbol): number {
    return this.#listeners.get(event)?.length ?? 0;
  }
}

/** An RDF/JS stream of quads over an iterable: read on demand, or flowing to `data` listeners. Iterable once. */
export class QuadReader extends Emitter {
  readonly #quads: Iterator<RDF.Quad>;
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

  async *[Symbol.asyncIterator](): AsyncGenerator<RDF.Quad> {
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

export type Listener = (this: unknown, value?: unknown) => void;

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
    // Comunica's listeners find their reader by `this`.
    for (const listener of listeners) listener.call(this, value);
    return listeners.length > 0;
  }

  listenerCount(event: string | symbol): number {
    return this.#listeners.get(event)?.length ?? 0;
  }
}

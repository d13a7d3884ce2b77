import type { TermId } from '../../graph/port/term-kind.ts';

export class IdList {
  #ids = new Uint32Array(8);
  #length = 0;

  push(id: TermId): void {
    if (this.#length === this.#ids.length) {
      const grown = new Uint32Array(this.#length * 2);
      grown.set(this.#ids);
      this.#ids = grown;
    }
    this.#ids[this.#length++] = id;
  }

  get length(): number {
    return this.#length;
  }

  toArray(): Uint32Array {
    return this.#ids.slice(0, this.#length);
  }
}

import type { TermId } from '../../store/term-kind.ts';

/** Numbers ids in the order they come, for GROUP BY one variable: an array where ids are the store's. */
export class KeyIndex {
  readonly #numbers: Uint32Array;
  readonly #others = new Map<TermId, number>();
  /** The ids by number. */
  readonly keys: TermId[] = [];

  /** `ids`: one past the largest id of the store. */
  constructor(ids: number) {
    this.#numbers = new Uint32Array(ids);
  }

  /** The number of an id, a new one when it was not seen before. */
  number(id: TermId): number {
    if (id >= this.#numbers.length) return this.#other(id);
    const known = this.#numbers[id]!;
    if (known !== 0) return known - 1;
    this.keys.push(id);
    this.#numbers[id] = this.keys.length;
    return this.keys.length - 1;
  }

  #other(id: TermId): number {
    const known = this.#others.get(id);
    if (known !== undefined) return known;
    this.#others.set(id, this.keys.length);
    return this.keys.push(id) - 1;
  }
}

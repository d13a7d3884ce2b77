import type { TermId } from '../../graph/port/term-kind.ts';
import type { MemoryBudget } from './memory-budget.ts';

/** About what a key takes; one that the store does not hold is in a map. */
const KEY_BYTES = 12;
const OTHER_BYTES = 64;

/** Numbers ids in the order they come, for GROUP BY one variable: an array where ids are the store's. */
export class KeyIndex {
  readonly #memory: MemoryBudget;
  readonly #numbers: Uint32Array;
  readonly #others = new Map<TermId, number>();
  readonly keys: TermId[] = [];

  /** `ids`: one past the largest id of the store. */
  constructor(ids: number, memory: MemoryBudget) {
    this.#memory = memory;
    this.#numbers = new Uint32Array(ids);
  }

  /** The number of an id, a new one when it was not seen before. */
  number(id: TermId): number {
    if (id >= this.#numbers.length) return this.#other(id);
    const known = this.#numbers[id];
    if (known !== 0) return known - 1;
    this.#memory.take(KEY_BYTES);
    this.keys.push(id);
    this.#numbers[id] = this.keys.length;
    return this.keys.length - 1;
  }

  #other(id: TermId): number {
    const known = this.#others.get(id);
    if (known !== undefined) return known;
    this.#memory.take(OTHER_BYTES);
    this.#others.set(id, this.keys.length);
    return this.keys.push(id) - 1;
  }
}

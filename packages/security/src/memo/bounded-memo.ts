/** Keys longer than this, in UTF-16 code units, are computed each time: remembering them would take too much memory. */
const MAX_KEY_LENGTH = 1024;

/**
 * Remembers the results of a pure function for recent keys: at least the latest half of the bound, at most the bound.
 *
 * Two generations: when the young one is full it becomes the old one, and the old keys not asked for since are
 * forgotten. That costs less than forgetting keys one by one.
 */
export class BoundedMemo<Value extends string | boolean> {
  readonly #half: number;
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();

  constructor(bound: number) {
    this.#half = Math.ceil(bound / 2);
  }

  /** Returns the function's result for a key, remembered or computed now. */
  get(key: string, compute: () => Value): Value {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const value = this.#old.get(key) ?? compute();
    if (key.length <= MAX_KEY_LENGTH) this.#remember(key, value);
    return value;
  }

  #remember(key: string, value: Value): void {
    if (this.#young.size >= this.#half) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }
}

/** Longer keys, in UTF-16 code units, are computed each time: remembered, they would hold too much memory. */
const MAX_KEY_LENGTH = 1024;

/** Remembers what a pure function gave for the latest keys; the oldest is forgotten first. */
export class BoundedMemo<Value extends string | boolean> {
  readonly #values = new Map<string, Value>();
  readonly #bound: number;

  constructor(bound: number) {
    this.#bound = bound;
  }

  /** What the function gave for a key, remembered or computed now. */
  get(key: string, compute: () => Value): Value {
    const remembered = this.#values.get(key);
    if (remembered !== undefined) return remembered;
    const value = compute();
    if (key.length <= MAX_KEY_LENGTH) this.#remember(key, value);
    return value;
  }

  #remember(key: string, value: Value): void {
    if (this.#values.size >= this.#bound) {
      for (const oldest of this.#values.keys()) {
        this.#values.delete(oldest);
        break;
      }
    }
    this.#values.set(key, value);
  }
}

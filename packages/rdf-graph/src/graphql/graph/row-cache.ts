/** Rows that one cache keeps at most. */
const MAX_ROWS = 1 << 21;

/** Cost of an entry beside its rows. */
const ENTRY_ROWS = 16;

/** Remembers values by key, the least recently used ones forgotten first once their rows are too many. */
export class RowCache<Value> {
  readonly #rowsOf: (value: Value) => number;
  readonly #entries = new Map<string, Value>();
  #rows = 0;

  constructor(rowsOf: (value: Value) => number) {
    this.#rowsOf = rowsOf;
  }

  get(key: string): Value | undefined {
    const known = this.#entries.get(key);
    if (known === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, known);
    return known;
  }

  /** Remembers a value and returns what is remembered: the first one of a key. */
  add(key: string, value: Value): Value {
    const known = this.get(key);
    if (known !== undefined) return known;
    this.#entries.set(key, value);
    this.#rows += this.#cost(value);
    if (this.#rows > MAX_ROWS) this.#forget();
    return value;
  }

  #forget(): void {
    for (const [key, value] of this.#entries) {
      if (this.#rows <= MAX_ROWS / 2 || this.#entries.size === 1) return;
      this.#entries.delete(key);
      this.#rows -= this.#cost(value);
    }
  }

  #cost(value: Value): number {
    return this.#rowsOf(value) + ENTRY_ROWS;
  }
}

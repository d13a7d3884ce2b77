/** An array that only grows at its end. */
type AppendOnly = Uint8Array | Uint32Array;

/** The larger array that follows a full append-only one, filled piece by piece before: no append copies everything. */
export class Successor<Items extends AppendOnly> {
  readonly items: Items;
  #filled = 0;

  /** @param items zeroed, and larger than the array whose place it takes */
  constructor(items: Items) {
    this.items = items;
  }

  /** Copies what the array before it holds up to `end` and was not copied yet. */
  fill(before: Items, end: number): void {
    if (end <= this.#filled) return;
    this.items.set(before.subarray(this.#filled, end), this.#filled);
    this.#filled = end;
  }
}

/** An array with less in use than this part of its room has no successor yet. */
const PREPARED_FROM = 0.75;

/** How many items of an array must be in its successor when `used` of `capacity` are in use: none at first, all at last. */
export function prepared(used: number, capacity: number): number {
  const overdue = (used - capacity * PREPARED_FROM) / (1 - PREPARED_FROM);
  return Math.min(used, Math.max(0, Math.ceil(overdue)));
}

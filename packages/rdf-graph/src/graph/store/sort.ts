const DIGIT_BITS = 11;
const DIGITS = 1 << DIGIT_BITS;
const SMALL = 512;

/** Rows between two places to pause: a few milliseconds of scattered memory. */
export const SLICE_ROWS: number = 1 << 16;

/** The indices `0 .. count - 1`. */
export function identityOrder(count: number): Uint32Array {
  const order = new Uint32Array(count);
  for (let i = 0; i < count; i++) order[i] = i;
  return order;
}

/** Runs a loop over `count` rows in slices: it yields between them. */
export function* inSlices(count: number, run: (start: number, end: number) => void): Generator<void, void> {
  for (let start = 0; start < count; start += SLICE_ROWS) {
    run(start, Math.min(count, start + SLICE_ROWS));
    if (count > SLICE_ROWS) yield;
  }
}

/** Sorts row indices by a key column, in slices; equal keys stay in order. Cost: O(rows) per 11 bits of the keys. */
export function* sortByColumn(order: Uint32Array, key: Uint32Array): Generator<void, Uint32Array> {
  if (order.length < SMALL) return sortSmall(order, key);
  let max = 0;
  yield* inSlices(order.length, (start, end) => {
    max = Math.max(max, largest(order, key, start, end));
  });
  let from = order;
  let to: Uint32Array = new Uint32Array(order.length);
  for (let shift = 0; shift < 32 && (shift === 0 || max >>> shift !== 0); shift += DIGIT_BITS) {
    const moved = yield* radixPass(from, to, key, shift);
    if (moved) [from, to] = [to, from === order ? new Uint32Array(order.length) : from];
  }
  return from;
}

function sortSmall(order: Uint32Array, key: Uint32Array): Uint32Array {
  const sorted = Uint32Array.from(order);
  for (let i = 1; i < sorted.length; i++) {
    const row = sorted[i];
    const value = key[row];
    let at = i - 1;
    while (at >= 0 && key[sorted[at]] > value) {
      sorted[at + 1] = sorted[at];
      at--;
    }
    sorted[at + 1] = row;
  }
  return sorted;
}

function largest(order: Uint32Array, key: Uint32Array, start: number, end: number): number {
  let max = 0;
  for (let i = start; i < end; i++) if (key[order[i]] > max) max = key[order[i]];
  return max;
}

/** One pass over one digit; false when every row has the same digit and nothing was moved. */
function* radixPass(from: Uint32Array, to: Uint32Array, key: Uint32Array, shift: number): Generator<void, boolean> {
  const counts = new Uint32Array(DIGITS);
  yield* inSlices(from.length, (start, end) => countDigits(counts, from, key, shift, start, end));
  if (counts[(key[from[0]] >>> shift) & (DIGITS - 1)] === from.length) return false;
  let sum = 0;
  for (let digit = 0; digit < DIGITS; digit++) {
    const size = counts[digit];
    counts[digit] = sum;
    sum += size;
  }
  yield* inSlices(from.length, (start, end) => scatter(to, counts, from, key, shift, start, end));
  return true;
}

function countDigits(
  counts: Uint32Array,
  from: Uint32Array,
  key: Uint32Array,
  shift: number,
  start: number,
  end: number,
): void {
  for (let i = start; i < end; i++) counts[(key[from[i]] >>> shift) & (DIGITS - 1)]++;
}

/** Moves rows behind those of smaller digits and those that came before. */
function scatter(
  to: Uint32Array,
  next: Uint32Array,
  from: Uint32Array,
  key: Uint32Array,
  shift: number,
  start: number,
  end: number,
): void {
  for (let i = start; i < end; i++) {
    const row = from[i];
    to[next[(key[row] >>> shift) & (DIGITS - 1)]++] = row;
  }
}

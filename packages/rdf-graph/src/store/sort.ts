const DIGIT_BITS = 11;
const DIGITS = 1 << DIGIT_BITS;
const SMALL = 512;

/** The indices `0 .. count - 1`. */
export function identityOrder(count: number): Uint32Array {
  const order = new Uint32Array(count);
  for (let i = 0; i < count; i++) order[i] = i;
  return order;
}

/** Sorts an order of row indices by a key column, keeping rows of equal key as they stand. Cost: O(rows) per 11 bits. */
export function sortByColumn(order: Uint32Array, key: Uint32Array): Uint32Array {
  if (order.length < SMALL) return sortSmall(order, key);
  let max = 0;
  for (let i = 0; i < order.length; i++) if (key[order[i]!]! > max) max = key[order[i]!]!;
  let from = order;
  let to: Uint32Array = new Uint32Array(order.length);
  for (let shift = 0; shift < 32 && (shift === 0 || max >>> shift !== 0); shift += DIGIT_BITS) {
    const moved = radixPass(from, to, key, shift);
    if (moved) [from, to] = [to, from === order ? new Uint32Array(order.length) : from];
  }
  return from;
}

function sortSmall(order: Uint32Array, key: Uint32Array): Uint32Array {
  const sorted = Uint32Array.from(order);
  for (let i = 1; i < sorted.length; i++) {
    const row = sorted[i]!;
    const value = key[row]!;
    let at = i - 1;
    while (at >= 0 && key[sorted[at]!]! > value) {
      sorted[at + 1] = sorted[at]!;
      at--;
    }
    sorted[at + 1] = row;
  }
  return sorted;
}

/** One pass over one digit; false when every row has the same digit and nothing was moved. */
function radixPass(from: Uint32Array, to: Uint32Array, key: Uint32Array, shift: number): boolean {
  const counts = new Uint32Array(DIGITS);
  const count = from.length;
  for (let i = 0; i < count; i++) counts[(key[from[i]!]! >>> shift) & (DIGITS - 1)]!++;
  if (counts[(key[from[0]!]! >>> shift) & (DIGITS - 1)] === count) return false;
  let sum = 0;
  for (let digit = 0; digit < DIGITS; digit++) {
    const size = counts[digit]!;
    counts[digit] = sum;
    sum += size;
  }
  for (let i = 0; i < count; i++) {
    const row = from[i]!;
    const digit = (key[row]! >>> shift) & (DIGITS - 1);
    to[counts[digit]!++] = row;
  }
  return true;
}

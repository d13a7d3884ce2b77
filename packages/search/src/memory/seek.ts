/** The place of the first of some ascending numbers that is not below one; behind the last when all are. */
export function seekNumber(numbers: Uint32Array, least: number, start = 0): number {
  let low = start;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle] < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

import { compareRows, copyOf, type Range } from './range.ts';

/**
 * Cuts ranges of the same prefix, oldest first, into pieces that follow one another: what is less than a row is in the
 * pieces before it, of every range. A piece gives the ranges that have rows in it, in the same order, and may be kept.
 * @param maxRows how many rows a piece has at most, over all its ranges; at least the number of ranges
 */
export function* cutRanges(ranges: readonly Range[], maxRows: number): Generator<Range[], void> {
  let rest = ranges.filter(({ start, end }) => start < end).map(copyOf);
  while (rest.length > 0) {
    const share = Math.max(1, Math.floor(maxRows / rest.length));
    yield takePiece(rest, share, firstEnd(rest, share));
    rest = rest.filter(({ start, end }) => start < end);
  }
}

/** The range whose row after its share comes first: no range has more than its share before that row. */
function firstEnd(rest: readonly Range[], share: number): Range | undefined {
  let first: Range | undefined;
  for (const range of rest) {
    if (range.start + share >= range.end) continue;
    if (first === undefined || compareRows(range, range.start + share, first, first.start + share) < 0) first = range;
  }
  return first;
}

/** Takes off every range what lies before the row after the share of `first`; all of it where there is no such row. */
function takePiece(rest: readonly Range[], share: number, first: Range | undefined): Range[] {
  const ends = rest.map((range) => (first === undefined ? range.end : endBefore(range, share, first)));
  const piece: Range[] = [];
  rest.forEach((range, i) => {
    if (ends[i] === range.start) return;
    const taken = copyOf(range);
    taken.end = ends[i];
    piece.push(taken);
    range.start = ends[i];
  });
  return piece;
}

/** Where a range, in its share, reaches the row after the share of another one. */
function endBefore(range: Range, share: number, first: Range): number {
  const row = first.start + share;
  let low = range.start;
  let high = Math.min(range.end, range.start + share);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareRows(range, middle, first, row) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

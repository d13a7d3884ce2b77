import type { Column } from './growable.ts';

/** The first block from `start` on that may hold a document, or `end`. Gallops, then halves. */
export function findBlock(lastDocument: Column, document: number, start: number, end: number): number {
  let low = start;
  let step = 1;
  let high = low;
  while (high < end && lastDocument[high] < document) {
    low = high + 1;
    high += step;
    step *= 2;
  }
  if (high > end) high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (lastDocument[middle] < document) low = middle + 1;
    else high = middle;
  }
  return low;
}

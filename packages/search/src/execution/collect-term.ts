import { boundWeight, type TermScorer, weigh } from './term-scorer.ts';
import type { Collection } from './top-documents.ts';

/**
 * The best documents of one term. The blocks that promise most are decoded first, so that the others need not be: only
 * blocks whose bound is above the worst of the best are decoded.
 */
export function* collectTerm(scorer: TermScorer, collection: Collection): Generator<void, void> {
  const { cursor, bounds } = scorer;
  const { view, top } = collection;
  const { lastDocument } = cursor.space.blocks;
  const promising = bounds.length > 2 * top.limit ? kthLargest(bounds, top.limit) : Number.POSITIVE_INFINITY;
  for (let i = 0; i < bounds.length; i++) {
    if (bounds[i] < promising) continue;
    collectBlock(scorer, cursor.firstBlock + i, collection);
    yield;
  }
  for (let i = 0; i < bounds.length; i++) {
    if (bounds[i] >= promising) continue;
    const block = cursor.firstBlock + i;
    const first = i === 0 ? 0 : lastDocument[block - 1] + 1;
    if (top.isHopeless(bounds[i], view, first)) continue;
    collectBlock(scorer, block, collection);
    yield;
  }
}

function collectBlock({ cursor, weighing }: TermScorer, block: number, { view, top, tests }: Collection): void {
  cursor.openBlock(block);
  const { impacts, impactOffset } = cursor.space.blocks;
  // The last impact has the shortest length of the block.
  const shortest = impacts[impactOffset[block + 1] - 1];
  const { documents, sums, count } = cursor;
  /** Frequencies up to this one are known to be too low in this block. */
  let hopeless = 0;
  for (let i = 0; i < count; i++) {
    const frequency = sums[i];
    if (frequency <= hopeless) continue;
    const document = documents[i];
    if (boundWeight(weighing, frequency, shortest) < top.threshold) {
      hopeless = frequency;
      continue;
    }
    const score = weigh(weighing, document, frequency);
    if (!top.isHopeless(score, view, document) && tests.every((test) => test(document)))
      top.offer(view, document, score);
  }
}

/** The `k`th largest of more than `k` values. Cost: O(values) when few are among the largest so far. */
function kthLargest(values: Float64Array, k: number): number {
  const largest = values.slice(0, k).sort();
  for (let i = k; i < values.length; i++) {
    const value = values[i];
    if (value <= largest[0]) continue;
    let at = 0;
    while (at + 1 < k && largest[at + 1] < value) {
      largest[at] = largest[at + 1];
      at++;
    }
    largest[at] = value;
  }
  return largest[0];
}

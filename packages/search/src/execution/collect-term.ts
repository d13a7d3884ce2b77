import type { Collection } from './collector.ts';
import { boundWeight, type TermScorer, weigh } from './term-scorer.ts';

/** The best documents of one term: only blocks whose bound is above the worst of the best are decoded. */
export function* collectTerm(scorer: TermScorer, collection: Collection): Generator<void, void> {
  const { cursor } = scorer;
  const { view, top } = collection;
  const { lastDocument } = cursor.space.blocks;
  for (let block = cursor.firstBlock; block < cursor.endBlock; block++) {
    const first = block === cursor.firstBlock ? 0 : lastDocument[block - 1]! + 1;
    if (top.isHopeless(scorer.boundOf(block), view, first)) continue;
    cursor.openBlock(block);
    collectBlock(scorer, block, collection);
    yield;
  }
}

function collectBlock({ cursor, weighing }: TermScorer, block: number, { view, top, tests }: Collection): void {
  // The last impact has the shortest length of the block.
  const shortest = cursor.space.blocks.impacts[cursor.space.blocks.impactOffset[block + 1]! - 1]!;
  const { documents, sums, count } = cursor;
  /** Frequencies up to this one are known to be too low in this block. */
  let hopeless = 0;
  for (let i = 0; i < count; i++) {
    const frequency = sums[i]!;
    if (frequency <= hopeless) continue;
    const document = documents[i]!;
    if (boundWeight(weighing, frequency, shortest) < top.threshold) {
      hopeless = frequency;
      continue;
    }
    const score = weigh(weighing, document, frequency);
    if (!top.isHopeless(score, view, document) && tests.every((test) => test(document)))
      top.offer(view, document, score);
  }
}

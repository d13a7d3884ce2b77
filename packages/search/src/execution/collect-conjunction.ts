import { collectLed, Lane, type Lead, SLACK } from './collect-led.ts';
import type { TermScorer } from './term-scorer.ts';
import type { Collection } from './top-documents.ts';

/**
 * The best documents of all of several terms. The rarest term leads; its blocks are passed over when they and the
 * blocks of the others over the same documents are together too low, and so are its documents, before any of the
 * others is decoded. The score is the sum in the order of the terms.
 */
export function* collectConjunction(scorers: readonly TermScorer[], collection: Collection): Generator<void, void> {
  const inOrder = scorers.map((scorer) => new Lane(scorer));
  const [lane, ...others] = [...inOrder].sort((a, b) => a.scorer.bounds.length - b.scorer.bounds.length);
  const lead: Lead = { lane, others, isRequired: true, inOrder };
  const { cursor, bounds } = lead.lane.scorer;
  const { lastDocument } = cursor.space.blocks;
  const { view, top } = collection;
  for (let block = cursor.firstBlock; block < cursor.endBlock; block++) {
    const first = block === cursor.firstBlock ? 0 : lastDocument[block - 1] + 1;
    const bound = boundWithin(others, first, lastDocument[block]);
    if (bound < 0) return;
    yield;
    if (top.isHopeless((bounds[block - cursor.firstBlock] + bound) * SLACK, view, first)) continue;
    collectLed(lead, block, first, bound, collection);
  }
}

/** The most that the other terms can add between two documents; -1 when one of them has ended before. */
function boundWithin(others: readonly Lane[], first: number, last: number): number {
  let sum = 0;
  for (const lane of others) {
    const bound = lane.boundWithin(first, last);
    if (bound < 0) return -1;
    sum += bound;
  }
  return sum;
}

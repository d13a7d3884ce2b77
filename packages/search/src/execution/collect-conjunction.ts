import type { Collection } from './collector.ts';
import { Lane, SLACK, TermScores } from './lane.ts';
import { boundWeight, type TermScorer } from './term-scorer.ts';

/**
 * The best documents of all of several terms. The rarest term leads; its blocks are passed over when they and the
 * blocks of the others over the same documents are together too low, and so are its documents, before any of the
 * others is decoded. The score is the sum in the order of the terms.
 */
export function* collectConjunction(scorers: readonly TermScorer[], collection: Collection): Generator<void, void> {
  const lanes = scorers.map((scorer, place) => new Lane(scorer, place));
  const [lead, ...others] = lanes.sort((a, b) => a.scorer.bounds.length - b.scorer.bounds.length);
  const { cursor, bounds } = lead!.scorer;
  const { lastDocument } = cursor.space.blocks;
  const { view, top } = collection;
  const scores = new TermScores(lanes.length);
  for (let block = cursor.firstBlock; block < cursor.endBlock; block++) {
    const first = block === cursor.firstBlock ? 0 : lastDocument[block - 1]! + 1;
    const bound = boundWithin(others, first, lastDocument[block]!);
    if (bound < 0) return;
    yield;
    if (top.isHopeless((bounds[block - cursor.firstBlock]! + bound) * SLACK, view, first)) continue;
    cursor.openBlock(block);
    collectBlock(lead!, block, others, bound, scores, collection);
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

function collectBlock(
  lead: Lane,
  block: number,
  others: readonly Lane[],
  bound: number,
  scores: TermScores,
  { view, top, tests }: Collection,
): void {
  const { cursor, weighing } = lead.scorer;
  const { documents, sums, count } = cursor;
  const { impacts, impactOffset } = cursor.space.blocks;
  const shortest = impacts[impactOffset[block + 1]! - 1]!;
  /** Frequencies of the lead up to this one are known to be too low in this block. */
  let hopeless = 0;
  for (let i = 0; i < count; i++) {
    const frequency = sums[i]!;
    if (frequency <= hopeless) continue;
    const document = documents[i]!;
    if ((boundWeight(weighing, frequency, shortest) + bound) * SLACK < top.threshold) {
      hopeless = frequency;
      continue;
    }
    const own = lead.scorer.scoreOf(document, frequency);
    if ((own + bound) * SLACK < top.threshold) continue;
    scores.set(lead, own);
    if (!scoreOthers(others, document, own, scores, top.threshold)) continue;
    const score = scores.sum();
    if (!top.isHopeless(score, view, document) && tests.every((test) => test(document)))
      top.offer(view, document, score);
  }
}

/** Scores the other terms in a document; false when one of them is not in it, or they cannot reach the threshold. */
function scoreOthers(
  others: readonly Lane[],
  document: number,
  own: number,
  scores: TermScores,
  threshold: number,
): boolean {
  let bound = own;
  for (const lane of others) bound += lane.boundAt(document);
  for (const lane of others) {
    if (bound * SLACK < threshold) return false;
    const score = lane.scoreAt(document);
    if (score < 0) return false;
    bound += score - lane.boundAt(document);
    scores.set(lane, score);
  }
  return true;
}

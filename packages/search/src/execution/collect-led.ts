import { type Lane, SLACK } from './lane.ts';
import { boundWeight } from './term-scorer.ts';
import type { Collection } from './top-documents.ts';

/** How one term leads through its documents and others are looked up beside it. */
export interface Lead {
  readonly lane: Lane;
  readonly others: readonly Lane[];
  /** True when a document must have the other terms, too. */
  readonly isRequired: boolean;
  /** All lanes in the order of the query. */
  readonly inOrder: readonly Lane[];
}

/**
 * Collects from one block of the leading term, from a document on, when the other terms add at most `bound` to any of
 * its documents. What cannot get over the threshold is given up as early as can be: by its frequency, by its score, by
 * the bounds of the others' blocks, and after each lookup.
 */
export function collectLed(lead: Lead, block: number, start: number, bound: number, collection: Collection): void {
  const { lane, others, isRequired, inOrder } = lead;
  const { view, top, tests } = collection;
  const { cursor, weighing } = lane.scorer;
  cursor.openBlock(block);
  const { documents, sums, count } = cursor;
  const { impacts, impactOffset } = cursor.space.blocks;
  // The last impact has the shortest length of the block.
  const shortest = impacts[impactOffset[block + 1] - 1];
  /** Frequencies up to this one are known to be too low in this block. */
  let hopeless = 0;
  for (let i = 0; i < count; i++) {
    const frequency = sums[i];
    const document = documents[i];
    if (frequency <= hopeless || document < start) continue;
    if ((boundWeight(weighing, frequency, shortest) + bound) * SLACK < top.threshold) {
      hopeless = frequency;
      continue;
    }
    const own = lane.scorer.scoreOf(document, frequency);
    if ((own + bound) * SLACK < top.threshold) continue;
    lane.current = own;
    if (!scoreOthers(others, document, own, isRequired, top.threshold)) continue;
    const score = sumInOrder(inOrder);
    if (!top.isHopeless(score, view, document) && tests.every((test) => test(document)))
      top.offer(view, document, score);
  }
}

/** Scores terms in a document; false when a required one is not in it, or they cannot reach the threshold. */
export function scoreOthers(
  others: readonly Lane[],
  document: number,
  own: number,
  isRequired: boolean,
  threshold: number,
): boolean {
  let bound = own;
  for (let i = 0; i < others.length; i++) bound += others[i].boundAt(document);
  for (let i = 0; i < others.length; i++) {
    if (bound * SLACK < threshold) return false;
    const lane = others[i];
    const score = lane.scoreAt(document);
    if (score < 0 && isRequired) return false;
    lane.current = Math.max(score, 0);
    bound += lane.current - lane.boundAt(document);
  }
  return true;
}

/** The sum of the lanes' current scores, in the order of the query. */
export function sumInOrder(lanes: readonly Lane[]): number {
  let sum = 0;
  for (let i = 0; i < lanes.length; i++) sum += lanes[i].current;
  return sum;
}

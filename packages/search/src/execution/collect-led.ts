import { END } from '../postings/cursor.ts';
import { TermProbe } from '../postings/term-probe.ts';
import { boundWeight, type TermScorer, weigh } from './term-scorer.ts';
import type { Collection } from './top-documents.ts';

/** Makes up for the rounding of sums that are taken in another order than scores. */
export const SLACK: number = 1 + 1e-9;

/** One of several terms that are collected together. */
export class Lane {
  readonly scorer: TermScorer;
  readonly most: number;
  /** Score that the term adds to the current document. */
  current = 0;
  readonly #probe: TermProbe;
  #block: number;
  /** The bound of the current block, and the last document that it holds for. */
  #bound = 0;
  #boundedTo = -1;
  #window: number;

  constructor(scorer: TermScorer) {
    const { firstBlock, endBlock } = scorer.cursor;
    this.scorer = scorer;
    this.most = scorer.boundBetween(firstBlock, endBlock - 1);
    this.#probe = new TermProbe(scorer.cursor);
    this.#block = firstBlock;
    this.#window = firstBlock;
  }

  /** The most that the term adds to a document, by the bound of its block. Documents must ascend. */
  boundAt(document: number): number {
    if (document > this.#boundedTo) this.#moveBound(document);
    return this.#bound;
  }

  /** The block of the first document at or after one; the end block when there is none. Documents must ascend. */
  blockAt(document: number): number {
    this.#window = this.scorer.cursor.findBlockFrom(this.#window, document);
    return this.#window;
  }

  #moveBound(document: number): void {
    const { cursor, bounds } = this.scorer;
    this.#block = cursor.findBlockFrom(this.#block, document);
    const isAtEnd = this.#block >= cursor.endBlock;
    this.#bound = isAtEnd ? 0 : bounds[this.#block - cursor.firstBlock];
    this.#boundedTo = isAtEnd ? END : cursor.space.blocks.lastDocument[this.#block];
  }

  /** The most that the term adds to any document between two; -1 when it has ended before. */
  boundWithin(first: number, last: number): number {
    const { cursor } = this.scorer;
    const start = this.blockAt(first);
    if (start >= cursor.endBlock) return -1;
    return this.scorer.boundBetween(start, Math.min(cursor.findBlockFrom(start, last), cursor.endBlock - 1));
  }

  /**
   * Returns the score that the term adds to a document; -1 where the viewer does not see it there. Documents must
   * ascend.
   */
  scoreAt(document: number): number {
    const frequency = this.#probe.frequencyIn(document);
    return frequency === 0 ? -1 : weigh(this.scorer.weighing, document, frequency);
  }
}

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

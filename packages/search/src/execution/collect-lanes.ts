import { END } from '../postings/cursor.ts';
import { TermProbe } from '../postings/term-cursor.ts';
import { boundWeight, type TermScorer, weigh } from './term-scorer.ts';
import type { Collection } from './top-documents.ts';

/** Makes up for the rounding of sums that are taken in another order than scores. */
const SLACK: number = 1 + 1e-9;

/** One of several terms that are collected together. */
class Lane {
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
interface Lead {
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
function collectLed(lead: Lead, block: number, start: number, bound: number, collection: Collection): void {
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
    const own = weigh(weighing, document, frequency);
    if ((own + bound) * SLACK < top.threshold) continue;
    lane.current = own;
    if (!scoreOthers(others, document, own, isRequired, top.threshold)) continue;
    const score = sumInOrder(inOrder);
    if (!top.isHopeless(score, view, document) && tests.every((test) => test(document)))
      top.offer(view, document, score);
  }
}

/** Scores terms in a document; false when a required one is not in it, or they cannot reach the threshold. */
function scoreOthers(
  others: readonly Lane[],
  document: number,
  own: number,
  isRequired: boolean,
  threshold: number,
): boolean {
  if (threshold === Number.NEGATIVE_INFINITY) return scoreAll(others, document, isRequired);
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

/** The same while every match is among the best: no bound rules anything out. */
function scoreAll(others: readonly Lane[], document: number, isRequired: boolean): boolean {
  for (let i = 0; i < others.length; i++) {
    const score = others[i].scoreAt(document);
    if (score < 0 && isRequired) return false;
    others[i].current = Math.max(score, 0);
  }
  return true;
}

/** The sum of the lanes' current scores, in the order of the query. */
function sumInOrder(lanes: readonly Lane[]): number {
  let sum = 0;
  for (let i = 0; i < lanes.length; i++) sum += lanes[i].current;
  return sum;
}

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
    const bound = requiredBound(others, first, lastDocument[block]);
    if (bound < 0) break;
    yield;
    if (top.isHopeless((bounds[block - cursor.firstBlock] + bound) * SLACK, view, first)) continue;
    collectLed(lead, block, first, bound, collection);
  }
  for (const scorer of scorers) scorer.cursor.release();
}

/** The most that the other terms can add between two documents; -1 when one of them has ended before. */
function requiredBound(others: readonly Lane[], first: number, last: number): number {
  let sum = 0;
  for (const lane of others) {
    const bound = lane.boundWithin(first, last);
    if (bound < 0) return -1;
    sum += bound;
  }
  return sum;
}

/**
 * The best documents of any of several terms (block-max MaxScore). Terms that together cannot carry a document over the
 * threshold do not lead: they are looked up only where the leading ones promise enough. Windows end where the first
 * block of a leading term ends; a window whose bounds are too low is passed over. The score is the sum in the order of
 * the terms, whatever was skipped.
 */
export function* collectDisjunction(scorers: readonly TermScorer[], collection: Collection): Generator<void, void> {
  const { view, top } = collection;
  const inOrder = scorers.map((scorer) => new Lane(scorer));
  const lanes = [...inOrder].sort((a, b) => a.most - b.most);
  const reaches = lanes.map((_, i) => lanes.slice(0, i + 1).reduce((sum, { most }) => sum + most, 0));
  let start = 0;
  while (true) {
    let first = 0;
    while (first < lanes.length - 1 && reaches[first] * SLACK < top.threshold) first++;
    const leading = lanes.slice(first);
    const end = findWindowEnd(leading, start);
    if (end === END) break;
    const others = lanes.slice(0, first).reverse();
    const bound = boundWithin(others, start, end);
    if (!top.isHopeless((bound + boundWithin(leading, start, end)) * SLACK, view, start)) {
      if (leading.length === 1) {
        const lane = leading[0];
        collectLed({ lane, others, isRequired: false, inOrder }, lane.blockAt(start), start, bound, collection);
      } else {
        collectWindow({ leading, others, bound, start, end, inOrder }, collection);
      }
    }
    yield;
    start = end + 1;
  }
  for (const scorer of scorers) scorer.cursor.release();
}

/** A stretch of documents, the lanes that lead in it, and the most that the others can add. */
interface Window {
  readonly leading: readonly Lane[];
  /** Those that can add most come first. */
  readonly others: readonly Lane[];
  readonly bound: number;
  readonly start: number;
  readonly end: number;
  readonly inOrder: readonly Lane[];
}

/** The last document of the block of a leading lane that ends first; `END` when all have ended. */
function findWindowEnd(leading: readonly Lane[], start: number): number {
  let end = END;
  for (const lane of leading) {
    const { cursor } = lane.scorer;
    const block = lane.blockAt(start);
    if (block < cursor.endBlock) end = Math.min(end, cursor.space.blocks.lastDocument[block]);
  }
  return end;
}

/** The most that some lanes together add to any document of a window. */
function boundWithin(lanes: readonly Lane[], start: number, end: number): number {
  let sum = 0;
  for (const lane of lanes) sum += Math.max(lane.boundWithin(start, end), 0);
  return sum;
}

function collectWindow(window: Window, { view, top, tests }: Collection): void {
  const { leading, others, bound, start, end, inOrder } = window;
  let document = nextCandidate(leading, start);
  for (; document <= end; document = nextCandidate(leading, document + 1)) {
    let sum = 0;
    for (let i = 0; i < leading.length; i++) {
      const lane = leading[i];
      lane.current = lane.scorer.document === document ? lane.scorer.score() : 0;
      sum += lane.current;
    }
    if ((sum + bound) * SLACK < top.threshold) continue;
    if (!scoreOthers(others, document, sum, false, top.threshold)) continue;
    const score = sumInOrder(inOrder);
    if (!top.isHopeless(score, view, document) && tests.every((test) => test(document))) {
      top.offer(view, document, score);
    }
  }
}

/** The first document at or after `target` in any of the leading lanes. */
function nextCandidate(leading: readonly Lane[], target: number): number {
  let least = END;
  for (let i = 0; i < leading.length; i++) {
    const { scorer } = leading[i];
    const at = scorer.document;
    const document = at >= target ? at : at === target - 1 ? scorer.next() : scorer.advance(target);
    if (document < least) least = document;
  }
  return least;
}

import { END } from '../postings/cursor.ts';
import type { Collection } from './collector.ts';
import type { TermScorer } from './term-scorer.ts';

/** Makes up for the rounding of sums that are taken in another order than scores. */
const SLACK = 1 + 1e-9;

/** The bound of a term that has come to its end; a boost of zero still has documents. */
const ABSENT = -1;

/** One term within a window of documents. */
interface Lane {
  readonly scorer: TermScorer;
  /** The most it can add to any document of the window. */
  bound: number;
  /** The bounds of this lane and of all before it, when lanes stand in ascending order. */
  reach: number;
}

/**
 * The best documents of any of several terms (block-max MaxScore). Windows end where the first block of a term ends;
 * a window whose bounds together are too low is passed over, and within one only the terms that can carry a document
 * over the threshold lead. The score is the sum in the order of the terms, whatever was skipped.
 */
export function* collectDisjunction(scorers: readonly TermScorer[], collection: Collection): Generator<void, void> {
  const { view, top } = collection;
  const lanes = scorers.map((scorer): Lane => ({ scorer, bound: 0, reach: 0 }));
  let start = 0;
  while (true) {
    const end = openWindow(lanes, start);
    if (end === undefined) return;
    let total = 0;
    for (const lane of lanes) total += Math.max(lane.bound, 0);
    if (!top.isHopeless(total * SLACK, view, start)) {
      lanes.sort((a, b) => a.bound - b.bound);
      let reach = 0;
      for (const lane of lanes) {
        reach += Math.max(lane.bound, 0);
        lane.reach = reach;
      }
      yield* collectWindow(scorers, lanes, start, end, collection);
    }
    yield;
    start = end + 1;
  }
}

/** Bounds every lane from `start` on, and gives the last document for which the bounds hold. */
function openWindow(lanes: readonly Lane[], start: number): number | undefined {
  let end = END;
  for (const lane of lanes) {
    const { cursor } = lane.scorer;
    const block = cursor.findBlock(start);
    lane.bound = ABSENT;
    if (block >= cursor.endBlock) continue;
    lane.bound = lane.scorer.boundOf(block);
    const last = cursor.space.blocks.lastDocument[block]!;
    if (last < end) end = last;
  }
  return end === END ? undefined : end;
}

function* collectWindow(
  scorers: readonly TermScorer[],
  lanes: readonly Lane[],
  start: number,
  end: number,
  { view, top, tests }: Collection,
): Generator<void, void> {
  let first = 0;
  while (first < lanes.length - 1 && lanes[first]!.reach * SLACK < top.threshold) first++;
  const floor = first === 0 ? 0 : lanes[first - 1]!.reach;
  let document = nextCandidate(lanes, first, start);
  while (document <= end) {
    let sum = floor;
    for (let i = first; i < lanes.length; i++) {
      const { scorer } = lanes[i]!;
      if (scorer.document === document) sum += scorer.score();
    }
    if (sum * SLACK >= top.threshold) {
      const score = scoreAt(scorers, document);
      if (!top.isHopeless(score, view, document) && tests.every((test) => test(document))) {
        top.offer(view, document, score);
      }
    }
    document = nextCandidate(lanes, first, document + 1);
  }
  yield;
}

/** The first document at or after `target` in any of the leading lanes. */
function nextCandidate(lanes: readonly Lane[], first: number, target: number): number {
  let least = END;
  for (let i = first; i < lanes.length; i++) {
    const lane = lanes[i]!;
    if (lane.bound === ABSENT) continue;
    const { scorer } = lane;
    const document = scorer.document < target ? scorer.advance(target) : scorer.document;
    if (document < least) least = document;
  }
  return least;
}

/** The sum over the terms that the document has, in their order. */
function scoreAt(scorers: readonly TermScorer[], document: number): number {
  let sum = 0;
  for (const scorer of scorers) {
    const at = scorer.document < document ? scorer.advance(document) : scorer.document;
    if (at === document) sum += scorer.score();
  }
  return sum;
}

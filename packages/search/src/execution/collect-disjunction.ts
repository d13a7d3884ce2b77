import { END } from '../postings/cursor.ts';
import type { Collection } from './collector.ts';
import { Lane, SLACK, TermScores } from './lane.ts';
import type { TermScorer } from './term-scorer.ts';

/**
 * The best documents of any of several terms (block-max MaxScore). Terms that together cannot carry a document over the
 * threshold do not lead: they are looked up only where the leading ones promise enough. Windows end where the first
 * block of a leading term ends; a window whose bounds are too low is passed over. The score is the sum in the order of
 * the terms, whatever was skipped.
 */
export function* collectDisjunction(scorers: readonly TermScorer[], collection: Collection): Generator<void, void> {
  const { view, top } = collection;
  const lanes = scorers.map((scorer, place) => new Lane(scorer, place)).sort((a, b) => a.most - b.most);
  lanes.reduce((reach, lane) => {
    lane.reach = reach + lane.most;
    return lane.reach;
  }, 0);
  const scores = new TermScores(lanes.length);
  let start = 0;
  while (true) {
    const first = findLeading(lanes, top.threshold);
    const end = findWindowEnd(lanes, first, start);
    if (end === END) return;
    const support = boundWithin(lanes, 0, first, start, end);
    const lead = boundWithin(lanes, first, lanes.length, start, end);
    if (!top.isHopeless((support + lead) * SLACK, view, start)) {
      collectWindow({ lanes, first, support, start, end }, scores, collection);
    }
    yield;
    start = end + 1;
  }
}

/** A stretch of documents, the lanes that lead in it, and the most that the lanes before those can add. */
interface Window {
  readonly lanes: readonly Lane[];
  readonly first: number;
  readonly support: number;
  readonly start: number;
  readonly end: number;
}

/** The first lane that with those before it can carry a document over the threshold. */
function findLeading(lanes: readonly Lane[], threshold: number): number {
  let first = 0;
  while (first < lanes.length - 1 && lanes[first]!.reach * SLACK < threshold) first++;
  return first;
}

/** The last document of the block of a leading lane that ends first; `END` when all have ended. */
function findWindowEnd(lanes: readonly Lane[], first: number, start: number): number {
  let end = END;
  for (let i = first; i < lanes.length; i++) {
    const { cursor } = lanes[i]!.scorer;
    const block = cursor.findBlock(start);
    if (block < cursor.endBlock) end = Math.min(end, cursor.space.blocks.lastDocument[block]!);
  }
  return end;
}

/** The most that some lanes together add to any document of a window. */
function boundWithin(lanes: readonly Lane[], from: number, to: number, start: number, end: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += Math.max(lanes[i]!.boundWithin(start, end), 0);
  return sum;
}

function collectWindow(window: Window, scores: TermScores, { view, top, tests }: Collection): void {
  const { lanes, first, support, start, end } = window;
  let document = nextCandidate(lanes, first, start);
  for (; document <= end; document = nextCandidate(lanes, first, document + 1)) {
    let sum = 0;
    scores.clear();
    for (let i = first; i < lanes.length; i++) {
      const lane = lanes[i]!;
      if (lane.scorer.document !== document) continue;
      const score = lane.scorer.score();
      scores.set(lane, score);
      sum += score;
    }
    if ((sum + support) * SLACK < top.threshold) continue;
    if (first > 0 && !addSupport(lanes, first, document, sum, scores, top.threshold)) continue;
    const score = scores.sum();
    if (!top.isHopeless(score, view, document) && tests.every((test) => test(document))) {
      top.offer(view, document, score);
    }
  }
}

/** Scores the lanes that do not lead; false as soon as the document cannot get over the threshold. */
function addSupport(
  lanes: readonly Lane[],
  count: number,
  document: number,
  lead: number,
  scores: TermScores,
  threshold: number,
): boolean {
  let bound = lead;
  for (let i = 0; i < count; i++) bound += lanes[i]!.boundAt(document);
  for (let i = count - 1; i >= 0; i--) {
    if (bound * SLACK < threshold) return false;
    const lane = lanes[i]!;
    const score = Math.max(lane.scoreAt(document), 0);
    bound += score - lane.boundAt(document);
    scores.set(lane, score);
  }
  return true;
}

/** The first document at or after `target` in any of the leading lanes. */
function nextCandidate(lanes: readonly Lane[], first: number, target: number): number {
  let least = END;
  for (let i = first; i < lanes.length; i++) {
    const { scorer } = lanes[i]!;
    const at = scorer.document;
    const document = at >= target ? at : at === target - 1 ? scorer.next() : scorer.advance(target);
    if (document < least) least = document;
  }
  return least;
}

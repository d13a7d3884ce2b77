import { END } from '../postings/cursor.ts';
import { collectLed, Lane, SLACK, scoreOthers, sumInOrder } from './collect-led.ts';
import type { TermScorer } from './term-scorer.ts';
import type { Collection } from './top-documents.ts';

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
    if (end === END) return;
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

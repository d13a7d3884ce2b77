import { END } from '../postings/cursor.ts';
import type { Collection } from './collector.ts';
import type { TermScorer } from './term-scorer.ts';

/** Makes up for the rounding of sums that are taken in another order than scores. */
const SLACK = 1 + 1e-9;

/**
 * The best documents of all of several terms. The rarest term leads; its blocks are passed over when they and the
 * blocks of the others over the same documents are together too low. The score is the sum in the order of the terms.
 */
export function* collectConjunction(scorers: readonly TermScorer[], collection: Collection): Generator<void, void> {
  const [lead, ...others] = [...scorers].sort((a, b) => countBlocks(a) - countBlocks(b));
  const { cursor } = lead!;
  const { lastDocument } = cursor.space.blocks;
  const { view, top } = collection;
  for (let block = cursor.firstBlock; block < cursor.endBlock; block++) {
    const first = block === cursor.firstBlock ? 0 : lastDocument[block - 1]! + 1;
    const bound = boundOthers(others, first, lastDocument[block]!);
    if (bound < 0) return;
    yield;
    if (top.isHopeless((lead!.boundOf(block) + bound) * SLACK, view, first)) continue;
    cursor.openBlock(block);
    if (collectBlock(scorers, lead!, others, bound, collection)) return;
  }
}

function countBlocks({ cursor }: TermScorer): number {
  return cursor.endBlock - cursor.firstBlock;
}

/** The most that the other terms can add between two documents; -1 when one of them has ended before. */
function boundOthers(others: readonly TermScorer[], first: number, last: number): number {
  let sum = 0;
  for (const other of others) {
    const { cursor } = other;
    const { lastDocument } = cursor.space.blocks;
    let most = -1;
    for (let block = cursor.findBlock(first); block < cursor.endBlock; block++) {
      const bound = other.boundOf(block);
      if (bound > most) most = bound;
      if (lastDocument[block]! >= last) break;
    }
    if (most < 0) return -1;
    sum += most;
  }
  return sum;
}

/** Collects from the lead's open block; true when another term has come to its end. */
function collectBlock(
  scorers: readonly TermScorer[],
  lead: TermScorer,
  others: readonly TermScorer[],
  bound: number,
  { view, top, tests }: Collection,
): boolean {
  const { cursor } = lead;
  for (let i = 0; i < cursor.count; i++) {
    const document = cursor.next();
    if ((lead.score() + bound) * SLACK < top.threshold) continue;
    const state = agree(others, document);
    if (state === 'ended') return true;
    if (state === 'apart') continue;
    let score = 0;
    for (const scorer of scorers) score += scorer.score();
    if (!top.isHopeless(score, view, document) && tests.every((test) => test(document)))
      top.offer(view, document, score);
  }
  return false;
}

function agree(others: readonly TermScorer[], document: number): 'together' | 'apart' | 'ended' {
  for (const other of others) {
    const at = other.document < document ? other.advance(document) : other.document;
    if (at === END) return 'ended';
    if (at !== document) return 'apart';
  }
  return 'together';
}

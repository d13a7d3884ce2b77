import { END, type Scorer } from '../postings/cursor.ts';
import { BooleanScorer, OrScorer } from './boolean-scorer.ts';
import { collectConjunction, collectDisjunction } from './collect-lanes.ts';
import { DocumentSetCursor } from './document-set.ts';
import { type BestSoFar, PhraseScorer } from './phrase-scorer.ts';
import { boundWeight, TermScorer, weigh } from './term-scorer.ts';
import type { Collection } from './top-documents.ts';

/** From so many terms on each can rule out little. */
const MANY_TERMS = 8;
/** Beyond so many required terms a block is too much for one step. */
const MANY_REQUIRED = 64;

/**
 * Collects the best matches of one segment. What cannot get among the best is passed over where its blocks say so;
 * nothing that is collected depends on that. Yields where it may pause.
 * @param documentsPerStep how many are collected one by one between two chances to pause, where no blocks are
 */
export function collectSegment(
  scorer: Scorer,
  collection: Collection,
  documentsPerStep: number,
): Generator<void, void> {
  if (scorer instanceof TermScorer) return collectTerm(scorer, collection);
  if (scorer instanceof OrScorer && scorer.children.every(isTerm)) {
    const terms = scorer.children as TermScorer[];
    return terms.length > MANY_TERMS ? collectMany(terms, collection) : collectDisjunction(terms, collection);
  }
  if (scorer instanceof BooleanScorer && isPureConjunction(scorer)) {
    return collectConjunction(scorer.required as TermScorer[], collection);
  }
  return collectEach(scorer, collection, documentsPerStep);
}

function isTerm(scorer: Scorer): scorer is TermScorer {
  return scorer instanceof TermScorer;
}

function isPureConjunction({ required, optional, excluded }: BooleanScorer): boolean {
  if (required.length > MANY_REQUIRED) return false;
  return required.every(isTerm) && optional.length === 0 && excluded.length === 0;
}

/** Document after document, some in each step. */
function* collectEach(scorer: Scorer, collection: Collection, documentsPerStep: number): Generator<void, void> {
  if (scorer instanceof PhraseScorer) scorer.best = bestIn(collection);
  while (collectSome(scorer, collection, documentsPerStep)) yield;
}

function bestIn({ top, view }: Collection): BestSoFar {
  return {
    get threshold() {
      return top.threshold;
    },
    isHopeless: (bound, document) => top.isHopeless(bound, view, document),
  };
}

/** Collects from the next documents; false after the last one that can be collected. */
function collectSome(scorer: Scorer, { view, top, tests }: Collection, most: number): boolean {
  for (let i = 0; i < most; i++) {
    const document = scorer.next();
    if (document === END) return false;
    if (!scorer.matches) continue;
    const score = scorer.score();
    if (top.isHopeless(score, view, document)) {
      // All later documents of a set have the same score and lose the same tie.
      if (scorer instanceof DocumentSetCursor) return false;
    } else if (tests.every((test) => test(document))) {
      top.offer(view, document, score);
    }
  }
  return true;
}

/**
 * The best documents of one term. The blocks that promise most are decoded first, so that the others need not be: only
 * blocks whose bound is above the worst of the best are decoded.
 */
function* collectTerm(scorer: TermScorer, collection: Collection): Generator<void, void> {
  const { cursor, bounds } = scorer;
  const { view, top } = collection;
  const { lastDocument } = cursor.space.blocks;
  const promising = bounds.length > 2 * top.limit ? kthLargest(bounds, top.limit) : Number.POSITIVE_INFINITY;
  for (let i = 0; i < bounds.length; i++) {
    if (bounds[i] < promising) continue;
    collectBlock(scorer, cursor.firstBlock + i, collection);
    yield;
  }
  for (let i = 0; i < bounds.length; i++) {
    if (bounds[i] >= promising) continue;
    const block = cursor.firstBlock + i;
    const first = i === 0 ? 0 : lastDocument[block - 1] + 1;
    if (top.isHopeless(bounds[i], view, first)) continue;
    collectBlock(scorer, block, collection);
    yield;
  }
  cursor.release();
}

function collectBlock({ cursor, weighing }: TermScorer, block: number, { view, top, tests }: Collection): void {
  cursor.openBlock(block);
  const { impacts, impactOffset } = cursor.space.blocks;
  // The last impact has the shortest length of the block.
  const shortest = impacts[impactOffset[block + 1] - 1];
  const { documents, sums, count } = cursor;
  /** Frequencies up to this one are known to be too low in this block. */
  let hopeless = 0;
  for (let i = 0; i < count; i++) {
    const frequency = sums[i];
    if (frequency <= hopeless) continue;
    const document = documents[i];
    if (boundWeight(weighing, frequency, shortest) < top.threshold) {
      hopeless = frequency;
      continue;
    }
    const score = weigh(weighing, document, frequency);
    if (!top.isHopeless(score, view, document) && tests.every((test) => test(document)))
      top.offer(view, document, score);
  }
}

/** The `k`th largest of more than `k` values. Cost: O(values) when few are among the largest so far. */
function kthLargest(values: Float64Array, k: number): number {
  const largest = values.slice(0, k).sort();
  for (let i = k; i < values.length; i++) {
    const value = values[i];
    if (value <= largest[0]) continue;
    let at = 0;
    while (at + 1 < k && largest[at + 1] < value) {
      largest[at] = largest[at + 1];
      at++;
    }
    largest[at] = value;
  }
  return largest[0];
}

/** Documents whose scores are summed beside each other. */
const WINDOW = 2048;
/** Scores added between pauses; with thousands of frequent terms a window alone has millions. */
const SCORES_PER_STEP = 32_768;
/** Cost of a term's first step relative to a score: it opens a block. */
const FIRST_STEP = 64;

/**
 * The best documents of any of many terms, such as those near a fuzzy word. Term after term adds to the scores of a
 * window of documents: where nearly every term is rare, that is less work than to look for what can be skipped. The
 * score is the sum in the order of the terms.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: hot: every posting of many terms comes through here
function* collectMany(scorers: readonly TermScorer[], { view, top, tests }: Collection): Generator<void, void> {
  const room = Math.min(WINDOW, view.segment.documentCount);
  const sums = new Float64Array(room);
  const isMatch = new Uint8Array(room);
  const matches = new Int32Array(room);
  let left = SCORES_PER_STEP;
  for (const scorer of scorers) {
    scorer.next();
    left -= FIRST_STEP;
    if (left > 0) continue;
    left = SCORES_PER_STEP;
    yield;
  }
  for (let start = findFirst(scorers); start !== END; start = findFirst(scorers)) {
    let count = 0;
    for (const scorer of scorers) {
      for (let document = scorer.document; document < start + WINDOW; document = scorer.next()) {
        const at = document - start;
        if (isMatch[at] === 0) {
          isMatch[at] = 1;
          matches[count++] = at;
        }
        sums[at] += scorer.score();
        left--;
      }
      if (left > 0) continue;
      left = SCORES_PER_STEP;
      yield;
    }
    for (let i = 0; i < count; i++) {
      const at = matches[i];
      const document = start + at;
      const score = sums[at];
      if (!top.isHopeless(score, view, document) && tests.every((test) => test(document)))
        top.offer(view, document, score);
      sums[at] = 0;
      isMatch[at] = 0;
    }
    yield;
  }
  for (const { cursor } of scorers) cursor.release();
}

function findFirst(scorers: readonly TermScorer[]): number {
  let least = END;
  for (const { document } of scorers) if (document < least) least = document;
  return least;
}

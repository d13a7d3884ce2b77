import { END } from '../postings/cursor.ts';
import type { TermScorer } from './term-scorer.ts';
import type { Collection } from './top-documents.ts';

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
export function* collectMany(scorers: readonly TermScorer[], { view, top, tests }: Collection): Generator<void, void> {
  const sums = new Float64Array(WINDOW);
  const isMatch = new Uint8Array(WINDOW);
  const matches = new Int32Array(WINDOW);
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
}

function findFirst(scorers: readonly TermScorer[]): number {
  let least = END;
  for (const { document } of scorers) if (document < least) least = document;
  return least;
}

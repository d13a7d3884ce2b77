import { END, type Scorer } from '../postings/cursor.ts';
import { BooleanScorer, OrScorer } from './boolean-scorer.ts';
import { collectConjunction, collectDisjunction } from './collect-lanes.ts';
import { collectMany } from './collect-many.ts';
import { collectTerm } from './collect-term.ts';
import { DocumentSetCursor } from './document-set.ts';
import { PhraseScorer } from './phrase-scorer.ts';
import { TermScorer } from './term-scorer.ts';
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
  const { view, top } = collection;
  if (scorer instanceof PhraseScorer) scorer.isHopeless = (bound, document) => top.isHopeless(bound, view, document);
  while (collectSome(scorer, collection, documentsPerStep)) yield;
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

import type { JsonObject } from '@cairn/security';
import { type Analyzer, getAnalyzer } from '../analysis/analyzer.ts';
import { takesPosition } from '../analysis/token-kind.ts';
import { recall } from '../memory/recall.ts';
import { checkObject, checkWhole } from '../port/arguments.ts';
import type { LikeOptions } from '../port/search-index.ts';
import { MAX_QUERY_LENGTH } from '../query/parser.ts';
import type { Clause, Query } from '../query/query.ts';
import { textsOf } from '../results/document-texts.ts';
import { inverseDocumentFrequency } from '../scoring/bm25.ts';
import { countDocuments, countVisible } from '../scoring/statistics.ts';
import { compareByCodePoint } from '../segment/term-dictionary.ts';
import type { VisibleIndex } from './visible-index.ts';
import type { WorkBudget } from './work-budget.ts';

/** Bounds on the words that stand for a text. */
export interface WordBounds {
  readonly maxTerms: number;
  readonly minTermFrequency: number;
  /** Default by the type of the query. */
  readonly minDocumentFrequency: number | undefined;
  readonly maxDocumentFrequency: number;
}

const MAX_TERMS = 100;
const DEFAULT_TERMS = 25;
const MAX_FREQUENCY = 1_000_000_000;

/** @throws `ERR_REQUEST` (invalid) */
export function readWordBounds(like: LikeOptions = {}): WordBounds {
  checkObject('like', like);
  const { maxTerms = DEFAULT_TERMS, minTermFrequency = 1, minDocumentFrequency } = like;
  const { maxDocumentFrequency = MAX_FREQUENCY } = like;
  checkWhole('like.maxTerms', maxTerms, 1, MAX_TERMS);
  checkWhole('like.minTermFrequency', minTermFrequency, 1, MAX_FREQUENCY);
  if (minDocumentFrequency !== undefined)
    checkWhole('like.minDocumentFrequency', minDocumentFrequency, 1, MAX_FREQUENCY);
  checkWhole('like.maxDocumentFrequency', maxDocumentFrequency, 1, MAX_FREQUENCY);
  return { maxTerms, minTermFrequency, minDocumentFrequency, maxDocumentFrequency };
}

/** A word as it is first written, and how often its term is there. */
interface CountedWord {
  readonly text: string;
  frequency: number;
}

export type CountedWords = Map<string, CountedWord>;

/** UTF-16 units of text that are read of a document, as many as a query may have. */
const MAX_UNITS: number = MAX_QUERY_LENGTH;
/** Cost of weighing a word, in postings. */
const WORD_UNITS = 64;
/** Of the words of a document one that no other has finds nothing. */
const LEAST_OF_DOCUMENT = 2;

/** The query for what is like a text. Yields where it may pause. */
export function* toTextLikeness(
  text: string,
  indices: readonly VisibleIndex[],
  bounds: WordBounds,
  budget: WorkBudget,
): Generator<void, Query> {
  const words: CountedWords = new Map();
  countWords(text, indices[0]?.mapping.analyzers[0] ?? getAnalyzer('en'), words);
  return { type: 'boolean', clauses: yield* chooseWords(words, indices, bounds, 1, budget) };
}

/** A document as its viewer sees it, and the index that it is in. */
export interface LikedDocument {
  readonly id: string;
  readonly document: JsonObject;
  readonly home: VisibleIndex;
}

/** The query for what is like a document, which is not found itself. Yields where it may pause. */
export function* toDocumentLikeness(
  { id, document, home }: LikedDocument,
  indices: readonly VisibleIndex[],
  bounds: WordBounds,
  budget: WorkBudget,
): Generator<void, Query> {
  const words: CountedWords = new Map();
  yield* countDocumentWords(document, home, words);
  const clauses = yield* chooseWords(words, indices, bounds, LEAST_OF_DOCUMENT, budget);
  if (clauses.length > 0) clauses.push({ occur: 'mustNot', query: { type: 'document', id } });
  return { type: 'boolean', clauses };
}

/** Counts the words of a document in the fields that are looked at. Yields where it may pause. */
export function* countDocumentWords(
  document: JsonObject,
  { mapping, selection }: VisibleIndex,
  words: CountedWords,
): Generator<void, void> {
  let units = MAX_UNITS;
  for (const { text, path } of textsOf(document, mapping)) {
    if (units <= 0) break;
    if (selection.weigh(path) === 0) continue;
    countWords(text.slice(0, units), mapping.field(path).analyzer, words);
    units -= text.length;
    yield;
  }
}

function countWords(text: string, analyzer: Analyzer, words: CountedWords): void {
  analyzer.analyze(text, (term, _position, start, end, kind) => {
    if (takesPosition(kind)) recall(words, term, () => ({ text: text.slice(start, end), frequency: 0 })).frequency++;
  });
}

/** The best words as clauses, the best first. */
function* chooseWords(
  words: CountedWords,
  indices: readonly VisibleIndex[],
  bounds: WordBounds,
  least: number,
  budget: WorkBudget,
): Generator<void, Clause[]> {
  const best = yield* weighWords(
    words,
    indices,
    { ...bounds, minDocumentFrequency: bounds.minDocumentFrequency ?? least },
    budget,
  );
  return best.map(({ text }) => ({ occur: 'should', query: { type: 'term', text } }));
}

/** A word that is weighed; `text` is as it is first written. */
export interface WeighedWord {
  readonly term: string;
  readonly text: string;
  readonly weight: number;
}

/** The words whose frequency in the text times inverse document frequency is largest, largest first. */
export function* weighWords(
  words: CountedWords,
  indices: readonly VisibleIndex[],
  {
    maxTerms,
    minTermFrequency = 1,
    minDocumentFrequency = 1,
    maxDocumentFrequency = MAX_FREQUENCY,
  }: Partial<WordBounds>,
  budget: WorkBudget,
): Generator<void, WeighedWord[]> {
  const documentCount = indices.reduce((sum, { views }) => sum + countDocuments(views), 0);
  const weighed: WeighedWord[] = [];
  for (const [term, { text, frequency }] of words) {
    if (frequency < minTermFrequency) continue;
    const documents = yield* countDocumentsWith(term, indices, budget);
    if (documents < minDocumentFrequency || documents > maxDocumentFrequency) continue;
    weighed.push({ term, text, weight: frequency * inverseDocumentFrequency(documentCount, documents) });
  }
  weighed.sort((a, b) => b.weight - a.weight || compareByCodePoint(a.term, b.term));
  return weighed.slice(0, maxTerms);
}

/** In how many documents a term is visible. @throws `ERR_SEARCH_BUDGET` (exhausted) */
function* countDocumentsWith(
  term: string,
  indices: readonly VisibleIndex[],
  budget: WorkBudget,
): Generator<void, number> {
  let count = 0;
  for (const { views, selection } of indices) {
    for (const view of views) {
      const seen = countVisible(view, 'text', term, selection);
      count += seen;
      budget.spendPostings(seen);
      budget.tick();
      if (budget.isStepDone(WORD_UNITS + seen)) yield;
    }
  }
  return count;
}

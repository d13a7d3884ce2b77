import { compileFieldNames, type FieldSelection } from '../mapping/field-selection.ts';
import { toKeywordTerm } from '../mapping/value.ts';
import { recall } from '../memory/recall.ts';
import type { Query } from '../query/query.ts';
import { countVisible } from '../scoring/statistics.ts';
import { VALUE_SPACES } from '../segment/segment.ts';
import { compareByCodePoint } from '../segment/term-dictionary.ts';
import { analyzeForFields } from './analyzed-text.ts';
import { expandFuzzy } from './fuzzy.ts';
import { toDistance } from './tiers.ts';
import type { VisibleIndex } from './visible-index.ts';
import type { WorkBudget } from './work-budget.ts';

/** Where a word of a query looks in one index. */
export interface SoughtPlace {
  readonly index: VisibleIndex;
  readonly selection: FieldSelection;
}

/** A term that may have been meant. */
export interface MeantTerm {
  readonly term: string;
  readonly distance: number;
  /** Visible documents that have it where the query looks. */
  readonly documents: number;
}

/** A term of a query that no visible document has, or hardly any, and what may have been meant, the likeliest first. */
export interface Misspelling {
  readonly term: string;
  readonly places: readonly SoughtPlace[];
  readonly meant: readonly MeantTerm[];
}

/** Distinct terms of a query that are looked at: the first. */
const MAX_TERMS = 16;
/** Terms that may have been meant, for each. */
const MAX_MEANT = 3;
/** A term that is there is misspelt when another has so many times its documents. */
const FAR_RARER = 20;

/**
 * The terms of a query that are likely misspelt, with visible terms near them: nearer ones first, then those of more
 * documents. Excluded clauses and patterns are not looked at. Yields.
 */
export function* findMisspellings(
  query: Query,
  indices: readonly VisibleIndex[],
  budget: WorkBudget,
): Generator<void, Misspelling[]> {
  const sought = new Map<string, SoughtPlace[]>();
  for (const clause of textClausesOf(query)) {
    if (isValueOf(clause, indices)) continue;
    for (const { term, place } of termsOf(clause, indices)) recall(sought, term, () => []).push(place);
    yield;
  }
  const misspellings: Misspelling[] = [];
  for (const [term, places] of [...sought].slice(0, MAX_TERMS)) {
    const meant = yield* findMeant(term, places, budget);
    if (meant.length > 0) misspellings.push({ term, places, meant });
  }
  return misspellings;
}

type TextClause = Extract<Query, { type: 'term' | 'phrase' }>;

function* textClausesOf(query: Query): Generator<TextClause> {
  if (query.type === 'term' || query.type === 'phrase') yield query;
  else if (query.type === 'boost') yield* textClausesOf(query.query);
  else if (query.type === 'boolean') {
    for (const { occur, query: clause } of query.clauses) if (occur !== 'mustNot') yield* textClausesOf(clause);
  }
}

function selectFor({ field }: TextClause, { selection }: VisibleIndex): FieldSelection {
  return field === undefined ? selection : compileFieldNames([field]);
}

/** Returns true if a visible document has the text of a clause as a whole value. */
function isValueOf(clause: TextClause, indices: readonly VisibleIndex[]): boolean {
  const term = toKeywordTerm(clause.text);
  return indices.some((index) => {
    const selection = selectFor(clause, index);
    return index.views.some((view) => VALUE_SPACES.some((space) => countVisible(view, space, term, selection) > 0));
  });
}

function* termsOf(
  clause: TextClause,
  indices: readonly VisibleIndex[],
): Generator<{ readonly term: string; readonly place: SoughtPlace }> {
  for (const index of indices) {
    const selection = selectFor(clause, index);
    for (const { words, restricted } of analyzeForFields(clause.text, selection, index.mapping)) {
      for (const { terms } of words) yield { term: terms[0], place: { index, selection: restricted } };
    }
  }
}

function* findMeant(
  term: string,
  places: readonly SoughtPlace[],
  budget: WorkBudget,
): Generator<void, readonly MeantTerm[]> {
  const most = toDistance('auto', term);
  if (most === 0) return [];
  const distances = new Map<string, number>();
  for (const { index, selection } of places) {
    const word = { space: 'text', selection, word: term, most, keepsFirst: false } as const;
    for (const near of yield* expandFuzzy(index.views, word, budget)) distances.set(near.term, near.distance);
  }
  distances.delete(term);
  const least = Math.max(1, countIn(places, term, budget) * FAR_RARER);
  const meant: MeantTerm[] = [];
  for (const [near, distance] of distances) {
    const documents = countIn(places, near, budget);
    if (documents >= least) meant.push({ term: near, distance, documents });
    yield;
  }
  return meant.sort(byLikelihood).slice(0, MAX_MEANT);
}

function byLikelihood(a: MeantTerm, b: MeantTerm): number {
  return a.distance - b.distance || b.documents - a.documents || compareByCodePoint(a.term, b.term);
}

/** In how many visible documents a term stands; a word that looks at one place twice counts it once. */
function countIn(places: readonly SoughtPlace[], term: string, budget: WorkBudget): number {
  const counted = new Set<string>();
  let count = 0;
  for (const { index, selection } of places) {
    const key = `${index.mapping.name}\0${selection.key}`;
    if (counted.has(key)) continue;
    counted.add(key);
    for (const view of index.views) count += countVisible(view, 'text', term, selection);
    budget.tick();
  }
  return count;
}

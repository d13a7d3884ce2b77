import type { JsonObject } from '@cairn/security';
import type { MatchVisitor } from '../execution/match-visitor.ts';
import type { Match } from '../execution/top-documents.ts';
import { fromKeywordTerm } from '../mapping/value.ts';
import { recall } from '../memory/recall.ts';
import { seekNumber } from '../memory/seek.ts';
import { exhausted } from '../plan/work-budget.ts';
import { checkObject, checkText, checkWhole, refuseArgument, refuseFacet } from '../port/arguments.ts';
import type { AskedFacet, FacetCounts, FacetValue } from '../port/search-index.ts';
import type { Scorer } from '../postings/cursor.ts';
import { type NumericColumn, VALUE_SPACES } from '../segment/segment.ts';
import type { SegmentView } from '../segment/segment-view.ts';
import { compareByCodePoint } from '../segment/term-dictionary.ts';
import { visitTerms } from './exact-values.ts';
import { compileInterval, compileRanges, nameOfRange, type ToBuckets } from './facet-buckets.ts';
import { hasLongText, toFacetPath, visitValues } from './facets.ts';

/** A document's values are presented only when some of them are in no column. */
type Present = (match: Match) => JsonObject | undefined;

/** Counts one field over the matches of a search: how many documents have each of its values. */
export interface FacetCounter extends MatchVisitor {
  finish(): FacetCounts;
}

const MAX_FACETS = 16;
const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 1000;
/** Buckets of one histogram; more say nothing to anybody. */
const MAX_BUCKETS = 10_000;
const MAX_RANGES = 100;

/** Makes the counter of each facet. `present` gives a document as its viewer sees it. @throws `ERR_REQUEST` or `ERR_FACET` (invalid) */
export function compileFacets(asked: readonly AskedFacet[] | undefined): (present: Present) => FacetCounter[] {
  if (asked === undefined) return () => [];
  if (!Array.isArray(asked)) refuseArgument('facets', 'a list', asked);
  if (asked.length > MAX_FACETS) refuseFacet('facets', `at most ${MAX_FACETS}`, asked.length);
  const made = asked.map(compileFacet);
  return (present) => made.map((make) => make(present));
}

function compileFacet(asked: AskedFacet): (present: Present) => FacetCounter {
  checkObject('each of facets', asked);
  const { field, interval, ranges, limit = DEFAULT_LIMIT, order = 'count', prefix = '' } = asked;
  checkText('the field of a facet', field);
  const path = toFacetPath(field);
  if (ranges !== undefined) {
    if (!Array.isArray(ranges)) refuseArgument('ranges', 'a list', ranges);
    if (ranges.length > MAX_RANGES) refuseFacet('ranges', `at most ${MAX_RANGES}`, ranges.length);
    for (const range of ranges) checkObject('each of ranges', range);
    const [toBuckets, names] = [compileRanges(ranges), ranges.map(nameOfRange)];
    return () => new NumberCounter(field, path, toBuckets, names);
  }
  if (interval !== undefined) {
    const toBuckets = compileInterval(interval);
    return () => new NumberCounter(field, path, toBuckets);
  }
  checkWhole('the limit of a facet', limit, 1, MAX_LIMIT);
  if (order !== 'count' && order !== 'value') refuseArgument('the order of a facet', 'count or value', order);
  checkText('the prefix of a facet', prefix);
  return (present) => new ValueCounter({ field, path, limit, order, prefix }, present);
}

/** Documents of a term, and the last of them. */
interface TermCount {
  count: number;
  last: number;
}

/** Counts a term of a document. A value that a document repeats counts once. */
function countTerm(byTerm: Map<number, TermCount>, term: number, document: number): void {
  const known = recall(byTerm, term, () => ({ count: 0, last: -1 }));
  if (known.last === document) return;
  known.last = document;
  known.count++;
}

interface ValueFacet {
  readonly field: string;
  readonly path: string;
  readonly limit: number;
  readonly order: 'count' | 'value';
  readonly prefix: string;
}

/** Counts exact values. Numbers and dates count as they are written. */
class ValueCounter implements FacetCounter {
  readonly #facet: ValueFacet;
  readonly #present: Present;
  readonly #counts = new Map<string, number>();
  #view: SegmentView | undefined;
  #field = -1;
  /** Documents of the open segment by term, for each space of values. */
  #byTerm: readonly Map<number, TermCount>[] = [];

  constructor(facet: ValueFacet, present: Present) {
    this.#facet = facet;
    this.#present = present;
  }

  open(view: SegmentView): void {
    this.#close();
    this.#view = view;
    this.#field = view.segment.fields.indexOf(this.#facet.path);
    this.#byTerm = VALUE_SPACES.map(() => new Map());
  }

  visit({ document }: Scorer): boolean {
    if (this.#field >= 0) this.#count(document);
    return true;
  }

  #count(document: number): void {
    const view = this.#view as SegmentView;
    if (hasLongText(view, this.#field, document)) {
      this.#countPresented(view, document);
      return;
    }
    visitTerms(view, this.#field, document, (space, term) => countTerm(this.#byTerm[space], term, document));
  }

  #countPresented(view: SegmentView, document: number): void {
    const values = new Set<string>();
    const presented = this.#present({ view, document, score: 0 });
    if (presented !== undefined) visitValues(presented, this.#facet.path, (value) => values.add(value));
    for (const value of values) this.#add(value, 1);
  }

  #add(value: string, count: number): void {
    if (value.startsWith(this.#facet.prefix)) this.#counts.set(value, (this.#counts.get(value) ?? 0) + count);
  }

  #close(): void {
    for (const [i, byTerm] of this.#byTerm.entries()) {
      const terms = this.#view?.segment.spaces[VALUE_SPACES[i]].terms;
      for (const [term, { count }] of byTerm) this.#add(fromKeywordTerm(terms?.term(term) ?? ''), count);
    }
  }

  finish(): FacetCounts {
    this.#close();
    const { field, limit, order } = this.#facet;
    const values = Array.from(this.#counts, ([value, count]) => ({ value, count }));
    const byValue = (a: FacetValue & { value: string }, b: FacetValue & { value: string }): number => {
      return compareByCodePoint(a.value, b.value);
    };
    values.sort(order === 'value' ? byValue : (a, b) => b.count - a.count || byValue(a, b));
    return { field, maybeMore: values.length > limit, values: values.slice(0, limit) };
  }
}

/** Counts numbers and instants by buckets. */
class NumberCounter implements FacetCounter {
  readonly #field: string;
  readonly #path: string;
  readonly #toBuckets: ToBuckets;
  /** All buckets in order, where they are known before; else those that have documents, ascending. */
  readonly #names: readonly string[] | undefined;
  readonly #counts = new Map<string | number, number>();
  #view: SegmentView | undefined;
  #column: NumericColumn | undefined;
  #at = 0;
  readonly #seen = new Set<string | number>();

  constructor(field: string, path: string, toBuckets: ToBuckets, names?: readonly string[]) {
    this.#field = field;
    this.#path = path;
    this.#toBuckets = toBuckets;
    this.#names = names;
  }

  open(view: SegmentView): void {
    this.#view = view;
    this.#column = view.segment.numbers.find(({ path }) => path === this.#path);
    this.#at = 0;
  }

  /** @throws `ERR_SEARCH_BUDGET` (exhausted) for too many buckets */
  visit({ document }: Scorer): boolean {
    if (this.#column !== undefined) this.#count(document, this.#column);
    return true;
  }

  #count(document: number, { document: documents, labelSet, value, isDate }: NumericColumn): void {
    this.#at = seekNumber(documents, document, this.#at);
    this.#seen.clear();
    for (let i = this.#at; i < documents.length && documents[i] === document; i++) {
      if (this.#view?.permitted[labelSet[i]] === 0) continue;
      for (const bucket of this.#toBuckets(value[i], isDate[i] === 1)) this.#seen.add(bucket);
    }
    for (const bucket of this.#seen) this.#counts.set(bucket, recall(this.#counts, bucket, () => 0) + 1);
    if (this.#counts.size > MAX_BUCKETS) throw exhausted('buckets', MAX_BUCKETS);
  }

  finish(): FacetCounts {
    const names = this.#names ?? [...this.#counts.keys()].sort(compareBuckets);
    const values = names.map((value) => ({ value, count: this.#counts.get(value) ?? 0 }));
    return { field: this.#field, maybeMore: false, values };
  }
}

/** Numbers before instants, each ascending. An instant before the year 0 or after 9999 begins with its sign. */
function compareBuckets(a: string | number, b: string | number): number {
  if (typeof a === 'number' || typeof b === 'number')
    return typeof a === typeof b ? (a as number) - (b as number) : typeof a === 'number' ? -1 : 1;
  return Date.parse(a) - Date.parse(b);
}

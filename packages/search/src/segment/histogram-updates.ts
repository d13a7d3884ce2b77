import { type Analyzer, getAnalyzer, MAX_SHORT_TEXT } from '../analysis/analyzer.ts';
import { hashUnits, SurfaceTable, UNKNOWN } from '../analysis/surface-table.ts';
import type { LabelledDocument } from '../document/labelled-document.ts';
import type { FieldMapping, IndexMapping } from '../mapping/index-mapping.ts';
import type { IndexedValue } from '../mapping/value.ts';
import { type Segment, SPACE_NAMES, type Space, type SpaceName, type TermHistograms } from './segment.ts';
import type { SegmentState } from './segment-state.ts';

/** Ranks among the histograms of a space by term, for segments that lost a document. */
const ranks = new WeakMap<Space, SurfaceTable>();
/** Terms and sets of labels that are numbered between two chances to pause. */
const TERMS_PER_STEP = 2048;
const setNumbers = new WeakMap<Segment, Map<string, number>>();

/** Those of a space that is not here are not looked at. */
type LabelsBySpace = Partial<Record<SpaceName, LabelsOfRanks>>;

/** Counts of histograms that a document is part of: places in `count`, by space. */
export type HistogramPlaces = Partial<Record<SpaceName, readonly number[]>>;

/**
 * Finds out where the histograms of a segment count one of its documents. Cost: O(terms of the document), and once for
 * each segment O(terms that have a histogram). Yields where it may pause.
 */
export function* findInHistograms(
  segment: Segment,
  document: LabelledDocument,
  mapping: IndexMapping,
): Generator<void, HistogramPlaces> {
  const { spaces } = segment;
  const found: LabelsBySpace = {};
  for (const name of SPACE_NAMES) {
    const space = spaces[name];
    if (space.histograms.term.length === 0) continue;
    found[name] = new LabelsOfRanks(ranks.get(space) ?? (yield* rankTerms(space)));
  }
  yield* visitTerms(document, mapping, found);
  const sets = new Map<readonly string[], number | undefined>();
  const numbers = setNumbers.get(segment) ?? (yield* numberSets(segment));
  const setOf = (labels: readonly string[]): number | undefined => {
    if (!sets.has(labels)) sets.set(labels, numbers.get(keyOf(labels)));
    return sets.get(labels);
  };
  const places: HistogramPlaces = {};
  for (const name of SPACE_NAMES) {
    const own: number[] = [];
    for (const [rank, labels] of found[name]?.labels ?? []) {
      own.push(findPlace(spaces[name].histograms, rank, setOf(labels)));
    }
    if (own.length > 0) places[name] = own;
  }
  return places;
}

/** Takes a document out of the histograms of the segment it is deleted from. */
export function subtractFromHistograms({ segment, totals }: SegmentState, places: HistogramPlaces): void {
  for (const name of SPACE_NAMES) {
    const own = places[name];
    if (own === undefined) continue;
    const { count } = segment.spaces[name].histograms;
    if (totals.histograms[name] === count) totals.histograms[name] = count.slice();
    const counts = totals.histograms[name];
    // A place that was not found is -1, where there is nothing to count.
    for (const place of own) if (place >= 0) counts[place]--;
  }
}

/** The terms of one document that have a histogram, each with the labels under which it is seen. */
class LabelsOfRanks {
  readonly #rankOf: SurfaceTable;
  readonly labels: Map<number, readonly string[]> = new Map();

  constructor(rankOf: SurfaceTable) {
    this.#rankOf = rankOf;
  }

  add(term: string, labels: readonly string[]): void {
    const rank = this.#rankOf.find(term, 0, term.length, hashUnits(term));
    if (rank === UNKNOWN) return;
    const known = this.labels.get(rank);
    if (known === undefined) this.labels.set(rank, labels);
    else if (known !== labels && !labels.every((label) => known.includes(label))) {
      this.labels.set(rank, [...new Set([...known, ...labels])]);
    }
  }
}

/** Where a histogram counts a set of labels, or -1; its sets are ascending. */
function findPlace({ offset, labelSet }: TermHistograms, rank: number, set: number | undefined): number {
  if (set === undefined) return -1;
  let low = offset[rank];
  let high = offset[rank + 1];
  const end = high;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (labelSet[middle] < set) low = middle + 1;
    else high = middle;
  }
  return low < end && labelSet[low] === set ? low : -1;
}

function* rankTerms(space: Space): Generator<void, SurfaceTable> {
  const table = new SurfaceTable();
  const ordinals = space.histograms.term;
  for (let rank = 0; rank < ordinals.length; rank++) {
    const term = space.terms.term(ordinals[rank]);
    table.add(term, 0, term.length, hashUnits(term), rank);
    if (rank % TERMS_PER_STEP === TERMS_PER_STEP - 1) yield;
  }
  ranks.set(space, table);
  return table;
}

function* numberSets(segment: Segment): Generator<void, Map<string, number>> {
  const { labels, sets } = segment.labelSets;
  const numbers = new Map<string, number>();
  for (let number = 0; number < sets.length; number++) {
    numbers.set(keyOf(Array.from(sets[number], (label) => labels[label])), number);
    if (number % TERMS_PER_STEP === TERMS_PER_STEP - 1) yield;
  }
  setNumbers.set(segment, numbers);
  return numbers;
}

function keyOf(labels: readonly string[]): string {
  return JSON.stringify(labels.length > 1 ? [...labels].sort() : labels);
}

/** Tells of every occurrence of every term that a segment holds of a document. Yields where it may pause. */
function* visitTerms(
  { groups }: LabelledDocument,
  mapping: IndexMapping,
  spaces: LabelsBySpace,
): Generator<void, void> {
  for (const { path, labels, values } of groups) {
    const field = mapping.field(path);
    for (const value of values) yield* visitValue(value, field, labels, spaces);
  }
}

function* visitValue(
  { text, keyword, isMirror, analyzer }: IndexedValue,
  field: FieldMapping,
  labels: readonly string[],
  { text: words, typeahead, keyword: exact, mirror }: LabelsBySpace,
): Generator<void, void> {
  if (keyword !== undefined) (isMirror === true ? mirror : exact)?.add(keyword, labels);
  if (text === undefined) return;
  yield* visitText(text, analyzer ?? field.analyzer, words, labels);
  if (field.isTypeahead) yield* visitText(text, getAnalyzer('simple'), typeahead, labels);
}

function* visitText(
  text: string,
  analyzer: Analyzer,
  found: LabelsOfRanks | undefined,
  labels: readonly string[],
): Generator<void, void> {
  if (found === undefined) return;
  const visit = (term: string): void => found.add(term, labels);
  if (text.length > MAX_SHORT_TEXT) yield* analyzer.analyzeInSteps(text, visit);
  else analyzer.analyze(text, visit);
}

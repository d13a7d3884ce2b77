import type { JsonObject, JsonValue } from '@cairn/security';
import type { Match } from '../execution/top-documents.ts';
import { fromKeywordTerm } from '../mapping/value.ts';
import { recallOf } from '../memory/recall.ts';
import type { FacetResult } from '../port/search-index.ts';
import { type Segment, type Slots, type Space, VALUE_SPACES } from '../segment/segment.ts';
import type { SegmentView } from '../segment/segment-view.ts';
import { compareByCodePoint } from '../segment/term-dictionary.ts';
import { pathTowards } from './sort-order.ts';

/** A document has no value of the field. */
const NO_VALUE = -1;
/** A document's values must be looked for. */
const SEVERAL_VALUES = -2;

/**
 * Where the value of one field stands for each document: twice the slot plus the number of its space among `VALUE_SPACES`, or one of the two
 * constants above.
 */
type FacetColumn = Int32Array;

/** Fields of which a segment remembers the column: four bytes for each document. */
const MAX_REMEMBERED = 8;

const columns = new WeakMap<Segment, Map<number, FacetColumn>>();

/** The column of a field, or what is remembered of it. Cost of the first: O(slots of the segment). */
function openFacetColumn(segment: Segment, field: number): FacetColumn {
  return recallOf(columns, segment, field, () => buildColumn(segment, field), MAX_REMEMBERED);
}

function buildColumn(segment: Segment, field: number): FacetColumn {
  const column = new Int32Array(segment.documentCount).fill(NO_VALUE);
  VALUE_SPACES.forEach((name, bit) => {
    const { slots, values } = segment.spaces[name];
    forEachSlot(slots, field, (document, slot) => {
      const isSingle = column[document] === NO_VALUE && values.offset[slot + 1] - values.offset[slot] === 1;
      column[document] = isSingle ? slot * 2 + bit : SEVERAL_VALUES;
    });
  });
  const { slots } = segment.spaces.text;
  forEachSlot(slots, field, (document, slot) => {
    if (slots.isPartial[slot] === 1) column[document] = SEVERAL_VALUES;
  });
  return column;
}

function forEachSlot(
  { field, document }: Slots,
  wanted: number,
  visit: (document: number, slot: number) => void,
): void {
  for (let slot = 0; slot < field.length; slot++) if (field[slot] === wanted) visit(document[slot], slot);
}

/** A facet's path as configuration and documents write it: `metadata/format` is the field `metadata.format`. */
export function toFacetPath(facet: string): string {
  return facet
    .split('/')
    .filter((step) => step !== '')
    .join('.');
}

/** Counts visible values of a field over matches. `present` gives a match's document as its viewer sees it. Yields. */
export function* countFacet(
  matches: readonly Match[],
  path: string,
  present: (match: Match) => JsonObject | undefined,
): Generator<void, FacetResult[]> {
  const counts = new Map<string, number>();
  const columns = new Map<SegmentView, ColumnCounter | undefined>();
  for (let at = countInColumns(matches, 0, path, columns); at < matches.length; ) {
    const document = present(matches[at]);
    if (document !== undefined) visit(document, '', path, (value) => counts.set(value, (counts.get(value) ?? 0) + 1));
    yield;
    at = countInColumns(matches, at + 1, path, columns);
  }
  for (const counter of columns.values()) counter?.addTo(counts);
  return toResults(counts);
}

/** Counts matches up to one whose values are in no column, and returns its place, or their number. */
function countInColumns(
  matches: readonly Match[],
  first: number,
  path: string,
  columns: Map<SegmentView, ColumnCounter | undefined>,
): number {
  let view: SegmentView | undefined;
  let counter: ColumnCounter | undefined;
  for (let at = first; at < matches.length; at++) {
    const match = matches[at];
    if (match.view !== view) {
      view = match.view;
      if (!columns.has(view)) {
        const field = view.segment.fields.indexOf(path);
        columns.set(view, field < 0 ? undefined : new ColumnCounter(view, field));
      }
      counter = columns.get(view);
    }
    if (counter?.count(match.document) === false) return at;
  }
  return matches.length;
}

class ColumnCounter {
  readonly #view: SegmentView;
  readonly #field: number;
  readonly #column: FacetColumn;
  readonly #counts: readonly { readonly space: Space; readonly byTerm: Map<number, number> }[];

  constructor(view: SegmentView, field: number) {
    this.#view = view;
    this.#field = field;
    this.#column = openFacetColumn(view.segment, field);
    this.#counts = VALUE_SPACES.map((name) => ({ space: view.segment.spaces[name], byTerm: new Map() }));
  }

  /** Counts the values of a document; false when it has text in no column. */
  count(document: number): boolean {
    const place = this.#column[document];
    if (place === NO_VALUE) return true;
    if (place === SEVERAL_VALUES) return this.#countSeveral(document);
    const { space, byTerm } = this.#counts[place & 1];
    const slot = place >>> 1;
    if (this.#view.permitted[space.slots.labelSet[slot]] === 0) return true;
    const term = space.values.term[space.values.offset[slot]];
    byTerm.set(term, (byTerm.get(term) ?? 0) + 1);
    return true;
  }

  #countSeveral(document: number): boolean {
    if (hasLongText(this.#view, this.#field, document)) return false;
    for (const { space, byTerm } of this.#counts) {
      const { slots, values } = space;
      for (let slot = slots.ofDocument[document]; slot < slots.ofDocument[document + 1]; slot++) {
        if (!this.#isCounted(slots, slot)) continue;
        for (let i = values.offset[slot]; i < values.offset[slot + 1]; i++) {
          const term = values.term[i];
          byTerm.set(term, (byTerm.get(term) ?? 0) + 1);
        }
      }
    }
    return true;
  }

  addTo(counts: Map<string, number>): void {
    for (const { space, byTerm } of this.#counts) {
      for (const [term, count] of byTerm) {
        const value = fromKeywordTerm(space.terms.term(term));
        counts.set(value, (counts.get(value) ?? 0) + count);
      }
    }
  }

  #isCounted({ field, labelSet }: Slots, slot: number): boolean {
    return field[slot] === this.#field && this.#view.permitted[labelSet[slot]] === 1;
  }
}

/** True for a document with a visible text in a field that is too long to be among the exact values. */
export function hasLongText({ segment, permitted }: SegmentView, field: number, document: number): boolean {
  const { ofDocument, isPartial, field: fields, labelSet } = segment.spaces.text.slots;
  for (let slot = ofDocument[document]; slot < ofDocument[document + 1]; slot++) {
    if (isPartial[slot] === 1 && fields[slot] === field && permitted[labelSet[slot]] === 1) return true;
  }
  return false;
}

/** Visits each value of a document at a path. */
export function visitValues(document: JsonObject, path: string, visitOne: (value: string) => void): void {
  visit(document, '', path, visitOne);
}

function visit(value: JsonValue, at: string, path: string, add: (value: string) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) visit(item, at, path, add);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, nested] of Object.entries(value)) {
      const below = pathTowards(path, at, key);
      if (below !== undefined) visit(nested as JsonValue, below, path, add);
    }
  } else if (at === path && value !== null) {
    add(String(value));
  }
}

function toResults(counts: ReadonlyMap<string, number>): FacetResult[] {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return [...counts]
    .map(([value, count]) => ({ value, count, percentage: count / total }))
    .sort((a, b) => b.count - a.count || compareByCodePoint(a.value, b.value));
}

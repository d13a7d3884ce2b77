import type { JsonObject, JsonValue } from '@cairn/security';
import { fromKeywordTerm, isTextTerm, MAX_MIRROR_LENGTH } from '../mapping/value.ts';
import { seekNumber } from '../memory/seek.ts';
import { type NumericColumn, type Space, VALUE_SPACES } from '../segment/segment.ts';
import type { SegmentView } from '../segment/segment-view.ts';
import { compareByCodePoint } from '../segment/term-dictionary.ts';
import { hasLongText } from './facets.ts';
import { pathTowards } from './sort-order.ts';

/** A value that results are ordered by: a number, an instant in milliseconds since the epoch, a text; `null` for none. */
export type SortValue = number | string | null;

/** Numbers and instants are below any text; texts are ordered by code point. */
export function compareSortValues(a: number | string, b: number | string): number {
  if (typeof a === 'number') return typeof b === 'number' ? a - b : -1;
  return typeof b === 'number' ? 1 : compareByCodePoint(a, b);
}

/**
 * The values of one field in one segment that decide its order: of the visible ones of a document the least, or the
 * greatest. Documents are asked for in ascending order. Cost of each: O(slots of the document).
 */
export class SortColumn {
  readonly #view: SegmentView;
  readonly #path: string;
  readonly #isLeast: boolean;
  /** The number of the field; -1 when the segment has none of it. */
  readonly #field: number;
  readonly #numbers: NumericColumn | undefined;
  #at = 0;

  constructor(view: SegmentView, path: string, isLeast: boolean) {
    this.#view = view;
    this.#path = path;
    this.#isLeast = isLeast;
    this.#field = view.segment.fields.indexOf(path);
    this.#numbers = view.segment.numbers.find((column) => column.path === path);
  }

  /** @param present gives the document as its viewer sees it; asked for a text too long to be among the exact values. */
  valueOf(document: number, present: () => JsonObject | undefined): SortValue {
    if (this.#field < 0) return null;
    const number = this.#numberOf(document);
    if (this.#isLeast && number !== null) return number;
    return this.#textOf(document, present) ?? number;
  }

  #numberOf(document: number): number | null {
    if (this.#numbers === undefined) return null;
    const { document: documents, labelSet, value } = this.#numbers;
    this.#at = seekNumber(documents, document, this.#at);
    let found: number | null = null;
    for (let i = this.#at; i < documents.length && documents[i] === document; i++) {
      if (this.#view.permitted[labelSet[i]] === 0) continue;
      if (found === null || this.#isLeast === value[i] < found) found = value[i];
    }
    return found;
  }

  #textOf(document: number, present: () => JsonObject | undefined): string | null {
    let found = hasLongText(this.#view, this.#field, document) ? this.#longTextOf(present()) : null;
    for (const name of VALUE_SPACES) {
      const space = this.#view.segment.spaces[name];
      const { slots, values } = space;
      for (let slot = slots.ofDocument[document]; slot < slots.ofDocument[document + 1]; slot++) {
        if (!this.#isOwn(space, slot)) continue;
        for (let i = values.offset[slot]; i < values.offset[slot + 1]; i++) {
          const term = space.terms.term(values.term[i]);
          if (isTextTerm(term)) found = this.#further(found, fromKeywordTerm(term));
        }
      }
    }
    return found;
  }

  /** Of the texts of a document those alone that are in no column. */
  #longTextOf(document: JsonObject | undefined): string | null {
    let found: string | null = null;
    for (const text of textsAt(document ?? {}, '', this.#path)) {
      if (text.length > MAX_MIRROR_LENGTH) found = this.#further(found, text);
    }
    return found;
  }

  #further(found: string | null, text: string): string {
    if (found === null) return text;
    return compareByCodePoint(text, found) < 0 === this.#isLeast ? text : found;
  }

  #isOwn({ slots }: Space, slot: number): boolean {
    return slots.field[slot] === this.#field && this.#view.permitted[slots.labelSet[slot]] === 1;
  }
}

function* textsAt(value: JsonValue, at: string, path: string): Generator<string> {
  if (typeof value === 'string') {
    if (at === path) yield value;
  } else if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) yield* textsAt(item, at, path);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, nested] of Object.entries(value)) {
      const below = pathTowards(path, at, key);
      if (below !== undefined) yield* textsAt(nested as JsonValue, below, path);
    }
  }
}

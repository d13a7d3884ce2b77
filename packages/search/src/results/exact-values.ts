import type { JsonObject } from '@cairn/security';
import { fromKeywordTerm } from '../mapping/value.ts';
import { recall } from '../memory/recall.ts';
import { VALUE_SPACES } from '../segment/segment.ts';
import type { SegmentView } from '../segment/segment-view.ts';
import { compareByCodePoint } from '../segment/term-dictionary.ts';
import { hasLongText, visitValues } from './facets.ts';

/** Visits the terms of the exact values of a field that are visible in a document, by the number of their space. */
export function visitTerms(
  view: SegmentView,
  field: number,
  document: number,
  visit: (space: number, term: number) => void,
): void {
  for (const [i, name] of VALUE_SPACES.entries()) {
    const { slots, values } = view.segment.spaces[name];
    for (let slot = slots.ofDocument[document]; slot < slots.ofDocument[document + 1]; slot++) {
      if (slots.field[slot] !== field || view.permitted[slots.labelSet[slot]] === 0) continue;
      for (let at = values.offset[slot]; at < values.offset[slot + 1]; at++) visit(i, values.term[at]);
    }
  }
}

/** The least visible value of one field in each document of a segment; numbers and dates as they are written. */
export class LeastValues {
  readonly #view: SegmentView;
  readonly #path: string;
  readonly #field: number;
  readonly #texts: readonly Map<number, string>[] = VALUE_SPACES.map(() => new Map());

  constructor(view: SegmentView, path: string) {
    this.#view = view;
    this.#path = path;
    this.#field = view.segment.fields.indexOf(path);
  }

  /**
   * `undefined` for a document without a value.
   * @param present gives the document as its viewer sees it; asked for where a text is too long to be an exact value
   */
  valueOf(document: number, present: () => JsonObject | undefined): string | undefined {
    if (this.#field < 0) return undefined;
    let least: string | undefined;
    const take = (value: string): void => {
      if (least === undefined || compareByCodePoint(value, least) < 0) least = value;
    };
    if (hasLongText(this.#view, this.#field, document)) visitValues(present() ?? {}, this.#path, take);
    else visitTerms(this.#view, this.#field, document, (space, term) => take(this.#textOf(space, term)));
    return least;
  }

  #textOf(space: number, term: number): string {
    return recall(this.#texts[space], term, () => {
      return fromKeywordTerm(this.#view.segment.spaces[VALUE_SPACES[space]].terms.term(term));
    });
  }
}

import { type Span, toFragmentSpan } from './fragment-span.ts';
import type { MatchedForm } from './match-finder.ts';

/** Size of the fragments of a field. */
export interface FragmentSize {
  /** Most fragments. */
  readonly fragments: number;
  /** UTF-16 units of the text that a fragment has at most. */
  readonly length: number;
}

/** A part of a text with the forms that match in it. */
export interface Fragment extends Span {
  readonly text: string;
  readonly forms: readonly MatchedForm[];
}

/** The measures that order fragments. */
interface Rank {
  /** How many distinct terms of the query stand together in it. */
  readonly coverage: number;
  /** How many forms that match. */
  readonly matches: number;
}

/** Forms that stand together. */
interface FormWindow extends Span, Rank {}

interface RankedFragment extends Fragment, Rank {}

/** Forms that are weighed against each other at once. */
const MAX_CLUSTER = 4096;

/**
 * Chooses the best fragments of the texts of one field: those in which the most distinct terms of the query stand, then
 * those with the most matches, then the first. Each is the best that overlaps none before it. Forms that are far enough
 * apart are weighed by themselves, so that what is kept is bounded; more than 4096 that follow each other closely are
 * weighed in parts.
 */
export class FragmentChooser {
  readonly #size: FragmentSize;
  #best: RankedFragment[] = [];
  #text = '';
  #forms: MatchedForm[] = [];
  /** Where the fragments of the forms before end. */
  #floor = 0;

  constructor(size: FragmentSize) {
    this.#size = size;
  }

  /** Begins a text of the field. */
  open(text: string): void {
    this.#text = text;
    this.#floor = 0;
  }

  /** Adds a form that matches in the text; they come in its order. */
  add(form: MatchedForm): void {
    const { length } = this.#size;
    const last = this.#forms.at(-1);
    if (last !== undefined && form.wholeStart - last.wholeEnd > 2 * length) this.#chooseTo(last.wholeEnd + length);
    else if (this.#forms.length === MAX_CLUSTER) this.#chooseTo(form.start);
    const isLong = form.wholeEnd - form.wholeStart > length;
    this.#forms.push(isLong ? { ...form, wholeStart: form.start, wholeEnd: form.end } : form);
  }

  /** Ends the text. */
  close(): void {
    if (this.#forms.length > 0) this.#chooseTo(this.#text.length);
    this.#text = '';
  }

  /** The best, best first. */
  toFragments(): readonly Fragment[] {
    return this.#best;
  }

  /** Chooses among the forms so far; their fragments end before some place. */
  #chooseTo(ceiling: number): void {
    const { fragments: most, length } = this.#size;
    const chosen: RankedFragment[] = [];
    for (const window of toWindows(this.#forms, length).sort(byRank)) {
      if (chosen.length === most) break;
      if (chosen.some(({ start, end }) => window.start < end && window.end > start)) continue;
      const within = { start: this.#floor, end: Math.min(ceiling, this.#text.length) };
      const bounds = boundsOf(window, chosen, within);
      const span = toFragmentSpan(this.#text, window, length, bounds);
      const { coverage, matches } = window;
      chosen.push({ text: this.#text, ...span, forms: this.#formsWithin(span), coverage, matches });
    }
    // The order is stable: of equal ones the first in the text comes first.
    this.#best = [...this.#best, ...chosen].sort(byRank).slice(0, most);
    this.#floor = ceiling;
    this.#forms = [];
  }

  #formsWithin({ start, end }: Span): MatchedForm[] {
    return this.#forms.filter((form) => form.start >= start && form.start < end);
  }
}

/** For each form those that follow within a length. */
function toWindows(forms: readonly MatchedForm[], length: number): FormWindow[] {
  const counts = new Map<number, number>();
  let next = 0;
  let end = 0;
  return forms.map(({ wholeStart: start, wholeEnd, terms }, number) => {
    end = Math.max(end, wholeEnd);
    while (next < forms.length && (next <= number || forms[next].wholeEnd - start <= length)) {
      for (const term of forms[next].terms) counts.set(term, (counts.get(term) ?? 0) + 1);
      end = Math.max(end, forms[next].wholeEnd);
      next++;
    }
    const window = { start, end, coverage: counts.size, matches: next - number };
    for (const term of terms) {
      const left = (counts.get(term) ?? 0) - 1;
      if (left > 0) counts.set(term, left);
      else counts.delete(term);
    }
    return window;
  });
}

function byRank(a: Rank, b: Rank): number {
  return b.coverage - a.coverage || b.matches - a.matches;
}

/** Between which places a fragment may lie that overlaps no other. */
function boundsOf(window: Span, others: readonly Span[], within: Span): Span {
  let { start, end } = within;
  for (const other of others) {
    if (other.end <= window.start) start = Math.max(start, other.end);
    else end = Math.min(end, other.start);
  }
  return { start, end };
}

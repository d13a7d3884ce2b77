import type { JsonObject, JsonValue } from '@cairn/security';
import { countPhrase } from '../execution/phrase-frequency.ts';
import type { FieldSelection } from '../mapping/field-selection.ts';
import type { IndexMapping } from '../mapping/index-mapping.ts';
import { fromKeywordTerm, toIndexedValue } from '../mapping/value.ts';
import { recall } from '../memory/recall.ts';
import type { PhraseWord, Plan } from '../plan/plan.ts';
import { exhausted } from '../plan/work-budget.ts';
import type { HighlightOptions } from '../port/search-index.ts';

/** The most that tags may add to the results of one index in an answer, in UTF-16 units. */
const MAX_TAG_UNITS = 2 ** 25;

interface Marked {
  readonly selection: FieldSelection;
}

interface MarkedTerms extends Marked {
  readonly terms: ReadonlySet<string>;
}

interface MarkedPhrase extends Marked {
  readonly words: readonly PhraseWord[];
  readonly slop: number;
}

/** Terms that are marked wherever they stand, and those that are marked as part of a phrase. */
interface SoughtTerms {
  readonly words: ReadonlySet<string>;
  readonly inPhrases: ReadonlySet<string>;
  readonly phrases: readonly MarkedPhrase[];
}

interface Token {
  readonly term: string;
  readonly position: number;
  readonly start: number;
  readonly end: number;
}

/** Marks what a query matched in copies of documents. */
export class Highlighter {
  readonly #mapping: IndexMapping;
  /** Words and phrases to mark in text, and values to mark as a whole. */
  readonly #words: MarkedTerms[] = [];
  readonly #phrases: MarkedPhrase[] = [];
  readonly #values: MarkedTerms[] = [];
  /** Sought terms by the marks that select a path. */
  readonly #sought = new Map<string, SoughtTerms>();
  readonly #preTag: string;
  readonly #postTag: string;
  #hasMarked = false;
  #tagUnits = 0;

  constructor(plan: Plan, mapping: IndexMapping, { preTag = '<em>', postTag = '</em>' }: HighlightOptions) {
    this.#mapping = mapping;
    this.#preTag = preTag;
    this.#postTag = postTag;
    this.#gather(plan);
  }

  /**
   * A copy of a document that was redacted before: its text is escaped and matches are between the tags. `undefined`
   * when nothing matched in text. Cost: O(text).
   * @throws `ERR_SEARCH_BUDGET` (exhausted) when tags make the copies of all documents too long together.
   */
  highlight(document: JsonObject): JsonObject | undefined {
    this.#hasMarked = false;
    const copy = this.#copyObject(document, '');
    return this.#hasMarked ? copy : undefined;
  }

  #gather(plan: Plan): void {
    if (plan.type === 'or') for (const child of plan.children) this.#gather(child);
    else if (plan.type === 'boolean') for (const child of [...plan.must, ...plan.should]) this.#gather(child);
    else if (plan.type === 'phrase') this.#phrases.push(plan);
    else if (plan.type === 'term') this.#gatherTerms(plan.space, plan.selection, [plan.term]);
    else if (plan.type === 'terms') this.#gatherTerms(plan.space, plan.selection, plan.terms);
  }

  #gatherTerms(space: string, selection: FieldSelection, terms: readonly string[]): void {
    if (space === 'text') this.#words.push({ selection, terms: new Set(terms) });
    else this.#values.push({ selection, terms: new Set(terms.map(fromKeywordTerm)) });
  }

  #copyObject(object: JsonObject, path: string): JsonObject {
    const entries = Object.entries(object).map(([key, value]): [string, JsonValue] => {
      return [key, key.endsWith('securityLabels') ? value : this.#copy(value, path === '' ? key : `${path}.${key}`)];
    });
    return Object.fromEntries(entries);
  }

  #copy(value: JsonValue, path: string): JsonValue {
    if (Array.isArray(value)) return value.map((item: JsonValue) => this.#copy(item, path));
    if (typeof value === 'object' && value !== null) return this.#copyObject(value as JsonObject, path);
    return typeof value === 'string' ? this.#mark(value, path) : value;
  }

  #mark(value: string, path: string): string {
    const { text, isMirror } = toIndexedValue(value, this.#mapping.field(path)) ?? {};
    const isValue = this.#values.some(({ selection, terms }) => terms.has(value) && selection.weigh(path) > 0);
    if (isValue && isMirror !== true) {
      this.#hasMarked = true;
      return this.#tag(value);
    }
    return text === undefined ? escapeHtml(value) : this.#markText(text, path);
  }

  #markText(text: string, path: string): string {
    const { words, inPhrases, phrases } = this.#soughtIn(path);
    if (words.size === 0 && phrases.length === 0) return escapeHtml(text);
    const tokens: Token[] = [];
    const marked = new Set<Token>();
    this.#mapping.field(path).analyzer.analyze(text, (term, position, start, end) => {
      const isMarked = words.has(term);
      if (!isMarked && !inPhrases.has(term)) return;
      const token = { term, position, start, end };
      tokens.push(token);
      if (isMarked) marked.add(token);
    });
    for (const phrase of phrases) markPhrase(phrase, tokens, marked);
    const inText = tokens.filter((token) => marked.has(token));
    return this.#insertTags(text, inText);
  }

  #soughtIn(path: string): SoughtTerms {
    const isSelected = ({ selection }: Marked): boolean => selection.weigh(path) > 0;
    const key = [...this.#words, ...this.#phrases].map((marked) => (isSelected(marked) ? '1' : '0')).join('');
    return recall(this.#sought, key, () => {
      const words = toUnion(this.#words.filter(isSelected));
      const phrases = this.#phrases.filter(isSelected);
      return { words, inPhrases: toUnion(phrases.flatMap((phrase) => phrase.words)), phrases };
    });
  }

  #insertTags(text: string, tokens: readonly Token[]): string {
    if (tokens.length === 0) return escapeHtml(text);
    this.#hasMarked = true;
    let result = '';
    let at = 0;
    for (const { start, end } of toSpans(tokens)) {
      result += escapeHtml(text.slice(at, start)) + this.#tag(text.slice(start, end));
      at = end;
    }
    return result + escapeHtml(text.slice(at));
  }

  #tag(text: string): string {
    this.#tagUnits += this.#preTag.length + this.#postTag.length;
    if (this.#tagUnits > MAX_TAG_UNITS) throw exhausted('characters in tags of highlighted terms', MAX_TAG_UNITS);
    return this.#preTag + escapeHtml(text) + this.#postTag;
  }
}

/** Where tokens stand, in order; those that overlap, as compounds and their parts and as bigrams do, are one. */
function toSpans(tokens: readonly Token[]): { readonly start: number; end: number }[] {
  const spans: { readonly start: number; end: number }[] = [];
  for (const { start, end } of tokens.toSorted((a, b) => a.start - b.start)) {
    const last = spans.at(-1);
    if (last !== undefined && start < last.end) last.end = Math.max(last.end, end);
    else spans.push({ start, end });
  }
  return spans;
}

function toUnion(lists: readonly { readonly terms: Iterable<string> }[]): ReadonlySet<string> {
  const union = new Set<string>();
  for (const { terms } of lists) for (const term of terms) union.add(term);
  return union;
}

function markPhrase({ words, slop }: MarkedPhrase, tokens: readonly Token[], marked: Set<Token>): void {
  const byPlace = new Map(tokens.map((token) => [`${token.position} ${token.term}`, token]));
  const positions = words.map(({ terms }) => {
    return tokens.filter(({ term }) => terms.includes(term)).map(({ position }) => position);
  });
  if (positions.some((list) => list.length === 0)) return;
  const offsets = words.map(({ offset }) => offset);
  countPhrase(positions, offsets, slop, (found) => {
    for (const [word, position] of found.entries()) {
      for (const term of words[word].terms) {
        const token = byPlace.get(`${position} ${term}`);
        if (token !== undefined) marked.add(token);
      }
    }
  });
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, (character) => ESCAPES[character]) : text;
}

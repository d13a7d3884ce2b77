import { type Analyzer, MAX_SHORT_TEXT } from '../analysis/analyzer.ts';
import { countPhrase } from '../execution/phrase-frequency.ts';
import type { FieldSelection } from '../mapping/field-selection.ts';
import type { IndexMapping } from '../mapping/index-mapping.ts';
import { fromKeywordTerm } from '../mapping/value.ts';
import { recall } from '../memory/recall.ts';
import type { Plan, PlanOf } from '../plan/plan.ts';

/** A surface form of a text that a query matched, by UTF-16 offsets. */
export interface MatchedForm {
  readonly start: number;
  readonly end: number;
  /** Where the match begins and ends that it is a part of: that of a phrase, else its own. */
  readonly wholeStart: number;
  readonly wholeEnd: number;
  /** Numbers of the terms of the query that it stands for. What one pattern was expanded to counts as one term. */
  readonly terms: readonly number[];
}

interface SoughtWords {
  readonly selection: FieldSelection;
  readonly terms: ReadonlySet<string>;
  readonly number: number;
}

interface SoughtPhrase {
  readonly selection: FieldSelection;
  readonly words: readonly Pick<SoughtWords, 'terms' | 'number'>[];
  readonly offsets: readonly number[];
  readonly slop: number;
}

/** Words and phrases that are sought in the text of one field. */
interface Sought {
  /** Numbers by term, of terms that match wherever they stand. */
  readonly words: ReadonlyMap<string, readonly number[]>;
  /** Terms that match as part of a phrase. */
  readonly inPhrases: ReadonlySet<string>;
  readonly phrases: readonly SoughtPhrase[];
  /** How far back, in positions, a later form may still change what an earlier one is part of. */
  readonly reach: number;
}

const NO_TERMS: readonly number[] = [];
/** Parts of a compound at most: its whole comes behind them, and begins where they begin. */
const MAX_COMPOUND_PARTS = 64;
/** Of a long text, phrases with more slop are looked for within so many positions. */
const MAX_REACH = 4096;
/** Forms of a long text that are kept until they are handed out. */
const FORMS_PER_RELEASE = 4096;

/** Analyzers of texts of one document that are not those of their fields; the first of equal texts of a field counts. */
export class TextAnalyzers {
  readonly #byPath = new Map<string, Map<string, Analyzer>>();

  add(path: string, text: string, analyzer: Analyzer | undefined): void {
    if (analyzer === undefined) return;
    const texts = recall(this.#byPath, path, () => new Map<string, Analyzer>());
    if (!texts.has(text)) texts.set(text, analyzer);
  }

  get(path: string, text: string): Analyzer | undefined {
    return this.#byPath.get(path)?.get(text);
  }
}

/** Finds what a query matched in the texts and values of documents. */
export class MatchFinder {
  readonly #mapping: IndexMapping;
  readonly #words: SoughtWords[] = [];
  readonly #phrases: SoughtPhrase[] = [];
  readonly #values: Omit<SoughtWords, 'number'>[] = [];
  /** Numbers of terms, by all that they are expanded to. */
  readonly #numbers = new Map<string, number>();
  /** By which words and phrases select a path. */
  readonly #sought = new Map<string, Sought>();
  #analyzers: TextAnalyzers | undefined;

  constructor(plan: Plan, mapping: IndexMapping) {
    this.#mapping = mapping;
    this.#gather(plan);
  }

  /** Goes on to a document, which may have texts that are analysed otherwise than their fields are. */
  open(analyzers: TextAnalyzers | undefined): void {
    this.#analyzers = analyzers;
  }

  /** Returns true if the query looks for a value as a whole. */
  isSoughtValue(value: string, path: string): boolean {
    return this.#values.some(({ selection, terms }) => terms.has(value) && selection.weigh(path) > 0);
  }

  /**
   * Visits the forms that match in a text of a field, in the order of the text. Yields where it may pause in a long text.
   * Cost: O(length).
   */
  *visit(text: string, path: string, visitForm: (form: MatchedForm) => void): Generator<void, void> {
    const sought = this.#soughtIn(path);
    if (sought.words.size === 0 && sought.phrases.length === 0) return;
    const analyzer = this.#analyzers?.get(path, text) ?? this.#mapping.field(path).analyzer;
    const forms = new FoundForms(sought, visitForm);
    // Hot: every form of a text comes through here, so it takes no list of arguments.
    const add: FoundForms['add'] = (term, position, start, end) => forms.add(term, position, start, end);
    if (text.length <= MAX_SHORT_TEXT) {
      analyzer.analyze(text, add);
    } else {
      const steps = analyzer.analyzeInSteps(text, add);
      while (steps.next().done !== true) {
        forms.release();
        yield;
      }
    }
    forms.finish();
  }

  #gather(plan: Plan): void {
    if (plan.type === 'boosted') this.#gather(plan.plan);
    else if (plan.type === 'or') for (const child of plan.children) this.#gather(child);
    else if (plan.type === 'boolean') for (const child of [...plan.must, ...plan.should]) this.#gather(child);
    else if (plan.type === 'phrase') this.#gatherPhrase(plan);
    else if (plan.type === 'term') this.#gatherTerms(plan.space, plan.selection, [plan.term]);
    else if (plan.type === 'tiers')
      this.#gatherTerms(
        plan.space,
        plan.selection,
        plan.tiers.flatMap(({ terms }) => terms),
      );
    else if (plan.type === 'terms') this.#gatherTerms(plan.space, plan.selection, plan.terms);
  }

  #gatherPhrase({ words, selection, slop }: PlanOf<'phrase'>): void {
    const sought = words.map(({ terms }) => ({ terms: new Set(terms), number: this.#numberOf(terms) }));
    this.#phrases.push({ selection, words: sought, offsets: words.map(({ offset }) => offset), slop });
  }

  #gatherTerms(space: string, selection: FieldSelection, terms: readonly string[]): void {
    if (space === 'text') this.#words.push({ selection, terms: new Set(terms), number: this.#numberOf(terms) });
    else this.#values.push({ selection, terms: new Set(terms.map(fromKeywordTerm)) });
  }

  #numberOf(terms: readonly string[]): number {
    return recall(this.#numbers, terms.join('\0'), () => this.#numbers.size);
  }

  #soughtIn(path: string): Sought {
    const isSelected = ({ selection }: { readonly selection: FieldSelection }): boolean => selection.weigh(path) > 0;
    const key = [...this.#words, ...this.#phrases].map((sought) => (isSelected(sought) ? '1' : '0')).join('');
    return recall(this.#sought, key, () => toSought(this.#words.filter(isSelected), this.#phrases.filter(isSelected)));
  }
}

function toSought(soughtWords: readonly SoughtWords[], phrases: readonly SoughtPhrase[]): Sought {
  const words = new Map<string, number[]>();
  for (const { terms, number } of soughtWords) {
    for (const term of terms) {
      const numbers = recall(words, term, () => []);
      if (!numbers.includes(number)) numbers.push(number);
    }
  }
  const inPhrases = new Set<string>();
  let reach = MAX_COMPOUND_PARTS;
  for (const { words: parts, offsets, slop } of phrases) {
    for (const { terms } of parts) for (const term of terms) inPhrases.add(term);
    reach = Math.max(reach, Math.max(...offsets) - Math.min(...offsets) + slop);
  }
  return { words, inPhrases, phrases, reach: Math.min(reach, MAX_REACH) };
}

/** A form that matches, or does if it is part of a phrase. */
interface FoundForm extends MatchedForm {
  readonly term: string;
  readonly position: number;
  wholeStart: number;
  wholeEnd: number;
  terms: readonly number[];
}

/** The forms of a text that match or may: kept until no later form can change what they are part of. */
class FoundForms {
  readonly #sought: Sought;
  readonly #words: Sought['words'];
  readonly #inPhrases: Sought['inPhrases'];
  readonly #visit: (form: MatchedForm) => void;
  #forms: FoundForm[] = [];
  #mostKept = FORMS_PER_RELEASE;

  constructor(sought: Sought, visit: (form: MatchedForm) => void) {
    this.#sought = sought;
    this.#words = sought.words;
    this.#inPhrases = sought.inPhrases;
    this.#visit = visit;
  }

  add(term: string, position: number, start: number, end: number): void {
    const terms = this.#words.get(term);
    if (terms === undefined && (this.#inPhrases.size === 0 || !this.#inPhrases.has(term))) return;
    this.#forms.push({ term, position, start, end, wholeStart: start, wholeEnd: end, terms: terms ?? NO_TERMS });
  }

  /** Hands out what no later form can change, where much is kept. */
  release(): void {
    if (this.#forms.length < this.#mostKept) return;
    const last = this.#forms[this.#forms.length - 1].position - this.#sought.reach;
    this.#markPhrases();
    const firstKept = this.#forms.findIndex(({ position }) => position > last);
    const kept = this.#forms.splice(firstKept);
    this.#handOut();
    this.#forms = kept;
    // Phrases look at what is kept once more: so it is looked at twice at most in the mean.
    this.#mostKept = Math.max(FORMS_PER_RELEASE, 2 * kept.length);
  }

  finish(): void {
    this.#markPhrases();
    this.#handOut();
  }

  #handOut(): void {
    // The whole of a compound comes behind its parts and takes them in.
    const matched = this.#forms.filter(({ terms }) => terms.length > 0);
    for (const form of matched.sort((a, b) => a.start - b.start || b.end - a.end)) this.#visit(form);
    this.#forms = [];
  }

  #markPhrases(): void {
    const { phrases } = this.#sought;
    if (phrases.length === 0) return;
    const byPosition = new Map<number, FoundForm[]>();
    for (const form of this.#forms) recall(byPosition, form.position, () => []).push(form);
    for (const phrase of phrases) markPhrase(phrase, this.#forms, byPosition);
  }
}

function markPhrase(
  { words, offsets, slop }: SoughtPhrase,
  forms: readonly FoundForm[],
  byPosition: ReadonlyMap<number, readonly FoundForm[]>,
): void {
  const positions = words.map(({ terms }) => {
    return forms.filter(({ term }) => terms.has(term)).map(({ position }) => position);
  });
  if (positions.some((list) => list.length === 0)) return;
  countPhrase(positions, offsets, slop, (found) => {
    const parts = found.flatMap((position, word) => {
      const { terms, number } = words[word];
      const standing = byPosition.get(position) ?? [];
      return standing.filter(({ term }) => terms.has(term)).map((form) => ({ form, number }));
    });
    markWhole(parts);
  });
}

function markWhole(parts: readonly { readonly form: FoundForm; readonly number: number }[]): void {
  const start = Math.min(...parts.map(({ form }) => form.start));
  const end = Math.max(...parts.map(({ form }) => form.end));
  for (const { form, number } of parts) {
    form.wholeStart = Math.min(form.wholeStart, start);
    form.wholeEnd = Math.max(form.wholeEnd, end);
    if (!form.terms.includes(number)) form.terms = [...form.terms, number];
  }
}

import { type Analyzer, getAnalyzer } from '../analysis/analyzer.ts';
import { type QueryTerm, toQueryTerms } from '../analysis/query-terms.ts';
import { recall } from '../memory/recall.ts';
import { describeValue, invalidConfiguration, isObject } from '../port/arguments.ts';
import type { SynonymRow } from './configuration.ts';

const MAX_ROWS = 10_000;
const MAX_TEXTS = 64;
const MAX_TEXT_LENGTH = 256;
const MAX_WORDS = 8;

/** Most texts that one text of a query stands for beside itself: the first, from left to right. */
export const MAX_VARIANTS = 64;

/** A text of a synonym row as an analyzer reads it. */
interface SynonymText {
  readonly written: string;
  readonly terms: readonly QueryTerm[];
}

/** The rows as an analyzer reads them. */
interface SynonymTable {
  /** By the terms of a source, what they stand for. */
  readonly targets: ReadonlyMap<string, readonly SynonymText[]>;
  /** Terms of the longest source. */
  readonly longest: number;
}

/** Terms with a synonym in the place of some of them. */
export interface SynonymVariant {
  readonly terms: readonly QueryTerm[];
  /** The synonym as the configuration has it. */
  readonly written: string;
}

/** A place where a rule applies, from one term of a query on. */
export interface SynonymMatch {
  /** Number of the first term, and of the one behind the last. */
  readonly first: number;
  readonly end: number;
  readonly targets: readonly SynonymText[];
}

/** The synonyms of an index, which each analyzer reads in its own way. */
export class Synonyms {
  readonly #rows: readonly Required<{ from: readonly string[]; to: readonly string[] }>[];
  readonly #tables = new Map<Analyzer, SynonymTable>();

  /** @throws `ERR_CONFIGURATION` (invalid), naming the row, for one that is none */
  constructor(rows: readonly SynonymRow[], index: string) {
    this.#rows = readRows(rows, index);
  }

  get isEmpty(): boolean {
    return this.#rows.length === 0;
  }

  /** Reads every row as an analyzer does. Cost: O(rows), once for each analyzer. */
  prepare(analyzer: Analyzer): void {
    this.#tableOf(analyzer);
  }

  /** Where rows apply in the terms of a query, from left to right, fewer terms first. */
  *find(analyzer: Analyzer, terms: readonly QueryTerm[], from = 0): Generator<SynonymMatch, void> {
    const { targets, longest } = this.#tableOf(analyzer);
    for (let first = from; first < terms.length; first++) {
      const last = Math.min(terms.length, first + longest);
      for (let end = first + 1; end <= last; end++) {
        const found = targets.get(keyOf(terms.slice(first, end)));
        if (found !== undefined) yield { first, end, targets: found };
      }
    }
  }

  /** The texts that terms stand for beside themselves, at most {@link MAX_VARIANTS}. */
  expand(analyzer: Analyzer, terms: readonly QueryTerm[]): SynonymVariant[] {
    const variants: SynonymVariant[] = [];
    for (const variant of this.#expandFrom(analyzer, terms, 0)) {
      if (variants.push(variant) === MAX_VARIANTS) break;
    }
    return variants;
  }

  *#expandFrom(analyzer: Analyzer, terms: readonly QueryTerm[], from: number): Generator<SynonymVariant, void> {
    for (const match of this.find(analyzer, terms, from)) {
      for (const target of match.targets) {
        const replaced = replace(terms, match, target.terms);
        yield { terms: replaced, written: target.written };
        yield* this.#expandFrom(analyzer, replaced, match.first + target.terms.length);
      }
    }
  }

  #tableOf(analyzer: Analyzer): SynonymTable {
    return recall(this.#tables, analyzer, () => {
      const targets = new Map<string, SynonymText[]>();
      let longest = 0;
      for (const row of this.#rows) {
        const read = (written: string): SynonymText => ({ written, terms: toQueryTerms(analyzer, written) });
        // What is stop words alone to an analyzer stands for nothing there.
        const hasTerms = ({ terms }: SynonymText): boolean => terms.length > 0;
        const to = row.to.map(read).filter(hasTerms);
        for (const { terms } of row.from.map(read).filter(hasTerms)) {
          const source = keyOf(terms);
          const others = to.filter((target) => keyOf(target.terms) !== source);
          recall(targets, source, () => []).push(...others);
          longest = Math.max(longest, terms.length);
        }
      }
      return { targets, longest };
    });
  }
}

/** Equal for terms that stand alike to one another. */
function keyOf(terms: readonly QueryTerm[]): string {
  return terms.map(({ term, position }) => `${position - terms[0].position} ${term}`).join('\0');
}

/** Terms with others in the place of those of a match, and what follows moved. */
function replace(terms: readonly QueryTerm[], { first, end }: SynonymMatch, others: readonly QueryTerm[]): QueryTerm[] {
  const start = terms[first].position;
  const [begin, last] = [others[0].position, others[others.length - 1].position];
  const moved = start + last - begin - terms[end - 1].position;
  return [
    ...terms.slice(0, first),
    ...others.map(({ term, position }) => ({ term, position: start + position - begin })),
    ...terms.slice(end).map(({ term, position }) => ({ term, position: position + moved })),
  ];
}

function readRows(rows: unknown, index: string): { from: readonly string[]; to: readonly string[] }[] {
  const name = `synonyms of index ${index}`;
  if (!Array.isArray(rows)) throw invalidConfiguration(`${name} must be a list of rows; got ${describeValue(rows)}`);
  if (rows.length > MAX_ROWS)
    throw invalidConfiguration(`${name} must have at most ${MAX_ROWS} rows; got ${rows.length}`);
  return Array.from(rows as readonly unknown[], (row, i) => {
    const place = `synonyms[${i}] of index ${index}`;
    if (Array.isArray(row)) {
      const texts = readTexts(row, place, 2);
      return { from: texts, to: texts };
    }
    if (!isObject(row))
      throw invalidConfiguration(`${place} must be a list of texts, or from and to; got ${describeValue(row)}`);
    return { from: readTexts(row['from'], `from of ${place}`, 1), to: readTexts(row['to'], `to of ${place}`, 1) };
  });
}

function readTexts(texts: unknown, place: string, least: number): readonly string[] {
  if (!Array.isArray(texts))
    throw invalidConfiguration(`${place} must be a list of texts; got ${describeValue(texts)}`);
  if (texts.length < least || texts.length > MAX_TEXTS)
    throw invalidConfiguration(`${place} must have ${least} to ${MAX_TEXTS} texts; got ${texts.length}`);
  return Array.from(texts as readonly unknown[], (text) => readText(text, place));
}

function readText(text: unknown, place: string): string {
  if (typeof text !== 'string')
    throw invalidConfiguration(`each text of ${place} must be a text; got ${describeValue(text)}`);
  if (text.length > MAX_TEXT_LENGTH) {
    const shown = `a text of ${text.length}`;
    throw invalidConfiguration(`each text of ${place} must have at most ${MAX_TEXT_LENGTH} characters; got ${shown}`);
  }
  const words = toQueryTerms(getAnalyzer('simple'), text).length;
  if (words < 1 || words > MAX_WORDS) {
    const got = `${words} in ${JSON.stringify(text)}`;
    throw invalidConfiguration(`each text of ${place} must have 1 to ${MAX_WORDS} words; got ${got}`);
  }
  return text;
}

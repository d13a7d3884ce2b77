import { recall } from '../memory/recall.ts';
import { invalidConfiguration } from '../port/arguments.ts';
import { fold, normalize } from './folding.ts';
import { LANGUAGES } from './languages.ts';
import { hashUnits, SurfaceTable, UNKNOWN } from './surface-table.ts';
import { takesPosition } from './token-kind.ts';
import { TokenScanner } from './token-scanner.ts';

/**
 * Receives a term, its position in the text (stop words count), the UTF-16 offsets of its surface form, and its kind: one
 * that does not take a position has that of the form before.
 */
type TermSink = (term: string, position: number, start: number, end: number, kind: number) => void;

/** Distinct surface forms that one analyzer remembers before it forgets all of them. */
const MAX_REMEMBERED_FORMS = 250_000;
/** Longer forms are cut: no query needs them, and the term dictionary must not hold documents. */
const MAX_TERM_LENGTH = 256;

/** Longer texts are analysed in steps. */
export const MAX_SHORT_TEXT: number = 2 ** 15;
/** Surface forms of a long text between two chances to pause. */
export const FORMS_PER_STEP = 2048;

/** The position before the first, and what stands for that of the last form of a text. */
const NO_POSITION = -1;
const AT_END = -2;

/** A scanner without work: most texts are short, and a scanner for each would cost as much as some do. */
let idle: TokenScanner | undefined;

/** Turns text into terms. Pure: the same surface form always gives the same term. */
export class Analyzer {
  /** Part of the index fingerprint: analyzers that differ MUST differ in name. */
  readonly name: string;
  readonly #computeTerm: (surface: string) => string | undefined;
  #numbers = new SurfaceTable();
  #terms: (string | undefined)[] = [];

  /** @param computeTerm gives the term of a surface form, or `undefined` for a stop word */
  constructor(name: string, computeTerm: (surface: string) => string | undefined) {
    this.name = name;
    this.#computeTerm = computeTerm;
  }

  /** The term of one surface form; `undefined` when it is not indexed (a stop word). Memoised. */
  toTerm(surface: string): string | undefined {
    return this.termOf(surface, 0, surface.length, hashUnits(surface));
  }

  /** The same for a part of a text whose hash is known; makes no substring of a form that is remembered. */
  termOf(text: string, start: number, end: number, hash: number): string | undefined {
    const known = this.#numbers.find(text, start, end, hash);
    if (known !== UNKNOWN) return this.#terms[known];
    const term = toDetached(this.#computeTerm(text.slice(start, Math.min(end, start + MAX_TERM_LENGTH))));
    if (end - start > MAX_TERM_LENGTH) return term;
    if (this.#terms.length >= MAX_REMEMBERED_FORMS) this.forget();
    this.#numbers.add(text, start, end, hash, this.#terms.push(term) - 1);
    return term;
  }

  /** Gives back the memory of remembered surface forms. */
  forget(): void {
    this.#numbers = new SurfaceTable();
    this.#terms = [];
  }

  /** Makes room where what it remembers is about to grow, which takes long at once. Yields where it may pause. */
  *makeRoom(): Generator<void, void> {
    if (this.#numbers.isCrowded) yield* this.#numbers.growInSteps();
  }

  /** Every term of a text in order: `toTerm` of what {@link TokenScanner} gives. Cost: O(length). */
  analyze(text: string, sink: TermSink): void {
    // A sink may analyse other texts meanwhile: nobody else may use the scanner.
    const scanner = idle ?? new TokenScanner();
    idle = undefined;
    scanner.open(text);
    this.#analyzeForms(scanner, text, sink, NO_POSITION, Number.MAX_SAFE_INTEGER);
    // Nothing may keep a text alive that is read no more.
    scanner.open('');
    idle = scanner;
  }

  /** The same; yields where it may pause. */
  *analyzeInSteps(text: string, sink: TermSink): Generator<void, void> {
    const scanner = new TokenScanner();
    scanner.open(text);
    let position = NO_POSITION;
    while (true) {
      position = this.#analyzeForms(scanner, text, sink, position, FORMS_PER_STEP);
      if (position === AT_END) return;
      yield;
    }
  }

  /** Hands out the terms of the next surface forms, some at most; gives the position of the last, or `AT_END`. */
  #analyzeForms(scanner: TokenScanner, text: string, sink: TermSink, last: number, most: number): number {
    let position = last;
    for (let left = most; left > 0; ) {
      if (!scanner.next()) return AT_END;
      const { start, end, kind } = scanner;
      left -= formsIn(end - start);
      if (takesPosition(kind)) position++;
      const term = this.termOf(text, start, end, scanner.hash);
      if (term !== undefined) sink(term, position, start, end, kind);
    }
    return position;
  }
}

/** A term that is remembered must not keep the text alive that it is a part of: engines make slices share memory. */
function toDetached(term: string | undefined): string | undefined {
  return term === undefined || term === '' ? undefined : ` ${term}`.slice(1);
}

/** Counts a surface form as one or, when very long, as many. */
export function formsIn(length: number): number {
  return 1 + (length >>> 5);
}

const analyzers = new Map<string, Analyzer>();

/**
 * The analyzer of a name: a language code such as `en` (stop words, stemming, folding), or `simple` (folding only:
 * what typeahead uses). One object per name.
 * @throws `ERR_CONFIGURATION` (invalid) for an unknown name.
 */
export function getAnalyzer(name: string): Analyzer {
  return recall(analyzers, name, () => new Analyzer(name, toTermOf(name)));
}

/** The analyzer of a language code. @throws `ERR_CONFIGURATION` (invalid) for one that is unknown. */
export function getLanguageAnalyzer(code: string): Analyzer {
  if (LANGUAGES.has(code)) return getAnalyzer(code);
  const shown = typeof code === 'string' ? code : typeof code;
  throw invalidConfiguration(`language must be one of ${[...LANGUAGES.keys()].join(', ')}; got ${shown}`);
}

function toTermOf(name: string): (surface: string) => string | undefined {
  if (name === 'simple') return (surface) => fold(normalize(surface));
  const language = LANGUAGES.get(name);
  if (language === undefined) {
    const known = ['simple', ...LANGUAGES.keys()].join(', ');
    throw invalidConfiguration(`analyzer or language must be one of ${known}; got ${name}`);
  }
  const { stem, isStopWord, foldsFirst } = language;
  return (surface) => {
    const word = foldsFirst ? fold(normalize(surface)) : normalize(surface);
    return isStopWord(word) ? undefined : fold(stem(word));
  };
}

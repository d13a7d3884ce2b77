import { CodedError } from '@cairn/errors';
import { fold, normalize } from './folding.ts';
import { LANGUAGES } from './languages.ts';
import { hashUnits } from './surface-hash.ts';
import { SurfaceTable, UNKNOWN } from './surface-table.ts';
import { PART, TokenScanner } from './token-scanner.ts';

/**
 * Receives a term, its position in the text (stop words count), the UTF-16 offsets of its surface form, and its kind:
 * `PART`, or `COMPOUND` or `EXACT` for the whole of parts that came before, which has the position of the last of them.
 */
export type TermSink = (term: string, position: number, start: number, end: number, kind: number) => void;

/** Turns text into terms. Pure: the same surface form always gives the same term. */
export interface Analyzer {
  /** Part of the index fingerprint: analyzers that differ MUST differ in name. */
  readonly name: string;
  /** The term of one surface form; `undefined` when it is not indexed (a stop word). Memoised. */
  toTerm(surface: string): string | undefined;
  /** The same for a part of a text whose hash is known; makes no substring of a form that is remembered. */
  termOf(text: string, start: number, end: number, hash: number): string | undefined;
  /** Gives back the memory of remembered surface forms. */
  forget(): void;
  /** Returns true if what it remembers is about to grow, which takes long at once; {@link makeRoom} then. */
  isCrowded(): boolean;
  /** Makes room for what it remembers. Yields where it may pause. */
  makeRoom(): Generator<void, void>;
  /** Every term of a text in order: `toTerm` of what {@link TokenScanner} gives. Cost: O(length). */
  analyze(text: string, sink: TermSink): void;
  /** The same; yields where it may pause. */
  analyzeInSteps(text: string, sink: TermSink): Generator<void, void>;
}

/** Distinct surface forms that one analyzer remembers before it forgets all of them. */
const MAX_REMEMBERED_FORMS = 250_000;
/** Longer forms are cut: no query needs them, and the term dictionary must not hold documents. */
const MAX_TERM_LENGTH = 256;

/** Longer texts are analysed in steps. */
export const MAX_SHORT_TEXT: number = 2 ** 15;
/** Surface forms of a long text between two chances to pause. */
export const FORMS_PER_STEP = 2048;

const analyzers = new Map<string, Analyzer>();

/**
 * The analyzer of a name: a language code such as `en` (stop words, stemming, folding), or `simple` (folding only:
 * what typeahead uses). One object per name.
 * @throws `ERR_CONFIGURATION` (invalid) for an unknown name.
 */
export function getAnalyzer(name: string): Analyzer {
  let analyzer = analyzers.get(name);
  if (analyzer === undefined) {
    analyzer = createAnalyzer(name, toTermOf(name));
    analyzers.set(name, analyzer);
  }
  return analyzer;
}

/** Makes an analyzer from a function that gives the term of a surface form, or `undefined` for a stop word. */
export function createAnalyzer(name: string, computeTerm: (surface: string) => string | undefined): Analyzer {
  let numbers = new SurfaceTable();
  let terms: (string | undefined)[] = [];
  const forget = (): void => {
    numbers = new SurfaceTable();
    terms = [];
  };
  const termOf = (text: string, start: number, end: number, hash: number): string | undefined => {
    const known = numbers.find(text, start, end, hash);
    if (known !== UNKNOWN) return terms[known];
    const term = toDetached(computeTerm(text.slice(start, Math.min(end, start + MAX_TERM_LENGTH))));
    if (end - start > MAX_TERM_LENGTH) return term;
    if (terms.length >= MAX_REMEMBERED_FORMS) forget();
    numbers.add(text, start, end, hash, terms.push(term) - 1);
    return term;
  };
  const toTerm = (surface: string): string | undefined => {
    return termOf(surface, 0, surface.length, hashUnits(surface, 0, surface.length));
  };
  const analyzeInSteps: Analyzer['analyzeInSteps'] = (text, sink) => analyzeText(text, termOf, sink);
  const analyze: Analyzer['analyze'] = (text, sink) => {
    const scanner = takeScanner();
    scanner.open(text);
    analyzeForms(scanner, text, termOf, sink, NO_POSITION, Number.MAX_SAFE_INTEGER);
    giveBack(scanner);
  };
  const isCrowded = (): boolean => numbers.isCrowded;
  const makeRoom = (): Generator<void, void> => numbers.growInSteps();
  return { name, toTerm, termOf, forget, isCrowded, makeRoom, analyze, analyzeInSteps };
}

/** A term that is remembered must not keep the text alive that it is a part of: engines make slices share memory. */
function toDetached(term: string | undefined): string | undefined {
  return term === undefined || term === '' ? undefined : ` ${term}`.slice(1);
}

/** A scanner without work: most texts are short, and a scanner for each would cost as much as some do. */
let idle: TokenScanner | undefined;

/** A scanner that nobody else uses: a sink may analyse other texts meanwhile. */
function takeScanner(): TokenScanner {
  const scanner = idle ?? new TokenScanner();
  idle = undefined;
  return scanner;
}

function giveBack(scanner: TokenScanner): void {
  // Nothing may keep a text alive that is read no more.
  scanner.open('');
  idle = scanner;
}

/** The position before the first, and what stands for that of the last form of a text. */
const NO_POSITION = -1;
const AT_END = -2;

/** Counts a surface form as one or, when very long, as many. */
export function formsIn(length: number): number {
  return 1 + (length >>> 5);
}

function* analyzeText(text: string, termOf: Analyzer['termOf'], sink: TermSink): Generator<void, void> {
  const scanner = new TokenScanner();
  scanner.open(text);
  let position = NO_POSITION;
  while (true) {
    position = analyzeForms(scanner, text, termOf, sink, position, FORMS_PER_STEP);
    if (position === AT_END) return;
    yield;
  }
}

/** Hands out the terms of the next surface forms, some at most; gives the position of the last, or `AT_END`. */
function analyzeForms(
  scanner: TokenScanner,
  text: string,
  termOf: Analyzer['termOf'],
  sink: TermSink,
  last: number,
  most: number,
): number {
  let position = last;
  for (let left = most; left > 0; ) {
    if (!scanner.next()) return AT_END;
    const { start, end, kind } = scanner;
    left -= formsIn(end - start);
    if (kind === PART) position++;
    const term = termOf(text, start, end, scanner.hash);
    if (term !== undefined) sink(term, position, start, end, kind);
  }
  return position;
}

function toTermOf(name: string): (surface: string) => string | undefined {
  if (name === 'simple') return (surface) => fold(normalize(surface));
  const language = LANGUAGES.get(name);
  if (language === undefined) throw unknownAnalyzer(name);
  const { stem, isStopWord, foldsFirst } = language;
  return (surface) => {
    const word = foldsFirst ? fold(normalize(surface)) : normalize(surface);
    return isStopWord(word) ? undefined : fold(stem(word));
  };
}

function unknownAnalyzer(name: string): CodedError {
  const known = ['simple', ...LANGUAGES.keys()].join(', ');
  return new CodedError({
    code: 'ERR_CONFIGURATION',
    kind: 'invalid',
    message: `analyzer or language must be one of ${known}; got ${name}`,
  });
}

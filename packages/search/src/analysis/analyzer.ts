import { CodedError } from '@cairn/errors';
import { fold, normalize } from './folding.ts';
import { LANGUAGES } from './languages.ts';
import { tokenize } from './tokenizer.ts';

/** Receives a term, its position in the text (stop words count) and the UTF-16 offsets of its surface form. */
export type TermSink = (term: string, position: number, start: number, end: number) => void;

/**
 * Turns text into terms. Pure: the same surface form always gives the same term.
 */
export interface Analyzer {
  /** Part of the index fingerprint: analyzers that differ MUST differ in name. */
  readonly name: string;
  /** The term of one surface form; `undefined` when it is not indexed (a stop word). Memoised. */
  toTerm(surface: string): string | undefined;
  /** Gives back the memory of remembered surface forms. */
  forget(): void;
  /** Every term of a text in order: `toTerm` of what {@link tokenize} gives. Cost: O(length). */
  analyze(text: string, sink: TermSink): void;
}

/** Distinct surface forms that one analyzer remembers before it forgets all of them. */
const MAX_REMEMBERED_FORMS = 250_000;
/** Longer forms are cut: no query needs them, and the term dictionary must not hold documents. */
const MAX_TERM_LENGTH = 256;

/** What is remembered for a form that has no term. */
const STOP_WORD = '';

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
  const terms = new Map<string, string>();
  const toTerm = (surface: string): string | undefined => {
    const known = terms.get(surface);
    if (known !== undefined) return known === STOP_WORD ? undefined : known;
    const term = computeTerm(surface.slice(0, MAX_TERM_LENGTH)) ?? STOP_WORD;
    if (surface.length <= MAX_TERM_LENGTH) {
      if (terms.size >= MAX_REMEMBERED_FORMS) terms.clear();
      terms.set(surface, term);
    }
    return term === STOP_WORD ? undefined : term;
  };
  return { name, toTerm, forget: () => terms.clear(), analyze: (text, sink) => analyzeText(text, toTerm, sink) };
}

function analyzeText(text: string, toTerm: (surface: string) => string | undefined, sink: TermSink): void {
  let position = 0;
  tokenize(text, (surface, start, end) => {
    const term = toTerm(surface);
    if (term !== undefined) sink(term, position, start, end);
    position++;
  });
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

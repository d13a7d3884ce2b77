import { invalidConfiguration } from '../port/arguments.ts';

/** Scores of a text by ISO 639-1 code. */
type ScoreLanguages = (text: string) => Readonly<Record<string, number>>;

/** Letters of a text that are looked at, and fewer than which tell nothing. */
export const MAX_SAMPLE = 1024;
const MIN_SAMPLE = 20;

let scoreLanguages: ScoreLanguages | undefined;

/**
 * Loads the detector, some 28 MB, once for a process.
 * @throws `ERR_CONFIGURATION` (invalid) when the package `eld` is not installed
 */
export async function loadLanguageDetection(): Promise<void> {
  if (scoreLanguages !== undefined) return;
  try {
    const { eld } = await import('eld/extrasmall');
    scoreLanguages = (text) => eld.detect(text).getScores();
  } catch (cause) {
    const error = invalidConfiguration('an index of several languages needs the package eld, which is not installed');
    throw Object.assign(error, { cause });
  }
}

/**
 * The language among some that a text is most likely in, by its first {@link MAX_SAMPLE} units; `undefined` for a text
 * that tells nothing. A function of the text alone. Cost: some tenths of a millisecond.
 */
export function detectLanguage(text: string, among: readonly string[]): string | undefined {
  const sample = text.slice(0, MAX_SAMPLE);
  if (scoreLanguages === undefined || sample.trim().length < MIN_SAMPLE) return undefined;
  const scores = scoreLanguages(sample);
  let [best, most] = [undefined as string | undefined, 0];
  for (const language of among) {
    const score = scores[language] ?? 0;
    if (score > most) [best, most] = [language, score];
  }
  return best;
}

/** Codes of ISO 639-2 and 639-3, and of kinds of Norwegian, for languages that have an analyzer. */
const OTHER_CODES: Readonly<Record<string, string>> = {
  eng: 'en',
  dan: 'da',
  nld: 'nl',
  dut: 'nl',
  fin: 'fi',
  fra: 'fr',
  fre: 'fr',
  deu: 'de',
  ger: 'de',
  ita: 'it',
  nor: 'no',
  nob: 'no',
  nno: 'no',
  nb: 'no',
  nn: 'no',
  por: 'pt',
  rus: 'ru',
  spa: 'es',
  swe: 'sv',
  ukr: 'uk',
};

/** The ISO 639-1 code of a language tag such as `de-AT` or `ger`: that of its first part. */
export function toLanguageCode(tag: string): string {
  const [code] = tag.trim().toLowerCase().split(/[-_]/, 1);
  return OTHER_CODES[code] ?? code;
}

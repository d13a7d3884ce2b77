import { BIGRAM, CHARACTER, PART } from './token-kind.ts';
import { segmentWords } from './word-segments.ts';

/** A Chinese character or kana with the marks on it, which may be half-width ones. */
const CUT =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u3031-\u3035\u309b\u309c\u30a0\u30fc\uff70][\p{M}\p{Cf}\uff9e\uff9f]*/u;
const CHARACTERS = new RegExp(CUT, 'gu');
const RUNS = new RegExp(`(?:${CUT.source})+`, 'gu');
const WHOLE_RUN = new RegExp(`^(?:${CUT.source})+$`, 'u');

/** Returns true if a text is Chinese characters and kana alone, and more than one term of them. */
export function isManyBigrams(text: string): boolean {
  return WHOLE_RUN.test(text) && (text.match(CHARACTERS)?.length ?? 0) > 2;
}

/**
 * The surface forms of a run in scripts without spaces, by threes: offsets, moved by `base`, and kind. Chinese characters
 * and kana are cut into characters, each but the first followed by its bigram with the one before: nothing tells where
 * words begin and end there, and a bigram is rarer than a character. Other scripts are cut by `Intl.Segmenter`.
 */
export function cutUnspacedRun(run: string, base: number): number[] {
  const forms: number[] = [];
  let at = 0;
  for (const { 0: characters, index } of run.matchAll(RUNS)) {
    addWords(run.slice(at, index), base + at, forms);
    addBigrams(characters, base + index, forms);
    at = index + characters.length;
  }
  addWords(run.slice(at), base + at, forms);
  return forms;
}

function addWords(text: string, base: number, forms: number[]): void {
  const words = segmentWords(text, base);
  for (let i = 0; i < words.length; i += 2) forms.push(words[i], words[i + 1], PART);
}

function addBigrams(text: string, base: number, forms: number[]): void {
  let before = -1;
  for (const { 0: character, index } of text.matchAll(CHARACTERS)) {
    const start = base + index;
    const end = start + character.length;
    forms.push(start, end, character.length === text.length ? PART : CHARACTER);
    if (before >= 0) forms.push(before, end, BIGRAM);
    before = start;
  }
}

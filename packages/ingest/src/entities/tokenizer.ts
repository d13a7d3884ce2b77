/** One word of a text, as names are compared. */
export interface Token {
  /** Folded: compatibility form, lower case, without marks. */
  readonly form: string;
  /** UTF-16 code units from the start of the text. */
  readonly start: number;
  readonly end: number;
}

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** Scripts that write no spaces: every character is a token of its own. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const MARKS = /\p{M}+/gu;
const ASCII = /^[\x00-\x7f]*$/;

/** The words of a text in order. Lazy, so that a long text can be read in slices. Cost: O(length). */
export function* tokenize(text: string): Generator<Token, void, undefined> {
  WORD.lastIndex = 0;
  for (const match of text.matchAll(WORD)) {
    const word = match[0];
    if (UNSPACED.test(word)) yield* characters(word, match.index);
    else yield { form: fold(word), start: match.index, end: match.index + word.length };
  }
}

/** How names compare: `É` is `e`, `ﬁ` is `fi`, case does not matter. */
export function fold(word: string): string {
  if (ASCII.test(word)) return word.toLowerCase();
  const folded = word.normalize('NFKD').replace(MARKS, '').toLowerCase().normalize('NFKC');
  return folded === '' ? word.normalize('NFKC') : folded;
}

function* characters(word: string, start: number): Generator<Token, void, undefined> {
  let at = start;
  for (const character of word) {
    yield { form: fold(character), start: at, end: at + character.length };
    at += character.length;
  }
}

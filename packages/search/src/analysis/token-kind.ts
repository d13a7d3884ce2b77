/** A word, or a part of a compound: takes a position of its own. */
export const PART = 0;
/** A Chinese character or kana in a run of several: takes a position; queries look for the bigrams instead. */
export const CHARACTER = 1;
/** The whole of a compound such as `name@host`, behind its parts and at the position of the last. */
export const COMPOUND = 2;
/** Like a compound, and what a query that writes it so means: `U.S.A`, `C++`. */
export const EXACT = 3;
/** Two neighbouring characters, behind them and at the position of the second. */
export const BIGRAM = 4;

/** Returns true if a surface form of a kind has a position of its own, and counts in the length of a text. */
export function takesPosition(kind: number): boolean {
  return kind <= CHARACTER;
}

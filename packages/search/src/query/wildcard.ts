import { isManyBigrams } from '../analysis/unspaced-run.ts';
import type { WildcardPart } from './query.ts';

/** The literal text that every match of a pattern starts with. */
export function literalPrefix(parts: readonly WildcardPart[]): string {
  const first = parts[0];
  return first?.type === 'text' ? first.text : '';
}

/**
 * The text that a pattern looks for at any place of a run without spaces, as in `東京都*`; `undefined` when a term may
 * fit the pattern. No term is as long, and nothing tells where words end there.
 */
export function toBigramText(parts: readonly WildcardPart[]): string | undefined {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const hasOne = parts.some(({ type }) => type === 'one');
  return texts.length === 1 && !hasOne && isManyBigrams(texts[0]) ? texts[0] : undefined;
}

const SURROGATE = /[\ud800-\udfff]/;
const ANY = Symbol('any');
const ONE = Symbol('one');

/**
 * The test of a whole text against a pattern. Linear: the last `*` alone is ever retried, and every retry moves on.
 * Cost: O(text times pattern) at worst.
 */
export function compileWildcard(parts: readonly WildcardPart[]): (text: string) => boolean {
  const pattern = parts.flatMap((part): (string | symbol)[] => {
    return part.type === 'text' ? Array.from(part.text) : [part.type === 'any' ? ANY : ONE];
  });
  return (text) => fits(pattern, text);
}

function fits(pattern: readonly (string | symbol)[], text: string): boolean {
  // Indexing a string is cheaper, and right unless a character takes two units.
  const characters = SURROGATE.test(text) ? Array.from(text) : text;
  let at = 0;
  let symbol = 0;
  let star = -1;
  let retryAt = 0;
  while (at < characters.length) {
    if (symbol < pattern.length && pattern[symbol] === ANY) {
      star = symbol++;
      retryAt = at;
    } else if (symbol < pattern.length && (pattern[symbol] === ONE || pattern[symbol] === characters[at])) {
      symbol++;
      at++;
    } else if (star >= 0) {
      symbol = star + 1;
      at = ++retryAt;
    } else {
      return false;
    }
  }
  while (symbol < pattern.length && pattern[symbol] === ANY) symbol++;
  return symbol === pattern.length;
}

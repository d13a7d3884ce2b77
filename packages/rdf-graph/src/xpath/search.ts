/** Up to so many comparisons in the worst case the engine's own search is the fastest. */
const MAX_NATIVE_COMPARISONS = 1 << 20;

/**
 * Where a text first holds another one, -1 where it does not. O(text + part), which the engine's `indexOf` is not: it
 * took minutes for a part of half a million letters. Source: Knuth, Morris, Pratt 1977.
 */
export function indexOfText(text: string, part: string): number {
  if (text.length * part.length <= MAX_NATIVE_COMPARISONS || part.length > text.length) return text.indexOf(part);
  const borders = bordersOf(part);
  let matched = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    while (matched > 0 && part.charCodeAt(matched) !== unit) matched = borders[matched - 1];
    if (part.charCodeAt(matched) === unit) matched++;
    if (matched === part.length) return at - matched + 1;
  }
  return -1;
}

/** For each prefix the length of its longest proper prefix that is its end, too. */
function bordersOf(part: string): Uint32Array {
  const borders = new Uint32Array(part.length);
  let length = 0;
  for (let at = 1; at < part.length; at++) {
    const unit = part.charCodeAt(at);
    while (length > 0 && part.charCodeAt(length) !== unit) length = borders[length - 1];
    if (part.charCodeAt(length) === unit) length++;
    borders[at] = length;
  }
  return borders;
}

/**
 * How often words stand as a phrase in one slot. `positions` has the ascending positions of each word, `offsets`
 * where each word belongs relative to the first; `slop` is how far the words may be out of place, all told from the
 * leftmost to the rightmost. Matches do not share the word that is leftmost in them. `found` gets the positions of each.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: hot: every position of a phrase comes through here
export function countPhrase(
  positions: readonly (readonly number[])[],
  offsets: readonly number[],
  slop: number,
  found?: (positions: readonly number[]) => void,
): number {
  const at = new Array<number>(positions.length).fill(0);
  let count = 0;
  while (true) {
    let least = Number.POSITIVE_INFINITY;
    let most = Number.NEGATIVE_INFINITY;
    let leftmost = 0;
    for (let word = 0; word < positions.length; word++) {
      if (at[word] >= positions[word].length) return count;
      const start = positions[word][at[word]] - offsets[word];
      if (start < least) {
        least = start;
        leftmost = word;
      }
      if (start > most) most = start;
    }
    if (most - least <= slop && (slop === 0 || areDistinct(positions, at))) {
      count++;
      found?.(at.map((index, word) => positions[word][index]));
    }
    if (slop === 0 && least < most) skipTo(positions, offsets, at, most);
    else at[leftmost]++;
  }
}

function skipTo(
  positions: readonly (readonly number[])[],
  offsets: readonly number[],
  at: number[],
  start: number,
): void {
  for (let word = 0; word < positions.length; word++) {
    const list = positions[word];
    while (at[word] < list.length && list[at[word]] - offsets[word] < start) at[word]++;
  }
}

/** Returns true if each word has a place of its own: a repeated word must be there as often. */
function areDistinct(positions: readonly (readonly number[])[], at: readonly number[]): boolean {
  const places = new Set(at.map((index, word) => positions[word][index]));
  return places.size === at.length;
}

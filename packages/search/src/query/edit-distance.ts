/** Finds the distance of texts to one word, as long as it is small. Reused for many texts. */
export class EditDistance {
  readonly #word: readonly string[];
  readonly #limit: number;
  #rows: number[][];

  constructor(word: string, limit: number) {
    this.#word = Array.from(word);
    this.#limit = limit;
    this.#rows = [[], [], []].map(() => new Array<number>(this.#word.length + 1).fill(0));
  }

  /**
   * Insertions, deletions, substitutions and swaps of neighbours between the word and a text; `undefined` above the
   * limit. Cost: O(text times word).
   */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: hot: every cell of the table comes through here
  to(text: string): number | undefined {
    const word = this.#word;
    const limit = this.#limit;
    const characters = Array.from(text);
    if (Math.abs(characters.length - word.length) > limit) return undefined;
    let [beforeLast, last, current] = this.#rows as [number[], number[], number[]];
    for (let j = 0; j <= word.length; j++) last[j] = j;
    for (let i = 1; i <= characters.length; i++) {
      current[0] = i;
      let least = i;
      for (let j = 1; j <= word.length; j++) {
        const change = characters[i - 1] === word[j - 1] ? 0 : 1;
        let distance = Math.min(last[j] + 1, current[j - 1] + 1, last[j - 1] + change);
        const isSwap = i > 1 && j > 1 && characters[i - 1] === word[j - 2] && characters[i - 2] === word[j - 1];
        if (isSwap) distance = Math.min(distance, beforeLast[j - 2] + 1);
        current[j] = distance;
        if (distance < least) least = distance;
      }
      if (least > limit) return undefined;
      [beforeLast, last, current] = [last, current, beforeLast];
    }
    return last[word.length] <= limit ? last[word.length] : undefined;
  }
}

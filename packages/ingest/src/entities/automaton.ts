/** Called for every pattern that ends at a token; patterns are numbered in the order they were given. */
export type OnMatch = (pattern: number, endToken: number) => void;

const ROOT = 0;
const NONE = -1;

/**
 * Aho-Corasick over token ids: finds every occurrence of every pattern in one pass, overlapping ones too.
 *
 * Immutable. Build: O(tokens of all patterns); search: O(tokens of the text + matches).
 * Source: Aho and Corasick, "Efficient string matching", 1975.
 */
export class Automaton {
  /** Transition from a state by a token: `state * width + token`. */
  readonly #edges = new Map<number, number>();
  readonly #width: number;
  readonly #fail: number[] = [ROOT];
  /** The pattern that ends in a state. */
  readonly #pattern: number[] = [NONE];
  /** The nearest state on the chain of failures in which a pattern ends. */
  readonly #output: number[] = [NONE];

  /**
   * @param patterns non-empty sequences of token ids, all distinct
   * @param width larger than every token id
   */
  constructor(patterns: readonly (readonly number[])[], width: number) {
    this.#width = width;
    const children: { parent: number; token: number; state: number }[] = [];
    patterns.forEach((tokens, pattern) => {
      let state = ROOT;
      for (const token of tokens) state = this.#grow(state, token, children);
      this.#pattern[state] = pattern;
    });
    this.#link(children);
  }

  /** Walks from a state over one token; the state to go on from. Tokens that no pattern has lead to the root. */
  step(state: number, token: number): number {
    if (token < 0 || token >= this.#width) return ROOT;
    for (let at = state; ; at = this.#fail[at]!) {
      const next = this.#edges.get(at * this.#width + token);
      if (next !== undefined) return next;
      if (at === ROOT) return ROOT;
    }
  }

  /** Reports the patterns that end in a state, the longest first. */
  report(state: number, endToken: number, onMatch: OnMatch): void {
    let at = this.#pattern[state] === NONE ? this.#output[state]! : state;
    while (at !== NONE) {
      onMatch(this.#pattern[at]!, endToken);
      at = this.#output[at]!;
    }
  }

  #grow(state: number, token: number, children: { parent: number; token: number; state: number }[]): number {
    const key = state * this.#width + token;
    const known = this.#edges.get(key);
    if (known !== undefined) return known;
    const grown = this.#fail.length;
    this.#edges.set(key, grown);
    this.#fail.push(ROOT);
    this.#pattern.push(NONE);
    this.#output.push(NONE);
    children.push({ parent: state, token, state: grown });
    return grown;
  }

  /** Breadth first, so that the failure of a shorter prefix is known before that of a longer one. */
  #link(children: readonly { parent: number; token: number; state: number }[]): void {
    const depth: number[] = [0];
    for (const { parent, state } of children) depth[state] = depth[parent]! + 1;
    const ordered = [...children].sort((a, b) => depth[a.state]! - depth[b.state]!);
    for (const { parent, token, state } of ordered) {
      const fail = parent === ROOT ? ROOT : this.step(this.#fail[parent]!, token);
      this.#fail[state] = fail;
      this.#output[state] = this.#pattern[fail] === NONE ? this.#output[fail]! : fail;
    }
  }
}

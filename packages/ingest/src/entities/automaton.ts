/** Called for every pattern that ends at a token; patterns are numbered in the order they were given. */
export type OnMatch = (pattern: number, endToken: number) => void;

const ROOT = 0;
const NONE = -1;

/** Patterns, or states, of one slice of building: a few milliseconds. */
const SLICE_PATTERNS = 2048;

interface Child {
  readonly parent: number;
  readonly token: number;
  readonly state: number;
}

/**
 * Aho-Corasick over token ids: finds every occurrence of every pattern in one pass, overlapping ones too.
 *
 * Immutable once built. Build: O(tokens of all patterns); search: O(tokens of the text + matches).
 * Source: Aho and Corasick, "Efficient string matching", 1975.
 */
export class Automaton {
  /** Transition from a state by a token: `state * width + token`. */
  readonly #edges = new Map<number, number>();
  readonly #width: number;
  readonly #fail: number[] = [ROOT];
  readonly #pattern: number[] = [NONE];
  /** The nearest state on the chain of failures in which a pattern ends. */
  readonly #output: number[] = [NONE];

  private constructor(width: number) {
    this.#width = width;
  }

  static empty(): Automaton {
    return new Automaton(1);
  }

  /**
   * Builds an automaton, in slices: it yields every few thousand patterns.
   * @param patterns non-empty sequences of token ids, all distinct
   * @param width larger than every token id
   */
  static *build(patterns: readonly (readonly number[])[], width: number): Generator<void, Automaton, undefined> {
    const automaton = new Automaton(width);
    const byDepth: Child[][] = [];
    for (let pattern = 0; pattern < patterns.length; pattern++) {
      automaton.#add(patterns[pattern], pattern, byDepth);
      if (pattern % SLICE_PATTERNS === SLICE_PATTERNS - 1) yield;
    }
    yield* automaton.#link(byDepth);
    return automaton;
  }

  #add(tokens: readonly number[], pattern: number, byDepth: Child[][]): void {
    let state = ROOT;
    for (let at = 0; at < tokens.length; at++) {
      byDepth[at] ??= [];
      state = this.#grow(state, tokens[at], byDepth[at]);
    }
    this.#pattern[state] = pattern;
  }

  /** Walks from a state over one token; the state to go on from. Tokens that no pattern has lead to the root. */
  step(state: number, token: number): number {
    if (token < 0 || token >= this.#width) return ROOT;
    for (let at = state; ; at = this.#fail[at]) {
      const next = this.#edges.get(at * this.#width + token);
      if (next !== undefined) return next;
      if (at === ROOT) return ROOT;
    }
  }

  report(state: number, endToken: number, onMatch: OnMatch): void {
    let at = this.#pattern[state] === NONE ? this.#output[state] : state;
    while (at !== NONE) {
      onMatch(this.#pattern[at], endToken);
      at = this.#output[at];
    }
  }

  #grow(state: number, token: number, children: Child[]): number {
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
  *#link(byDepth: readonly (readonly Child[])[]): Generator<void, void, undefined> {
    let linked = 0;
    for (const children of byDepth) {
      for (const { parent, token, state } of children) {
        const fail = parent === ROOT ? ROOT : this.step(this.#fail[parent], token);
        this.#fail[state] = fail;
        this.#output[state] = this.#pattern[fail] === NONE ? this.#output[fail] : fail;
        if (++linked % SLICE_PATTERNS === 0) yield;
      }
    }
  }
}

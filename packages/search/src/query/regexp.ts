import { type RegExpNode, RegExpParser } from './regexp-parser.ts';

/** Most states that a compiled expression may have. */
const MAX_STATES = 2000;

/**
 * The test of a whole text against a regular expression of characters, `.`, classes, `\d \w \s`, groups, `|` and `* + ? {n,m}`. It is run as a
 * set of states, so that a text costs O(length times states) whatever the expression.
 * @throws `ERR_QUERY_SYNTAX` with a position in `query`, where the expression is at `offset`.
 */
export function compileRegExp(pattern: string, query: string, offset: number): (text: string) => boolean {
  const parser = new RegExpParser(pattern, query, offset);
  const program = new RegExpProgram(parser.parse(), () => parser.fail(`needs more than ${MAX_STATES} states`));
  return (text) => program.matches(text);
}

/** A state that reads a character, or forks. */
interface State {
  test?: (character: string) => boolean;
  next: number[];
}

/** Thompson's construction, run on all states at once. */
class RegExpProgram {
  readonly #states: State[] = [];
  readonly #start: number;
  readonly #end: number;
  readonly #overflow: () => never;

  constructor(node: RegExpNode, overflow: () => never) {
    this.#overflow = overflow;
    this.#end = this.#addState({ next: [] });
    this.#start = this.#build(node, this.#end);
  }

  matches(text: string): boolean {
    let current = new Set<number>();
    this.#enter(this.#start, current);
    for (const character of text) {
      const following = new Set<number>();
      for (const number of current) {
        const state = this.#states[number];
        if (state.test?.(character)) for (const next of state.next) this.#enter(next, following);
      }
      if (following.size === 0) return false;
      current = following;
    }
    return current.has(this.#end);
  }

  /** Adds the states that read `node` and go on to `then`; returns the first. */
  #build(node: RegExpNode, then: number): number {
    if (node.type === 'set') return this.#addState({ test: node.test, next: [then] });
    if (node.type === 'sequence') return node.items.reduceRight((next, item) => this.#build(item, next), then);
    if (node.type === 'choice')
      return this.#addState({ next: node.options.map((option) => this.#build(option, then)) });
    return this.#buildRepeat(node.item, node.least, node.most, then);
  }

  #buildRepeat(item: RegExpNode, least: number, most: number, then: number): number {
    let next = then;
    if (most === Number.POSITIVE_INFINITY) {
      const loop = this.#addState({ next: [then] });
      this.#states[loop].next.unshift(this.#build(item, loop));
      next = loop;
    } else {
      for (let i = least; i < most; i++) next = this.#addState({ next: [this.#build(item, next), then] });
    }
    for (let i = 0; i < least; i++) next = this.#build(item, next);
    return next;
  }

  #addState(state: State): number {
    if (this.#states.length >= MAX_STATES) this.#overflow();
    return this.#states.push(state) - 1;
  }

  #enter(number: number, into: Set<number>): void {
    const waiting = [number];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      if (into.has(at)) continue;
      into.add(at);
      const state = this.#states[at];
      if (state.test === undefined) waiting.push(...state.next);
    }
  }
}

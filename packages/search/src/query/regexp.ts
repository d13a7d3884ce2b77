import { querySyntaxError } from './syntax-error.ts';

/** A compiled regular expression: whether a whole text fits. */
export type TextMatcher = (text: string) => boolean;

type Node =
  | { readonly type: 'set'; readonly test: (character: string) => boolean }
  | { readonly type: 'sequence'; readonly items: readonly Node[] }
  | { readonly type: 'choice'; readonly options: readonly Node[] }
  | { readonly type: 'repeat'; readonly item: Node; readonly least: number; readonly most: number };

/** Most states that a compiled expression may have. */
export const MAX_STATES = 2000;

/**
 * Compiles a regular expression of characters, `.`, classes, `\d \w \s`, groups, `|` and `* + ? {n,m}`. It is run as
 * a set of states, so that a text costs O(length times states) whatever the expression.
 * @throws `ERR_QUERY_SYNTAX` with a position in `query`, where the expression stands at `offset`.
 */
export function compileRegExp(pattern: string, query: string, offset: number): TextMatcher {
  const parser = new RegExpParser(pattern, query, offset);
  const program = new Program(parser.parse(), () => parser.fail(`needs more than ${MAX_STATES} states`));
  return (text) => program.matches(text);
}

class RegExpParser {
  private readonly pattern: readonly string[];
  private readonly query: string;
  private readonly base: number;
  private at = 0;
  private depth = 0;

  constructor(pattern: string, query: string, base: number) {
    this.pattern = Array.from(pattern);
    this.query = query;
    this.base = base;
  }

  parse(): Node {
    const node = this.choice();
    if (this.at < this.pattern.length) this.fail(`has an unexpected ${this.pattern[this.at]}`);
    return node;
  }

  fail(problem: string, expected: readonly string[] = []): never {
    const offset = Math.min(this.base + this.pattern.slice(0, this.at).join('').length, this.query.length);
    throw querySyntaxError(this.query, offset, `the regular expression ${problem}`, expected);
  }

  private choice(): Node {
    if (++this.depth > 50) this.fail('nests more than 50 deep');
    const options = [this.sequence()];
    while (this.take('|')) options.push(this.sequence());
    this.depth--;
    return options.length === 1 ? options[0]! : { type: 'choice', options };
  }

  private sequence(): Node {
    const items: Node[] = [];
    while (this.at < this.pattern.length && this.peek() !== '|' && this.peek() !== ')') items.push(this.repeated());
    return { type: 'sequence', items };
  }

  private repeated(): Node {
    let node = this.atom();
    while (true) {
      const range = this.quantifier();
      if (range === undefined) return node;
      node = { type: 'repeat', item: node, least: range[0], most: range[1] };
    }
  }

  private quantifier(): readonly [number, number] | undefined {
    if (this.take('*')) return [0, Number.POSITIVE_INFINITY];
    if (this.take('+')) return [1, Number.POSITIVE_INFINITY];
    if (this.take('?')) return [0, 1];
    if (!this.take('{')) return undefined;
    const least = this.number();
    const most = this.take(',') ? (this.peek() === '}' ? Number.POSITIVE_INFINITY : this.number()) : least;
    if (!this.take('}')) this.fail('has an open {', ['}']);
    if (most < least) this.fail('has a repetition that ends before it starts');
    return [least, most];
  }

  private number(): number {
    const start = this.at;
    while (/[0-9]/.test(this.peek())) this.at++;
    const text = this.pattern.slice(start, this.at).join('');
    if (text === '' || Number(text) > 1000) this.fail('has a repetition out of range', ['a number from 0 to 1000']);
    return Number(text);
  }

  private atom(): Node {
    if (this.take('(')) {
      const node = this.choice();
      if (!this.take(')')) this.fail('has an open (', [')']);
      return node;
    }
    if (this.take('[')) return { type: 'set', test: this.characterClass() };
    if (this.take('.')) return { type: 'set', test: () => true };
    if (this.take('\\')) return { type: 'set', test: this.escaped() };
    const character = this.peek();
    if ('*+?{'.includes(character)) this.fail(`has nothing to repeat before ${character}`);
    this.at++;
    return { type: 'set', test: (other) => other === character };
  }

  private escaped(): (character: string) => boolean {
    const character = this.peek();
    if (character === '') this.fail('ends with a \\');
    this.at++;
    const known = ESCAPED_CLASSES[character];
    return known ?? ((other) => other === character);
  }

  private characterClass(): (character: string) => boolean {
    const isNegated = this.take('^');
    const tests: ((character: string) => boolean)[] = [];
    while (this.peek() !== ']' || tests.length === 0) {
      if (this.at >= this.pattern.length) this.fail('has an open [', [']']);
      tests.push(this.classItem());
    }
    this.at++;
    return (character) => tests.some((test) => test(character)) !== isNegated;
  }

  private classItem(): (character: string) => boolean {
    if (this.take('\\')) return this.escaped();
    const first = this.peek();
    this.at++;
    if (this.peek() !== '-' || this.pattern[this.at + 1] === ']' || this.at + 1 >= this.pattern.length) {
      return (character) => character === first;
    }
    this.at++;
    this.take('\\');
    const last = this.peek();
    this.at++;
    const from = first.codePointAt(0)!;
    const to = (last || first).codePointAt(0)!;
    return (character) => character.codePointAt(0)! >= from && character.codePointAt(0)! <= to;
  }

  private peek(): string {
    return this.pattern[this.at] ?? '';
  }

  private take(character: string): boolean {
    if (this.peek() !== character) return false;
    this.at++;
    return true;
  }
}

const ESCAPED_CLASSES: Readonly<Record<string, (character: string) => boolean>> = Object.assign(Object.create(null), {
  d: (character: string) => /\p{Nd}/u.test(character),
  D: (character: string) => !/\p{Nd}/u.test(character),
  w: (character: string) => /[\p{L}\p{M}\p{N}_]/u.test(character),
  W: (character: string) => !/[\p{L}\p{M}\p{N}_]/u.test(character),
  s: (character: string) => /\s/.test(character),
  S: (character: string) => !/\s/.test(character),
});

/** A state that reads a character, or forks. */
interface State {
  test?: (character: string) => boolean;
  next: number[];
}

/** Thompson's construction, run on all states at once. */
class Program {
  private readonly states: State[] = [];
  private readonly start: number;
  private readonly end: number;
  private readonly overflow: () => never;

  constructor(node: Node, overflow: () => never) {
    this.overflow = overflow;
    this.end = this.addState({ next: [] });
    this.start = this.build(node, this.end);
  }

  matches(text: string): boolean {
    let current = new Set<number>();
    this.enter(this.start, current);
    for (const character of text) {
      const following = new Set<number>();
      for (const number of current) {
        const state = this.states[number]!;
        if (state.test?.(character)) for (const next of state.next) this.enter(next, following);
      }
      if (following.size === 0) return false;
      current = following;
    }
    return current.has(this.end);
  }

  /** Adds the states that read `node` and go on to `then`; returns the first. */
  private build(node: Node, then: number): number {
    if (node.type === 'set') return this.addState({ test: node.test, next: [then] });
    if (node.type === 'sequence') return node.items.reduceRight((next, item) => this.build(item, next), then);
    if (node.type === 'choice') return this.addState({ next: node.options.map((option) => this.build(option, then)) });
    return this.buildRepeat(node.item, node.least, node.most, then);
  }

  private buildRepeat(item: Node, least: number, most: number, then: number): number {
    let next = then;
    if (most === Number.POSITIVE_INFINITY) {
      const loop = this.addState({ next: [then] });
      this.states[loop]!.next.unshift(this.build(item, loop));
      next = loop;
    } else {
      for (let i = least; i < most; i++) next = this.addState({ next: [this.build(item, next), then] });
    }
    for (let i = 0; i < least; i++) next = this.build(item, next);
    return next;
  }

  private addState(state: State): number {
    if (this.states.length >= MAX_STATES) this.overflow();
    return this.states.push(state) - 1;
  }

  private enter(number: number, into: Set<number>): void {
    const waiting = [number];
    while (waiting.length > 0) {
      const at = waiting.pop()!;
      if (into.has(at)) continue;
      into.add(at);
      const state = this.states[at]!;
      if (state.test === undefined) waiting.push(...state.next);
    }
  }
}

import { querySyntaxError } from './scanner.ts';

/** A regular expression as a tree. */
export type RegExpNode =
  | { readonly type: 'set'; readonly test: (character: string) => boolean }
  | { readonly type: 'sequence'; readonly items: readonly RegExpNode[] }
  | { readonly type: 'choice'; readonly options: readonly RegExpNode[] }
  | { readonly type: 'repeat'; readonly item: RegExpNode; readonly least: number; readonly most: number };

/** Parses a regular expression in a query at `base`. */
export class RegExpParser {
  readonly #pattern: readonly string[];
  readonly #query: string;
  readonly #base: number;
  #at = 0;
  #depth = 0;

  constructor(pattern: string, query: string, base: number) {
    this.#pattern = Array.from(pattern);
    this.#query = query;
    this.#base = base;
  }

  parse(): RegExpNode {
    const node = this.#choice();
    if (this.#at < this.#pattern.length) this.fail(`has an unexpected ${this.#pattern[this.#at]}`);
    return node;
  }

  fail(problem: string, expected: readonly string[] = []): never {
    const offset = Math.min(this.#base + this.#pattern.slice(0, this.#at).join('').length, this.#query.length);
    throw querySyntaxError(this.#query, offset, `the regular expression ${problem}`, expected);
  }

  #choice(): RegExpNode {
    if (++this.#depth > 50) this.fail('nests more than 50 deep');
    const options = [this.#sequence()];
    while (this.#take('|')) options.push(this.#sequence());
    this.#depth--;
    return options.length === 1 ? options[0] : { type: 'choice', options };
  }

  #sequence(): RegExpNode {
    const items: RegExpNode[] = [];
    while (this.#at < this.#pattern.length && this.#peek() !== '|' && this.#peek() !== ')')
      items.push(this.#repeated());
    return { type: 'sequence', items };
  }

  #repeated(): RegExpNode {
    let node = this.#atom();
    for (let count = 0; ; count++) {
      const range = this.#quantifier();
      if (range === undefined) return node;
      if (count >= 10) this.fail('repeats a repetition more than 10 times');
      node = { type: 'repeat', item: node, least: range[0], most: range[1] };
    }
  }

  #quantifier(): readonly [number, number] | undefined {
    if (this.#take('*')) return [0, Number.POSITIVE_INFINITY];
    if (this.#take('+')) return [1, Number.POSITIVE_INFINITY];
    if (this.#take('?')) return [0, 1];
    if (!this.#take('{')) return undefined;
    const least = this.#number();
    const most = this.#take(',') ? (this.#peek() === '}' ? Number.POSITIVE_INFINITY : this.#number()) : least;
    if (!this.#take('}')) this.fail('has an open {', ['}']);
    if (most < least) this.fail('has a repetition that ends before it starts');
    return [least, most];
  }

  #number(): number {
    const start = this.#at;
    while (/[0-9]/.test(this.#peek())) this.#at++;
    const text = this.#pattern.slice(start, this.#at).join('');
    if (text === '' || Number(text) > 1000) this.fail('has a repetition out of range', ['a number from 0 to 1000']);
    return Number(text);
  }

  #atom(): RegExpNode {
    if (this.#take('(')) {
      const node = this.#choice();
      if (!this.#take(')')) this.fail('has an open (', [')']);
      return node;
    }
    if (this.#take('[')) return { type: 'set', test: this.#characterClass() };
    if (this.#take('.')) return { type: 'set', test: () => true };
    if (this.#take('\\')) return { type: 'set', test: this.#escaped() };
    const character = this.#peek();
    if ('*+?{'.includes(character)) this.fail(`has nothing to repeat before ${character}`);
    this.#at++;
    return { type: 'set', test: (other) => other === character };
  }

  #escaped(): (character: string) => boolean {
    const character = this.#peek();
    if (character === '') this.fail('ends with a \\');
    this.#at++;
    const known = CLASSES.get(character.toLowerCase());
    if (known === undefined) return (other) => other === character;
    const isNegated = !CLASSES.has(character);
    return (other) => known.test(other) !== isNegated;
  }

  #characterClass(): (character: string) => boolean {
    const isNegated = this.#take('^');
    const tests: ((character: string) => boolean)[] = [];
    while (this.#peek() !== ']' || tests.length === 0) {
      if (this.#at >= this.#pattern.length) this.fail('has an open [', [']']);
      tests.push(this.#classItem());
    }
    this.#at++;
    return (character) => tests.some((test) => test(character)) !== isNegated;
  }

  #classItem(): (character: string) => boolean {
    if (this.#take('\\')) return this.#escaped();
    const first = this.#peek();
    this.#at++;
    if (this.#peek() !== '-' || this.#pattern[this.#at + 1] === ']' || this.#at + 1 >= this.#pattern.length) {
      return (character) => character === first;
    }
    this.#at++;
    this.#take('\\');
    const last = this.#peek();
    this.#at++;
    const [from, to] = [pointOf(first), pointOf(last || first)];
    return (character) => pointOf(character) >= from && pointOf(character) <= to;
  }

  #peek(): string {
    return this.#pattern[this.#at] ?? '';
  }

  #take(character: string): boolean {
    if (this.#peek() !== character) return false;
    this.#at++;
    return true;
  }
}

/** Classes by the letter of their escape; that in upper case is for all others. */
const CLASSES: ReadonlyMap<string, RegExp> = new Map([
  ['d', /\p{Nd}/u],
  ['w', /[\p{L}\p{M}\p{N}_]/u],
  ['s', /\s/],
]);

function pointOf(character: string): number {
  return character.codePointAt(0) ?? Number.NaN;
}

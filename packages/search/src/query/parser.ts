import type { Bound, Clause, Occur, Query } from './query.ts';
import { isLone, isWild, Scanner, textOf, toWildcardParts, type WordCharacter } from './scanner.ts';

/** Longest query, in UTF-16 units. */
export const MAX_QUERY_LENGTH = 32_768;
/** Most clauses of a query. */
export const MAX_CLAUSES = 4096;
/** Deepest nesting of parentheses. */
export const MAX_DEPTH = 64;

/**
 * Parses the query language: words, `"phrases"~slop`, `field:`, `AND OR NOT && || ! + -`, parentheses,
 * `[a TO b}`, `>=`, wildcards, `word~2`, `/regular expressions/`, `^boost`, `_exists_:field`, `*:*` and escapes with `\`.
 * NOT binds tightest, then AND, then OR; clauses side by side are each optional, as with OR.
 * @throws `ERR_QUERY_SYNTAX` (invalid) with the position and what was expected. Cost: O(length).
 */
export function parseQuery(text: string): Query {
  if (text.length > MAX_QUERY_LENGTH) {
    const problem = `a query has at most ${MAX_QUERY_LENGTH} characters; got ${text.length}`;
    new Scanner(text).fail(problem, [], MAX_QUERY_LENGTH);
  }
  return new Parser(text).parse();
}

/** A clause with the operator that was written before it. */
interface Marked {
  readonly mark: '+' | '-' | 'NOT' | undefined;
  readonly query: Query;
}

const OPERAND = ['a word', 'a phrase', 'a field', '('] as const;

class Parser {
  readonly #scanner: Scanner;
  #clauseCount = 0;

  constructor(text: string) {
    this.#scanner = new Scanner(text);
  }

  parse(): Query {
    const query = this.#parseClauses(undefined, 0);
    if (!this.#scanner.atEnd) this.#scanner.fail(`unexpected ${this.#scanner.peek()}`, ['a clause', 'the end']);
    return query;
  }

  /** Clauses side by side, up to a closing parenthesis or the end. */
  #parseClauses(field: string | undefined, depth: number): Query {
    const clauses: Clause[] = [];
    const scanner = this.#scanner;
    while (true) {
      scanner.skipSpace();
      if (scanner.atEnd || scanner.peek() === ')') break;
      clauses.push(...this.#parseDisjunction(field, depth));
    }
    return clauses.length === 1 && clauses[0].occur !== 'mustNot' ? clauses[0].query : { type: 'boolean', clauses };
  }

  #parseDisjunction(field: string | undefined, depth: number): Clause[] {
    const operands = [this.#parseConjunction(field, depth)];
    while (this.#takeOperator('OR', '||')) operands.push(this.#parseConjunction(field, depth));
    const isMarked = operands.some(({ mark }) => mark === '+' || mark === '-');
    if (operands.length === 1 || isMarked) return operands.map(toClause);
    const clauses = operands.map(({ mark, query }): Clause => {
      if (mark === undefined) return { occur: 'should', query };
      return { occur: 'should', query: { type: 'boolean', clauses: [{ occur: 'mustNot', query }] } };
    });
    return [{ occur: 'should', query: { type: 'boolean', clauses } }];
  }

  #parseConjunction(field: string | undefined, depth: number): Marked {
    const operands = [this.#parseMarked(field, depth)];
    while (this.#takeOperator('AND', '&&')) operands.push(this.#parseMarked(field, depth));
    if (operands.length === 1) return operands[0];
    const clauses = operands.map(
      ({ mark, query }): Clause => ({ occur: mark === '-' || mark === 'NOT' ? 'mustNot' : 'must', query }),
    );
    return { mark: undefined, query: { type: 'boolean', clauses } };
  }

  #takeOperator(keyword: string, symbol: string): boolean {
    this.#scanner.skipSpace();
    const start = this.#scanner.offset;
    if (!this.#scanner.takeKeyword(keyword) && !this.#scanner.take(symbol)) return false;
    this.#scanner.skipSpace();
    if (this.#scanner.atEnd || this.#scanner.peek() === ')') {
      this.#scanner.fail(`${keyword} has nothing on its right`, OPERAND, Math.max(this.#scanner.offset, start));
    }
    return true;
  }

  #parseMarked(field: string | undefined, depth: number): Marked {
    const scanner = this.#scanner;
    scanner.skipSpace();
    this.#refuseLeadingOperator();
    if (scanner.takeKeyword('NOT')) {
      scanner.skipSpace();
      return { mark: 'NOT', query: this.#parseOperand(field, depth) };
    }
    const mark = scanner.peek();
    if ((mark === '+' || mark === '-' || mark === '!') && !scanner.isSpaceAt(1)) {
      scanner.offset++;
      return { mark: mark === '!' ? 'NOT' : mark, query: this.#parseOperand(field, depth) };
    }
    return { mark: undefined, query: this.#parseOperand(field, depth) };
  }

  #refuseLeadingOperator(): void {
    const scanner = this.#scanner;
    const start = scanner.offset;
    for (const keyword of ['AND', 'OR']) {
      if (scanner.takeKeyword(keyword)) scanner.fail(`${keyword} has nothing on its left`, OPERAND, start);
    }
    for (const symbol of ['&&', '||']) {
      if (scanner.take(symbol)) scanner.fail(`${symbol} has nothing on its left`, OPERAND, start);
    }
  }

  #parseOperand(field: string | undefined, depth: number, isFieldValue = false): Query {
    const scanner = this.#scanner;
    if (++this.#clauseCount > MAX_CLAUSES) scanner.fail(`a query has at most ${MAX_CLAUSES} clauses`, []);
    if (scanner.take('(')) return this.#parseBoost(this.#parseGroup(field, depth));
    if (scanner.peek() === '"') return this.#parseBoost(this.#parsePhrase(field));
    if (scanner.peek() === '[' || scanner.peek() === '{') return this.#parseBoost(parseRange(scanner, field));
    if (scanner.peek() === '/' && this.#closesRegExp()) return this.#parseBoost(this.#parseRegExp(field));
    return this.#parseWordOrField(field, depth, isFieldValue);
  }

  #parseGroup(field: string | undefined, depth: number): Query {
    const scanner = this.#scanner;
    const start = scanner.offset - 1;
    if (depth >= MAX_DEPTH) scanner.fail(`parentheses nest at most ${MAX_DEPTH} deep`, [], start);
    const query = this.#parseClauses(field, depth + 1);
    if (!scanner.take(')')) scanner.fail('a parenthesis is not closed', [')'], scanner.offset);
    return query;
  }

  #parsePhrase(field: string | undefined): Query {
    const text = this.#scanner.readDelimited('"', 'a phrase', false);
    let slop = 0;
    if (this.#scanner.take('~'))
      slop = this.#readNumber('a slop', (n) => Number.isInteger(n) && n >= 0, ['a whole number']);
    return { type: 'phrase', field, text, slop };
  }

  /** A slash opens a regular expression only when another closes it; else it is text, as in a path. */
  #closesRegExp(): boolean {
    const { text, offset } = this.#scanner;
    for (let i = offset + 1; i < text.length; i++) {
      if (text[i] === '\\') i++;
      else if (text[i] === '/') return true;
    }
    return false;
  }

  #parseRegExp(field: string | undefined): Query {
    const offset = this.#scanner.offset + 1;
    return { type: 'regexp', field, pattern: this.#scanner.readDelimited('/', 'a regular expression', true), offset };
  }

  #parseWordOrField(field: string | undefined, depth: number, isFieldValue: boolean): Query {
    const scanner = this.#scanner;
    const start = scanner.offset;
    const characters = scanner.readWord();
    if (characters.length === 0) scanner.fail(`unexpected ${scanner.peek() || 'end'}`, OPERAND, start);
    if (isFieldValue && scanner.peek() === ':') scanner.fail('unexpected :', ['\\:', 'quotes around the value']);
    if (!scanner.take(':')) return this.#parseWordEnd(field, characters);
    return this.#parseField(textOf(characters), depth);
  }

  #parseField(field: string, depth: number): Query {
    const scanner = this.#scanner;
    scanner.skipSpace();
    if (scanner.atEnd || scanner.peek() === ')')
      scanner.fail(`the field ${JSON.stringify(field)} has no value`, OPERAND);
    if (field === '_exists_') return this.#parseBoost(this.#parseExists());
    const comparison = COMPARISONS.find((operator) => scanner.take(operator));
    if (comparison !== undefined) return this.#parseBoost(parseComparison(scanner, field, comparison));
    if (field === '*' && scanner.peek() === '*' && scanner.isSpaceAt(1)) {
      scanner.offset++;
      return { type: 'all' };
    }
    return this.#parseOperand(field, depth, true);
  }

  #parseExists(): Query {
    const characters = this.#scanner.peek() === '"' ? undefined : this.#scanner.readWord();
    const field = characters === undefined ? this.#scanner.readDelimited('"', 'a field', false) : textOf(characters);
    if (field === '') this.#scanner.fail('_exists_ names no field', ['a field']);
    return { type: 'exists', field };
  }

  #parseWordEnd(field: string | undefined, characters: readonly WordCharacter[]): Query {
    if (isLone(characters, '*')) {
      return this.#parseBoost(field === undefined || field === '*' ? { type: 'all' } : { type: 'exists', field });
    }
    if (characters.some(isWild)) {
      return this.#parseBoost({ type: 'wildcard', field, parts: toWildcardParts(characters) });
    }
    const text = textOf(characters);
    if (!this.#scanner.take('~')) return this.#parseBoost({ type: 'term', field, text });
    const isDistance = (n: number): boolean => (Number.isInteger(n) && n >= 0 && n <= 2) || (n > 0 && n < 1);
    const given = this.#readNumber('a fuzzy distance', isDistance, ['0', '1', '2'], 2);
    return this.#parseBoost({ type: 'fuzzy', field, text, distance: Number.isInteger(given) ? given : 2 });
  }

  #parseBoost(query: Query): Query {
    if (!this.#scanner.take('^')) return query;
    const boost = this.#readNumber('a boost', (n) => n >= 0 && n <= 1e6, ['a number from 0 to 1000000']);
    return { type: 'boost', query, boost };
  }

  #readNumber(name: string, accepts: (n: number) => boolean, expected: readonly string[], fallback?: number): number {
    const scanner = this.#scanner;
    const start = scanner.offset;
    while (/[0-9.]/.test(scanner.peek())) scanner.offset++;
    const text = scanner.text.slice(start, scanner.offset);
    if (text === '' && fallback !== undefined) return fallback;
    if (!/^\d+(\.\d+)?$/.test(text) || !accepts(Number(text))) scanner.fail(`${name} is not valid`, expected, start);
    return Number(text);
  }
}

const OCCUR_OF_MARK: Readonly<Record<'+' | '-' | 'NOT', Occur>> = { '+': 'must', '-': 'mustNot', NOT: 'mustNot' };

function toClause({ mark, query }: Marked): Clause {
  return { occur: mark === undefined ? 'should' : OCCUR_OF_MARK[mark], query };
}

/** Operators before a lone bound, longer first. */
const COMPARISONS = ['>=', '<=', '>', '<'] as const;

/** Reads `[a TO b}` from its opening bracket on. */
function parseRange(scanner: Scanner, field: string | undefined): Query {
  const start = scanner.offset;
  const includesLower = scanner.peek() === '[';
  scanner.offset++;
  const lower = readBound(scanner);
  scanner.skipSpace();
  if (!scanner.takeKeyword('TO')) scanner.fail('a range lacks TO', ['TO']);
  const upper = readBound(scanner);
  scanner.skipSpace();
  const close = scanner.peek();
  if (close !== ']' && close !== '}') {
    scanner.fail('a range is not closed', [']', '}'], scanner.atEnd ? start : scanner.offset);
  }
  scanner.offset++;
  return {
    type: 'range',
    field,
    lower: lower === undefined ? undefined : { value: lower, inclusive: includesLower },
    upper: upper === undefined ? undefined : { value: upper, inclusive: close === ']' },
  };
}

function parseComparison(scanner: Scanner, field: string, operator: (typeof COMPARISONS)[number]): Query {
  const value = readBound(scanner);
  const bound: Bound | undefined = value === undefined ? undefined : { value, inclusive: operator.length === 2 };
  return operator.startsWith('>') ? { type: 'range', field, lower: bound } : { type: 'range', field, upper: bound };
}

/** One end of a range; `undefined` for `*`. A colon is part of it, as in a time. */
function readBound(scanner: Scanner): string | undefined {
  scanner.skipSpace();
  if (scanner.peek() === '"') return scanner.readDelimited('"', 'the end of a range', false);
  const characters: WordCharacter[] = [];
  while (true) {
    characters.push(...scanner.readWord());
    if (scanner.peek() !== ':') break;
    characters.push({ text: ':', escaped: true });
    scanner.offset++;
  }
  if (characters.length === 0) scanner.fail('a range lacks an end', ['a value', '*']);
  return isLone(characters, '*') ? undefined : textOf(characters);
}

import { isCodedError } from '@cairn/errors';
import { EOF, expectedIn, nameOf, perform, symbolOf, TABLE } from './grammar.ts';
import { INVALID, Lexer } from './lexer.ts';
import { brokenRule, tooDeep, tooManyParts, unexpectedToken } from './syntax-error.ts';

/** States on the stack of the parser: some hundred levels of parentheses or groups. */
const MAX_STATES = 4096;

/** The most parts of one operation: the semantic actions and the planner compare them with one another. */
export const MAX_PARTS: number = 2048;

/** What counts as a part: patterns, filters and the like; not the values and triples of data. */
const PARTS = new Set(
  [
    'GraphNodePath',
    'GraphPatternNotTriples',
    'GroupGraphPattern',
    'PathElt',
    'PathOneInPropertySet',
    'SubSelect',
    'SelectClauseItem',
    'GroupCondition',
    'OrderCondition',
    'Aggregate',
  ].map(symbolOf),
);

const IS_PART = Uint8Array.from(TABLE.symbols, (symbol) => (PARTS.has(symbol) ? 1 : 0));
const OPERATION = symbolOf('Update1');

/** Runs the tables of the grammar over a text, as an LALR parser does, some tokens at a time. */
export class GrammarRun {
  readonly #lexer: Lexer;
  readonly #states: number[] = [0];
  readonly #values: unknown[] = [null];
  #parts = 0;

  constructor(text: string) {
    this.#lexer = new Lexer(text);
  }

  /**
   * Takes at most so many tokens; gives what the grammar's first production gives, `undefined` while there are more.
   * @throws `ERR_SPARQL_SYNTAX` (invalid) where the text is not in the grammar, or breaks a rule beside it;
   * `ERR_SPARQL_DEPTH`, `ERR_SPARQL_LENGTH` (too-large).
   */
  advance(tokens: number): unknown {
    try {
      return this.#advance(tokens);
    } catch (error) {
      if (isCodedError(error)) throw error;
      const { text, start } = this.#lexer;
      throw error instanceof RangeError ? tooDeep(error) : brokenRule(text, start, error);
    }
  }

  #advance(tokens: number): unknown {
    const { actions, width, defaults } = TABLE;
    const lexer = this.#lexer;
    const states = this.#states;
    const values = this.#values;
    let symbol = 0;
    let isRead = false;
    for (let shifted = 0; shifted < tokens || isRead; ) {
      const state = states[states.length - 1];
      let action = -defaults[state];
      if (action === 0) {
        if (!isRead) symbol = lexer.next();
        isRead = true;
        action = symbol === INVALID ? 0 : actions[state * width + symbol];
      }
      if (action > 0) {
        if (states.length >= MAX_STATES) throw tooDeep();
        states.push(action - 1);
        values.push(lexer.token);
        isRead = false;
        shifted++;
      } else if (action < 0) {
        this.#countPart(-action);
        const tree = reduce(-action, states, values);
        if (tree !== undefined) return tree;
      } else {
        throw unexpectedToken(lexer.text, lexer.start, nameFound(symbol), expectedIn(state));
      }
    }
    return undefined;
  }

  #countPart(production: number): void {
    if (TABLE.symbols[production] === OPERATION) this.#parts = 0;
    else if (IS_PART[production] === 1 && ++this.#parts > MAX_PARTS) throw tooManyParts(MAX_PARTS);
  }
}

function nameFound(symbol: number): string {
  if (symbol === EOF) return 'the end';
  return symbol === INVALID ? 'a character no token starts with' : nameOf(symbol);
}

const SHARED = {};
const made: { $: unknown } = { $: undefined };

/** Replaces the symbols of a production by the one they make; the first production gives the tree of the text. */
function reduce(production: number, states: number[], values: unknown[]): unknown {
  const length = TABLE.lengths[production];
  made.$ = values[values.length - length];
  const tree = perform.call(made, '', 0, 0, SHARED, production, values);
  if (tree !== undefined) return tree;
  // Popping is many times faster than setting a length.
  for (let i = 0; i < length; i++) {
    states.pop();
    values.pop();
  }
  values.push(made.$);
  const state = states[states.length - 1];
  states.push(TABLE.actions[state * TABLE.width + TABLE.symbols[production]] - 1);
  return undefined;
}

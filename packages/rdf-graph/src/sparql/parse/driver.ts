import { isCodedError } from '@cairn/errors';
import type * as RDF from '@rdfjs/types';
import { BlankNodeScopes } from './blank-node-scopes.ts';
import { EOF, expectedIn, leaveText, nameOf, perform, symbolOf, TABLE } from './grammar.ts';
import { INVALID, Lexer } from './lexer.ts';
import { repairOf } from './repairs.ts';
import { ruleOf } from './rules.ts';
import { brokenRule, tooDeep, tooLong, tooManyParts, unexpectedToken } from './syntax-error.ts';

/** States on the stack of the parser: some hundred levels of parentheses or groups. */
const MAX_STATES = 4096;

/** The most parts of one operation: the semantic actions and the planner compare them with one another. */
export const MAX_PARTS: number = 2048;

/** Constructs that count as parts: patterns, filters and the like; not the values and triples of data. */
const PARTS = [
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
].map(symbolOf);

/** A short text may name IRIs of this length altogether, written out, in UTF-16 units. */
const FREE_IRI_UNITS = 2 ** 20;

/** How many times as long as the text its IRIs may be, written out: prefixes of some 200 characters are never too long. */
const IRI_RATIO = 64;

/**
 * The most that the squares of the lengths of all bases may add up to, one base of 8,192 characters: sparqljs takes a
 * base apart by a regular expression that tries every place of it.
 */
const MAX_BASE_WORK = 2 ** 26;

const OPERATION = symbolOf('Update1');
const IRI = symbolOf('iri');
const BASE_DECLARATION = symbolOf('BaseDecl');

/** 1 for each production of one of some symbols, else 0. */
function productionsOf(symbols: readonly number[]): Uint8Array {
  return Uint8Array.from(TABLE.symbols, (symbol) => (symbols.includes(symbol) ? 1 : 0));
}

const IS_PART = productionsOf(PARTS);
const IS_COUNTED = productionsOf([OPERATION, ...PARTS]);
/** Constructs by which a prefix or a base is written out. */
const WRITES_OUT = productionsOf([IRI, BASE_DECLARATION, symbolOf('PrefixDecl')]);

const RULES = TABLE.lengths.reduce<ReturnType<typeof ruleOf>[]>((rules, _, production) => {
  rules.push(ruleOf(TABLE.symbols[production]));
  return rules;
}, []);
const REPAIRS = RULES.map((_, production) => repairOf(TABLE.symbols[production]));

/** Runs the tables of the grammar over a text, as an LALR parser does, some tokens at a time. */
export class GrammarRun {
  readonly #lexer: Lexer;
  readonly #states: number[] = [0];
  readonly #values: unknown[] = [null];
  readonly #maxIriUnits: number;
  readonly #blankNodes = new BlankNodeScopes();
  #parts = 0;
  #iriUnits = 0;
  #baseWork = 0;

  constructor(text: string, baseIri: string) {
    this.#lexer = new Lexer(text);
    this.#maxIriUnits = FREE_IRI_UNITS + IRI_RATIO * text.length;
    this.#countBase(baseIri);
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

  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: hot: every token of a query comes through here
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
        const token = lexer.tokenOf(symbol);
        this.#blankNodes.take(symbol, token);
        states.push(action - 1);
        values.push(token);
        isRead = false;
        shifted++;
      } else if (action < 0) {
        if (IS_COUNTED[-action] === 1) this.#countPart(-action);
        const tree = reduce(-action, states, values);
        if (tree !== undefined) return tree;
        if (WRITES_OUT[-action] === 1) this.#countIri(-action, values[values.length - 1]);
      } else {
        throw unexpectedToken(lexer.text, lexer.start, nameFound(symbol), expectedIn(state));
      }
    }
    return undefined;
  }

  #countPart(production: number): void {
    if (TABLE.symbols[production] === OPERATION) {
      this.#parts = 0;
      this.#blankNodes.restart();
    } else if (IS_PART[production] === 1 && ++this.#parts > MAX_PARTS) throw tooManyParts(MAX_PARTS);
  }

  /** A long prefix or base that is written once and named thousands of times would be thousands of times as long. */
  #countIri(production: number, value: unknown): void {
    const symbol = TABLE.symbols[production];
    if (symbol === BASE_DECLARATION) this.#countBase(leaveText().base);
    // What a declaration adds to the base stands in the text itself.
    this.#iriUnits += symbol === IRI ? (value as RDF.NamedNode).value.length : leaveText().base.length;
    const most = this.#maxIriUnits;
    if (this.#iriUnits <= most) return;
    throw tooLong(`the IRIs of this SPARQL text, written out, have at most ${most} characters; got more`);
  }

  #countBase(base: string): void {
    this.#baseWork += base.length ** 2;
    if (this.#baseWork <= MAX_BASE_WORK) return;
    const most = Math.sqrt(MAX_BASE_WORK);
    throw tooLong(`the base of a SPARQL text has at most ${most} characters, several together less; got more`);
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
  REPAIRS[production]?.(values);
  made.$ = values[values.length - length];
  const tree = perform.call(made, '', 0, 0, SHARED, production, values);
  if (tree !== undefined) return tree;
  made.$ = RULES[production]?.(made.$, values, length) ?? made.$;
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

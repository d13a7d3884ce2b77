import type * as RDF from '@rdfjs/types';
import sparqljs from 'sparqljs';
import { dataFactory } from '../../rdf/data-factory.ts';
import { namedNode } from '../../rdf/terms.ts';

/** Internals of sparqljs's generated parser that are used here. */
interface Generated {
  readonly symbols_: Readonly<Record<string, number>>;
  readonly terminals_: Readonly<Record<number, string>>;
  readonly productions_: readonly (0 | readonly [symbol: number, length: number])[];
  readonly defaultActions: Readonly<Record<number, readonly [number, number]>>;
  readonly table: readonly Readonly<Record<number, number | readonly [number, number?]>>[];
  readonly performAction: Perform;
  readonly Parser: TextState;
}

/** A semantic action: reads the values of a production's symbols from the stack, leaves the new one in `this.$`. */
type Perform = (
  this: { $: unknown },
  text: string,
  length: number,
  line: number,
  shared: object,
  production: number,
  values: unknown[],
) => unknown;

const generated = Object.getPrototypeOf(new sparqljs.Parser()) as Generated;

/** The end of the text as a terminal. */
export const EOF: number = generated.symbols_['EOF'];

/** The grammar's action for each state and symbol: 0 is an error, `n > 0` goes to state `n - 1`, `n < 0` reduces `-n`. */
interface ActionTable {
  readonly actions: Int16Array;
  readonly width: number;
  /** Per state the production it reduces by whatever comes, 0 for none. */
  readonly defaults: Int16Array;
  readonly lengths: Uint8Array;
  readonly symbols: Uint16Array;
}

const SHIFT = 1;

function createTable({ table, productions_, defaultActions, symbols_ }: Generated): ActionTable {
  const width = Math.max(...Object.values(symbols_)) + 1;
  const actions = new Int16Array(table.length * width);
  table.forEach((row, state) => {
    for (const [symbol, action] of Object.entries(row)) actions[state * width + Number(symbol)] = encode(action);
  });
  return {
    actions,
    width,
    defaults: Int16Array.from(table, (_, state) => defaultActions[state]?.[1] ?? 0),
    lengths: Uint8Array.from(productions_, (production) => (production === 0 ? 0 : production[1])),
    symbols: Uint16Array.from(productions_, (production) => (production === 0 ? 0 : production[0])),
  };
}

function encode(action: number | readonly [number, number?]): number {
  if (typeof action === 'number') return action + 1;
  const [kind, target = 0] = action;
  return kind === SHIFT ? target + 1 : -target;
}

export const TABLE: ActionTable = createTable(generated);

/** sparqljs's semantic actions. */
export const perform: Perform = generated.performAction;

export function symbolOf(name: string): number {
  const symbol = generated.symbols_[name];
  if (symbol === undefined) throw new TypeError(`the grammar has no symbol ${name}`);
  return symbol;
}

export function nameOf(symbol: number): string {
  return generated.terminals_[symbol] ?? 'INVALID';
}

export function expectedIn(state: number): string[] {
  const names: string[] = [];
  for (const symbol of Object.keys(generated.table[state])) {
    const name = generated.terminals_[Number(symbol)];
    if (name !== undefined && Number(symbol) > 2) names.push(name);
  }
  return names;
}

/** State of the semantic actions, which they keep outside of the parser. */
export interface TextState {
  readonly base: string;
  readonly prefixes: Record<string, string> | null;
}

/** Turns the semantic actions to a text: before each stretch of tokens, for other texts may have come between. */
export function enterText({ base, prefixes }: TextState): void {
  Object.assign(generated.Parser, SETTINGS, { base, prefixes });
}

export function leaveText(): TextState {
  const { base, prefixes } = generated.Parser;
  return { base, prefixes };
}

/** Escapes of prefixed names, which sparqljs leaves in the IRI. No IRI holds a backslash of its own. */
const LOCAL_ESCAPE = /\\([_~.\-!$&'()*+,;=/?#@%])/g;

/** A parsed text is kept for those who ask the same, and gives its terms into the answers of all of them. */
function frozen<Arguments extends unknown[], Term extends object>(
  create: (...given: Arguments) => Term,
): (...given: Arguments) => Term {
  return (...given) => Object.freeze(create(...given));
}

const QUERY_TERMS = {
  ...dataFactory,
  namedNode: frozen((iri: string) => namedNode(iri.includes('\\') ? iri.replace(LOCAL_ESCAPE, '$1') : iri)),
  blankNode: frozen(dataFactory.blankNode),
  literal: frozen(dataFactory.literal),
  variable: frozen(dataFactory.variable as (name: string) => RDF.Variable),
  quad: frozen(dataFactory.quad),
};

/** Selected columns are checked by rules of our own, in sub-queries and beside every aggregate too. */
const SETTINGS = { factory: QUERY_TERMS, sparqlStar: true, pathOnly: false, skipValidation: true };

import type * as RDF from '@rdfjs/types';
import { drawRandom } from '../../rdf/random-source.ts';
import { ExpressionError } from '../../xpath/expression-error.ts';

/** Context of a function beside its arguments. Everything is handed in; nothing is read from the machine. */
export interface FunctionContext {
  /** The instant of NOW(), milliseconds since the epoch; the same during one evaluation. */
  readonly nowMs: number;
  /** Random numbers in [0, 1). Without it RAND(), UUID() and STRUUID() raise an expression error. */
  readonly random: (() => number) | undefined;
  /** The base IRI of the query, for IRI(). */
  readonly baseIri: string | undefined;
  /** The blank node of BNODE(): fresh without a label; with a label the same one for each call within one solution. */
  blankNode(label: string | undefined): RDF.BlankNode;
  /** Counts steps of work of about ten nanoseconds; throws when they are too many. Without it nobody counts. */
  readonly spend?: ((steps: number) => void) | undefined;
}

/** One function, operator or cast. */
export interface FunctionDefinition {
  readonly minArgs: number;
  /** `Infinity` for any number. */
  readonly maxArgs: number;
  /**
   * The steps of a call, of about ten nanoseconds each, where the length of the arguments says too little. What a call
   * learns only while it works, it spends itself.
   */
  readonly cost?: ((args: readonly RDF.Term[]) => number) | undefined;
  /** Evaluates over bound arguments. @throws ExpressionError on a type error or a value outside of its domain */
  call(args: readonly RDF.Term[], context: FunctionContext): RDF.Term;
}

export type FunctionTable = ReadonlyMap<string, FunctionDefinition>;

/** A function of exactly so many arguments. */
export function taking(
  count: number,
  call: FunctionDefinition['call'],
  cost?: FunctionDefinition['cost'],
): FunctionDefinition {
  return { minArgs: count, maxArgs: count, cost, call };
}

/** A random number of a context. @throws ExpressionError without a random source */
export function draw({ random }: FunctionContext): number {
  if (random === undefined) throw new ExpressionError('no random source was given');
  return drawRandom(random);
}

/** The steps of a call; by default what it takes to read the arguments. */
export function costOf({ cost }: FunctionDefinition, args: readonly RDF.Term[]): number {
  return cost === undefined ? 4 + (totalLength(args) >> 4) : cost(args);
}

export function totalLength(terms: readonly RDF.Term[]): number {
  let length = 0;
  for (let i = 0; i < terms.length; i++) length += terms[i].value.length;
  return length;
}

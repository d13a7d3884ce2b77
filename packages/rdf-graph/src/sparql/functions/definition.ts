import type * as RDF from '@rdfjs/types';

/** What a function may ask for besides its arguments. Everything is handed in; nothing is read from the machine. */
export interface FunctionContext {
  /** The instant of NOW(), milliseconds since the epoch; the same during one evaluation. */
  readonly nowMs: number;
  /** Random numbers in [0, 1). Without it RAND(), UUID() and STRUUID() raise an expression error. */
  readonly random: (() => number) | undefined;
  /** The base IRI of the query, for IRI(). */
  readonly baseIri: string | undefined;
  /**
   * The blank node of BNODE(): a fresh one without a label; with a label the same one for each call within one solution.
   */
  blankNode(label: string | undefined): RDF.BlankNode;
}

/** One function, operator or cast. */
export interface FunctionDefinition {
  readonly minArgs: number;
  /** `Infinity` for any number. */
  readonly maxArgs: number;
  /**
   * Evaluates over bound arguments.
   * @throws ExpressionError on a type error or a value outside the function's domain.
   */
  call(args: readonly RDF.Term[], context: FunctionContext): RDF.Term;
}

/** Definitions by name. */
export type FunctionTable = ReadonlyMap<string, FunctionDefinition>;

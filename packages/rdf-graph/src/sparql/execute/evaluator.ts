import type * as RDF from '@rdfjs/types';
import { type TermId, UNBOUND } from '../../store/term-kind.ts';
import { effectiveBooleanValue } from '../functions/effective-boolean-value.ts';
import { ExpressionError } from '../functions/expression-error.ts';
import { type Batch, idAt } from './batch.ts';
import type { Execution } from './execution.ts';

/** What a boolean test gives: the error of SPARQL's three-valued logic is a value here, not a throw. */
export const Truth = { error: -1, false: 0, true: 1 } as const;

/** A compiled expression. It keeps no state of its own: one may serve several evaluations at a time. */
export abstract class Evaluator {
  /** @throws ExpressionError */
  abstract term(x: Execution, batch: Batch, row: number): RDF.Term;

  /** The id of the value, 0 when there is an error. */
  id(x: Execution, batch: Batch, row: number): TermId {
    const term = this.value(x, batch, row);
    return term === undefined ? UNBOUND : x.idOf(term);
  }

  /** The effective boolean value as {@link Truth}. */
  test(x: Execution, batch: Batch, row: number): number {
    try {
      return effectiveBooleanValue(this.term(x, batch, row)) ? Truth.true : Truth.false;
    } catch (error) {
      return errorAs(error, Truth.error);
    }
  }

  /** The value where it is a number that a double holds well, else NaN: then ask for the term. */
  number(_x: Execution, _batch: Batch, _row: number): number {
    return Number.NaN;
  }

  /** The value, `undefined` when there is an error. */
  value(x: Execution, batch: Batch, row: number): RDF.Term | undefined {
    try {
      return this.term(x, batch, row);
    } catch (error) {
      return errorAs(error, undefined);
    }
  }
}

/** Gives a value for an expression error; any other error goes on. */
export function errorAs<Value>(error: unknown, value: Value): Value {
  if (error instanceof ExpressionError) return value;
  throw error;
}

/** The value of a variable. */
export class VariableEvaluator extends Evaluator {
  readonly slot: number;

  constructor(slot: number) {
    super();
    this.slot = slot;
  }

  override id(_x: Execution, batch: Batch, row: number): TermId {
    return idAt(batch, this.slot, row);
  }

  override term(x: Execution, batch: Batch, row: number): RDF.Term {
    const id = idAt(batch, this.slot, row);
    if (id === UNBOUND) throw new ExpressionError('unbound variable');
    return x.term(id);
  }

  override value(x: Execution, batch: Batch, row: number): RDF.Term | undefined {
    const id = idAt(batch, this.slot, row);
    return id === UNBOUND ? undefined : x.term(id);
  }

  override number(x: Execution, batch: Batch, row: number): number {
    const id = idAt(batch, this.slot, row);
    return id === UNBOUND ? Number.NaN : x.numbers.value(id);
  }
}

/** A fixed term. */
export class ConstantEvaluator extends Evaluator {
  readonly constant: RDF.Term;
  #askedBy: Execution | undefined;
  #id: TermId = UNBOUND;
  #number = Number.NaN;

  constructor(constant: RDF.Term) {
    super();
    this.constant = constant;
  }

  override term(): RDF.Term {
    return this.constant;
  }

  override id(x: Execution): TermId {
    this.#resolve(x);
    return this.#id;
  }

  override number(x: Execution): number {
    this.#resolve(x);
    return this.#number;
  }

  #resolve(x: Execution): void {
    if (this.#askedBy === x) return;
    this.#askedBy = x;
    this.#id = x.idOf(this.constant);
    this.#number = x.numbers.value(this.#id);
  }
}

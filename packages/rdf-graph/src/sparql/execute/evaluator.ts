import type * as RDF from '@rdfjs/types';
import { type TermId, UNBOUND } from '../../graph/port/term-kind.ts';
import { ExpressionError } from '../../xpath/expression-error.ts';
import { booleanLiteral, effectiveBooleanValue } from '../functions/effective-boolean-value.ts';
import { type Batch, idAt } from './batch.ts';
import type { Execution } from './execution.ts';

/** Result of a boolean test: the error of SPARQL's three-valued logic is a value here, not a throw. */
export const Truth = { error: -1, false: 0, true: 1 } as const;

/** A compiled expression. It keeps no state of its own: one may serve several evaluations at a time. */
export abstract class Evaluator {
  /** @throws ExpressionError */
  abstract term(execution: Execution, batch: Batch, row: number): RDF.Term;

  /** The id of the value, 0 when there is an error. */
  id(execution: Execution, batch: Batch, row: number): TermId {
    const term = this.value(execution, batch, row);
    return term === undefined ? UNBOUND : execution.idOf(term);
  }

  /** The effective boolean value as {@link Truth}. */
  test(execution: Execution, batch: Batch, row: number): number {
    try {
      return effectiveBooleanValue(this.term(execution, batch, row)) ? Truth.true : Truth.false;
    } catch (error) {
      return errorAs(error, Truth.error);
    }
  }

  /** The value where it is a number that a double holds well, else NaN: then ask for the term. */
  number(_execution: Execution, _batch: Batch, _row: number): number {
    return Number.NaN;
  }

  /** The value, `undefined` when there is an error. */
  value(execution: Execution, batch: Batch, row: number): RDF.Term | undefined {
    try {
      return this.term(execution, batch, row);
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

/** An evaluator that decides: its term is the boolean of its test. */
export abstract class TestEvaluator extends Evaluator {
  abstract override test(execution: Execution, batch: Batch, row: number): number;

  override term(execution: Execution, batch: Batch, row: number): RDF.Term {
    const truth = this.test(execution, batch, row);
    if (truth === Truth.error) throw new ExpressionError('the operands have no truth value');
    return booleanLiteral(truth === Truth.true);
  }
}

export class VariableEvaluator extends Evaluator {
  readonly slot: number;

  constructor(slot: number) {
    super();
    this.slot = slot;
  }

  override id(_execution: Execution, batch: Batch, row: number): TermId {
    return idAt(batch, this.slot, row);
  }

  override term(execution: Execution, batch: Batch, row: number): RDF.Term {
    const id = idAt(batch, this.slot, row);
    if (id === UNBOUND) throw new ExpressionError('unbound variable');
    return execution.term(id);
  }

  override value(execution: Execution, batch: Batch, row: number): RDF.Term | undefined {
    const id = idAt(batch, this.slot, row);
    return id === UNBOUND ? undefined : execution.term(id);
  }

  override number(execution: Execution, batch: Batch, row: number): number {
    const id = idAt(batch, this.slot, row);
    return id === UNBOUND ? Number.NaN : execution.numbers.value(id);
  }
}

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

  override id(execution: Execution): TermId {
    this.#resolve(execution);
    return this.#id;
  }

  override number(execution: Execution): number {
    this.#resolve(execution);
    return this.#number;
  }

  #resolve(execution: Execution): void {
    if (this.#askedBy === execution) return;
    this.#askedBy = execution;
    this.#id = execution.idOf(this.constant);
    this.#number = execution.numbers.value(this.#id);
  }
}

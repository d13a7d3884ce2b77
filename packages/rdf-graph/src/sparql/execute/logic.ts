import type * as RDF from '@rdfjs/types';
import { type TermId, TermKind, UNBOUND } from '../../store/term-kind.ts';
import { valueCompare, valueEquals } from '../functions/comparison.ts';
import { costOf, type FunctionDefinition } from '../functions/definition.ts';
import { booleanLiteral } from '../functions/effective-boolean-value.ts';
import { ExpressionError } from '../functions/expression-error.ts';
import { MAX_DIGITS } from '../functions/limits.ts';
import { type Batch, idAt } from './batch.ts';
import { ConstantEvaluator, Evaluator, errorAs, Truth, VariableEvaluator } from './evaluator.ts';
import type { Execution } from './execution.ts';
import { LOCAL_BASE } from './local-terms.ts';

/** An evaluator that decides: its term is the boolean of its test. */
abstract class TestEvaluator extends Evaluator {
  abstract override test(x: Execution, batch: Batch, row: number): number;

  override term(x: Execution, batch: Batch, row: number): RDF.Term {
    const truth = this.test(x, batch, row);
    if (truth === Truth.error) throw new ExpressionError('the operands have no truth value');
    return booleanLiteral(truth === Truth.true);
  }
}

/** `&&` and `||`: an error beside a deciding operand does not matter. */
export class JunctionEvaluator extends TestEvaluator {
  readonly #left: Evaluator;
  readonly #right: Evaluator;
  readonly #deciding: number;

  constructor(type: 'and' | 'or', left: Evaluator, right: Evaluator) {
    super();
    this.#left = left;
    this.#right = right;
    this.#deciding = type === 'and' ? Truth.false : Truth.true;
  }

  override test(x: Execution, batch: Batch, row: number): number {
    const left = this.#left.test(x, batch, row);
    if (left === this.#deciding) return left;
    const right = this.#right.test(x, batch, row);
    if (right === this.#deciding) return right;
    return left === Truth.error ? left : right;
  }
}

/** `!` */
export class NotEvaluator extends TestEvaluator {
  readonly #operand: Evaluator;

  constructor(operand: Evaluator) {
    super();
    this.#operand = operand;
  }

  override test(x: Execution, batch: Batch, row: number): number {
    const truth = this.#operand.test(x, batch, row);
    return truth === Truth.error ? truth : 1 - truth;
  }
}

/** BOUND */
export class BoundEvaluator extends TestEvaluator {
  readonly #slot: number;

  constructor(slot: number) {
    super();
    this.#slot = slot;
  }

  override test(_x: Execution, batch: Batch, row: number): number {
    return idAt(batch, this.#slot, row) === UNBOUND ? Truth.false : Truth.true;
  }
}

/** `=` and `!=`: by id where that decides, by double where both are plain numbers, else by the library. */
export class EqualityEvaluator extends TestEvaluator {
  readonly #left: Evaluator;
  readonly #right: Evaluator;
  readonly #negated: boolean;
  readonly #isDirect: boolean;

  constructor(left: Evaluator, right: Evaluator, negated: boolean) {
    super();
    this.#left = left;
    this.#right = right;
    this.#negated = negated;
    this.#isDirect = isDirect(left) && isDirect(right);
  }

  override test(x: Execution, batch: Batch, row: number): number {
    const truth = this.#isDirect ? this.#byId(x, batch, row) : this.#byTerm(x, batch, row);
    return truth === Truth.error || !this.#negated ? truth : 1 - truth;
  }

  #byId(x: Execution, batch: Batch, row: number): number {
    const a = this.#left.id(x, batch, row);
    const b = this.#right.id(x, batch, row);
    if (a === UNBOUND || b === UNBOUND) return Truth.error;
    const decided = equalByIds(x, a, b);
    return decided === undefined ? this.#byTerm(x, batch, row) : decided;
  }

  #byTerm(x: Execution, batch: Batch, row: number): number {
    try {
      const left = this.#left.term(x, batch, row);
      const right = this.#right.term(x, batch, row);
      x.work.spend(comparisonCost(left, right));
      const equal = valueEquals(left, right);
      return equal ? Truth.true : Truth.false;
    } catch (error) {
      return errorAs(error, Truth.error);
    }
  }
}

/** Texts are only looked at; long numbers are computed with, and may be no longer than some thousand digits. */
function comparisonCost(a: RDF.Term, b: RDF.Term): number {
  const length = a.value.length + b.value.length;
  return 2 + Math.min(length, MAX_DIGITS) + (length >> 3);
}

function isDirect(evaluator: Evaluator): boolean {
  return evaluator instanceof VariableEvaluator || evaluator instanceof ConstantEvaluator;
}

/** Whether two ids have equal values, where kinds and numbers decide that; else `undefined`. */
function equalByIds(x: Execution, a: TermId, b: TermId): number | undefined {
  if (a >= LOCAL_BASE || b >= LOCAL_BASE) return undefined;
  const kindA = x.dictionary.kind(a);
  const kindB = x.dictionary.kind(b);
  if (kindA <= TermKind.blankNode || kindB <= TermKind.blankNode) return a === b ? Truth.true : Truth.false;
  if (kindA === TermKind.string && kindB === TermKind.string) return a === b ? Truth.true : Truth.false;
  const numberA = x.numbers.value(a);
  const numberB = x.numbers.value(b);
  // NaN marks what doubles cannot decide.
  if (numberA === numberB) return Truth.true;
  return numberA < numberB || numberA > numberB ? Truth.false : undefined;
}

const COMPARISONS: Readonly<Record<string, (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '>': (order) => order > 0,
  '<=': (order) => order <= 0,
  '>=': (order) => order >= 0,
};

/** Whether a name is an order operator. */
export function isOrderOperator(name: string): boolean {
  return Object.hasOwn(COMPARISONS, name);
}

/** `<`, `>`, `<=`, `>=` */
export class OrderEvaluator extends TestEvaluator {
  readonly #holds: (order: number) => boolean;
  readonly #left: Evaluator;
  readonly #right: Evaluator;

  constructor(operator: string, left: Evaluator, right: Evaluator) {
    super();
    this.#holds = COMPARISONS[operator];
    this.#left = left;
    this.#right = right;
  }

  override test(x: Execution, batch: Batch, row: number): number {
    const difference = this.#left.number(x, batch, row) - this.#right.number(x, batch, row);
    if (!Number.isNaN(difference)) return this.#holds(difference) ? Truth.true : Truth.false;
    try {
      const left = this.#left.term(x, batch, row);
      const right = this.#right.term(x, batch, row);
      x.work.spend(comparisonCost(left, right));
      const order = valueCompare(left, right);
      return this.#holds(order) ? Truth.true : Truth.false;
    } catch (error) {
      return errorAs(error, Truth.error);
    }
  }
}

/** IN and NOT IN: a chain of equalities. */
export class MembershipEvaluator extends TestEvaluator {
  readonly #equalities: readonly Evaluator[];
  readonly #negated: boolean;

  constructor(value: Evaluator, list: readonly Evaluator[], negated: boolean) {
    super();
    this.#equalities = list.map((item) => new EqualityEvaluator(value, item, false));
    this.#negated = negated;
  }

  override test(x: Execution, batch: Batch, row: number): number {
    let truth: number = Truth.false;
    for (const equality of this.#equalities) {
      const member = equality.test(x, batch, row);
      if (member === Truth.true) return this.#negated ? Truth.false : Truth.true;
      if (member === Truth.error) truth = Truth.error;
    }
    return truth === Truth.error || !this.#negated ? truth : 1 - truth;
  }
}

/** IF */
export class IfEvaluator extends Evaluator {
  readonly #condition: Evaluator;
  readonly #then: Evaluator;
  readonly #otherwise: Evaluator;

  constructor(condition: Evaluator, then: Evaluator, otherwise: Evaluator) {
    super();
    this.#condition = condition;
    this.#then = then;
    this.#otherwise = otherwise;
  }

  override term(x: Execution, batch: Batch, row: number): RDF.Term {
    const truth = this.#condition.test(x, batch, row);
    if (truth === Truth.error) throw new ExpressionError('the condition of IF has no truth value');
    return (truth === Truth.true ? this.#then : this.#otherwise).term(x, batch, row);
  }
}

/** COALESCE */
export class CoalesceEvaluator extends Evaluator {
  readonly #args: readonly Evaluator[];

  constructor(args: readonly Evaluator[]) {
    super();
    this.#args = args;
  }

  override term(x: Execution, batch: Batch, row: number): RDF.Term {
    for (const arg of this.#args) {
      const value = arg.value(x, batch, row);
      if (value !== undefined) return value;
    }
    throw new ExpressionError('COALESCE found no value');
  }
}

/** A function or operator of the library. */
export class CallEvaluator extends Evaluator {
  readonly #definition: FunctionDefinition;
  readonly #args: readonly Evaluator[];

  constructor(definition: FunctionDefinition, args: readonly Evaluator[]) {
    super();
    this.#definition = definition;
    this.#args = args;
  }

  override term(x: Execution, batch: Batch, row: number): RDF.Term {
    const args = this.#args;
    const values: RDF.Term[] = new Array(args.length);
    for (let i = 0; i < args.length; i++) values[i] = args[i].term(x, batch, row);
    x.work.spend(costOf(this.#definition, values));
    return this.#definition.call(values, x.functions);
  }
}

/** A function that nobody knows: an error wherever it is called. */
export class UnknownFunctionEvaluator extends Evaluator {
  override term(): RDF.Term {
    throw new ExpressionError('unknown function');
  }
}

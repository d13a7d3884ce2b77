import type * as RDF from '@rdfjs/types';
import { type TermId, TermKind, UNBOUND } from '../../graph/port/term-kind.ts';
import { ExpressionError } from '../../xpath/expression-error.ts';
import { MAX_DIGITS } from '../../xpath/limits.ts';
import { valueCompare, valueEquals } from '../functions/comparison.ts';
import { costOf, type FunctionDefinition } from '../functions/definition.ts';
import { type Batch, idAt } from './batch.ts';
import { ConstantEvaluator, Evaluator, errorAs, TestEvaluator, Truth, VariableEvaluator } from './evaluator.ts';
import type { Execution } from './execution.ts';
import { LOCAL_BASE } from './local-terms.ts';

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

  override test(execution: Execution, batch: Batch, row: number): number {
    const left = this.#left.test(execution, batch, row);
    if (left === this.#deciding) return left;
    const right = this.#right.test(execution, batch, row);
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

  override test(execution: Execution, batch: Batch, row: number): number {
    const truth = this.#operand.test(execution, batch, row);
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

/** A comparison of two values, by their terms where ids and doubles do not decide. */
abstract class ComparisonEvaluator extends TestEvaluator {
  protected readonly left: Evaluator;
  protected readonly right: Evaluator;

  constructor(left: Evaluator, right: Evaluator) {
    super();
    this.left = left;
    this.right = right;
  }

  /** @throws ExpressionError for terms that cannot be compared */
  protected abstract holds(left: RDF.Term, right: RDF.Term): boolean;

  protected byTerm(execution: Execution, batch: Batch, row: number): number {
    try {
      const left = this.left.term(execution, batch, row);
      const right = this.right.term(execution, batch, row);
      execution.work.spend(comparisonCost(left, right));
      return this.holds(left, right) ? Truth.true : Truth.false;
    } catch (error) {
      return errorAs(error, Truth.error);
    }
  }
}

/** `=` and `!=`: by id where that decides, by double where both are plain numbers, else by the library. */
export class EqualityEvaluator extends ComparisonEvaluator {
  readonly #negated: boolean;
  readonly #isDirect: boolean;

  constructor(left: Evaluator, right: Evaluator, negated: boolean) {
    super(left, right);
    this.#negated = negated;
    this.#isDirect = isDirect(left) && isDirect(right);
  }

  override test(execution: Execution, batch: Batch, row: number): number {
    const truth = this.#isDirect ? this.#byId(execution, batch, row) : this.byTerm(execution, batch, row);
    return truth === Truth.error || !this.#negated ? truth : 1 - truth;
  }

  #byId(execution: Execution, batch: Batch, row: number): number {
    const a = this.left.id(execution, batch, row);
    const b = this.right.id(execution, batch, row);
    if (a === UNBOUND || b === UNBOUND) return Truth.error;
    return equalByIds(execution, a, b) ?? this.byTerm(execution, batch, row);
  }

  protected override holds(left: RDF.Term, right: RDF.Term): boolean {
    return valueEquals(left, right);
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

/** Returns true if two ids have equal values, where kinds and numbers decide that; else `undefined`. */
function equalByIds(execution: Execution, a: TermId, b: TermId): number | undefined {
  if (a >= LOCAL_BASE || b >= LOCAL_BASE) return undefined;
  const kindA = execution.dictionary.kind(a);
  const kindB = execution.dictionary.kind(b);
  if (kindA <= TermKind.blankNode || kindB <= TermKind.blankNode) return a === b ? Truth.true : Truth.false;
  if (kindA === TermKind.string && kindB === TermKind.string) return a === b ? Truth.true : Truth.false;
  const numberA = execution.numbers.value(a);
  const numberB = execution.numbers.value(b);
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

export function isOrderOperator(name: string): boolean {
  return Object.hasOwn(COMPARISONS, name);
}

/** `<`, `>`, `<=`, `>=` */
export class OrderEvaluator extends ComparisonEvaluator {
  readonly #holds: (order: number) => boolean;

  constructor(operator: string, left: Evaluator, right: Evaluator) {
    super(left, right);
    this.#holds = COMPARISONS[operator];
  }

  override test(execution: Execution, batch: Batch, row: number): number {
    const difference = this.left.number(execution, batch, row) - this.right.number(execution, batch, row);
    if (Number.isNaN(difference)) return this.byTerm(execution, batch, row);
    return this.#holds(difference) ? Truth.true : Truth.false;
  }

  protected override holds(left: RDF.Term, right: RDF.Term): boolean {
    return this.#holds(valueCompare(left, right));
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

  override test(execution: Execution, batch: Batch, row: number): number {
    let truth: number = Truth.false;
    for (const equality of this.#equalities) {
      const member = equality.test(execution, batch, row);
      if (member === Truth.true) return this.#negated ? Truth.false : Truth.true;
      if (member === Truth.error) truth = Truth.error;
    }
    return truth === Truth.error || !this.#negated ? truth : 1 - truth;
  }
}

/** An evaluator that computes a term. */
class TermEvaluator extends Evaluator {
  readonly #term: Evaluator['term'];

  constructor(term: Evaluator['term']) {
    super();
    this.#term = term;
  }

  override term(execution: Execution, batch: Batch, row: number): RDF.Term {
    return this.#term(execution, batch, row);
  }
}

export function conditional(condition: Evaluator, then: Evaluator, otherwise: Evaluator): Evaluator {
  return new TermEvaluator((execution, batch, row) => {
    const truth = condition.test(execution, batch, row);
    if (truth === Truth.error) throw new ExpressionError('the condition of IF has no truth value');
    return (truth === Truth.true ? then : otherwise).term(execution, batch, row);
  });
}

export function coalesce(args: readonly Evaluator[]): Evaluator {
  return new TermEvaluator((execution, batch, row) => {
    for (const arg of args) {
      const value = arg.value(execution, batch, row);
      if (value !== undefined) return value;
    }
    throw new ExpressionError('COALESCE found no value');
  });
}

/** A function or operator of the library. */
export function call(definition: FunctionDefinition, args: readonly Evaluator[]): Evaluator {
  return new TermEvaluator((execution, batch, row) => {
    const values: RDF.Term[] = new Array(args.length);
    for (let i = 0; i < args.length; i++) values[i] = args[i].term(execution, batch, row);
    execution.work.spend(costOf(definition, values));
    return definition.call(values, execution.functions);
  });
}

/** A function that nobody knows: an error wherever it is called. */
export function unknownFunction(): Evaluator {
  return new TermEvaluator(() => {
    throw new ExpressionError('unknown function');
  });
}

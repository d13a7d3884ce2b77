import type * as RDF from '@rdfjs/types';
import { toTermKey } from '../../rdf/term-key.ts';
import { stringLiteral } from '../../rdf/terms.ts';
import { ExpressionError, typeError } from '../../xpath/expression-error.ts';
import { MAX_TEXT_LENGTH } from '../../xpath/limits.ts';
import { add, divide } from './arithmetic.ts';
import { integerLiteral, integerValue, type NumericValue, numericLiteral } from './numeric.ts';
import { compareForOrder } from './order.ts';
import { toNumeric } from './value.ts';

/** The names of the aggregates, in lower case. */
export type AggregateName = 'count' | 'sum' | 'avg' | 'min' | 'max' | 'sample' | 'group_concat';

/** Options of {@link createAggregate}. */
export interface AggregateOptions {
  readonly distinct?: boolean | undefined;
  /** Between the parts of GROUP_CONCAT. Default one space. */
  readonly separator?: string | undefined;
}

/**
 * Collects the values of one group. For COUNT(*) the executor adds any term per solution, and drops equal solutions
 * itself for COUNT(DISTINCT *).
 */
export interface Aggregate {
  /** Takes the value of the expression in one solution; `undefined` when it raised an error or is unbound. */
  add(term: RDF.Term | undefined): void;
  /**
   * The value over everything added.
   * @throws ExpressionError when a value had an error (all but COUNT and SAMPLE), the result is too long or has too many
   *   digits, or MIN, MAX, SAMPLE saw none.
   */
  result(): RDF.Term;
}

/** An empty accumulator of an aggregate. Memory: O(1), with `distinct` O(values), GROUP_CONCAT O(text). */
export function createAggregate(name: AggregateName, options: AggregateOptions = {}): Aggregate {
  const aggregate = FACTORIES[name](options);
  return options.distinct === true ? createDistinct(aggregate) : aggregate;
}

const FACTORIES: Readonly<Record<AggregateName, (options: AggregateOptions) => Aggregate>> = {
  count: createCount,
  sum: createSum,
  avg: createAverage,
  min: () => createExtreme((order) => order < 0),
  max: () => createExtreme((order) => order > 0),
  sample: createSample,
  group_concat: createGroupConcat,
};

/** Passes each term on once. Two errors are alike, so one is enough. */
function createDistinct(inner: Aggregate): Aggregate {
  const seen = new Set<string>();
  return {
    add(term): void {
      const key = term === undefined ? '' : toTermKey(term);
      if (seen.has(key)) return;
      seen.add(key);
      inner.add(term);
    },
    result: () => inner.result(),
  };
}

function createCount(): Aggregate {
  let count = 0;
  return {
    add(term): void {
      if (term !== undefined) count++;
    },
    result: () => integerLiteral(count),
  };
}

const ZERO: NumericValue = integerValue(0);

/** The sum; `undefined` when it has too many digits. */
function boundedSum(a: NumericValue, b: NumericValue): NumericValue | undefined {
  try {
    return add(a, b);
  } catch (error) {
    if (error instanceof ExpressionError) return undefined;
    throw error;
  }
}

function createSum(): Aggregate {
  let sum: NumericValue | undefined = ZERO;
  return {
    add(term): void {
      const value = sum && toNumeric(term);
      sum = sum && value && boundedSum(sum, value);
    },
    result: () => numericLiteral(sum ?? typeError('sum')),
  };
}

function createAverage(): Aggregate {
  let sum: NumericValue | undefined = ZERO;
  let count = 0;
  return {
    add(term): void {
      const value = sum && toNumeric(term);
      sum = sum && value && boundedSum(sum, value);
      count++;
    },
    result(): RDF.Term {
      if (sum === undefined) return typeError('avg');
      return numericLiteral(count === 0 ? ZERO : divide(sum, integerValue(count)));
    },
  };
}

/** MIN and MAX follow ORDER BY, so terms of any kind compare. */
function createExtreme(isBetter: (order: number) => boolean): Aggregate {
  let best: RDF.Term | undefined;
  let failed = false;
  return {
    add(term): void {
      if (term === undefined) failed = true;
      else if (best === undefined || isBetter(compareForOrder(term, best))) best = term;
    },
    result(): RDF.Term {
      if (failed) return typeError('min or max');
      if (best === undefined) throw new ExpressionError('min or max of no values');
      return best;
    },
  };
}

function createSample(): Aggregate {
  let sample: RDF.Term | undefined;
  return {
    add(term): void {
      sample ??= term;
    },
    result(): RDF.Term {
      if (sample === undefined) throw new ExpressionError('sample of no values');
      return sample;
    },
  };
}

function createGroupConcat({ separator = ' ' }: AggregateOptions): Aggregate {
  let parts: string[] = [];
  let length = 0;
  let failed = false;
  return {
    add(term): void {
      if (failed) return;
      if (term?.termType === 'Literal' || term?.termType === 'NamedNode') {
        parts.push(term.value);
        length += term.value.length + separator.length;
        failed = length > MAX_TEXT_LENGTH + separator.length;
      } else failed = true;
      if (failed) parts = [];
    },
    result(): RDF.Term {
      if (failed) return typeError('group_concat');
      return stringLiteral(parts.join(separator));
    },
  };
}

import type * as RDF from '@rdfjs/types';
import { stringLiteral } from '../../rdf/terms.ts';
import { ExpressionError, typeError } from '../../xpath/expression-error.ts';
import { MAX_TEXT_LENGTH } from '../../xpath/limits.ts';
import { add, divide } from './arithmetic.ts';
import { integerValue, type NumericValue, numericLiteral } from './numeric.ts';
import { toNumeric } from './value.ts';

/** The names of the aggregates, in lower case. */
export type AggregateName = 'count' | 'min' | 'max' | AccumulatedName;

/** Those whose values are accumulated as terms; the executor counts and compares by ids. */
export type AccumulatedName = 'sum' | 'avg' | 'sample' | 'group_concat';

/** Collects the values of one group. */
export interface Aggregate {
  /** Takes the value of the expression in one solution; `undefined` when it raised an error or is unbound. */
  add(term: RDF.Term | undefined): void;
  /**
   * The value over everything added.
   * @throws ExpressionError when a value had an error (all but SAMPLE), the result is too long or has too many digits, or
   *   SAMPLE saw none.
   */
  result(): RDF.Term;
}

/**
 * An empty accumulator of an aggregate; `separator` stands between the parts of GROUP_CONCAT. Memory: O(1), GROUP_CONCAT
 * O(text).
 */
export function createAggregate(name: AccumulatedName, separator = ' '): Aggregate {
  if (name === 'sample') return createSample();
  return name === 'group_concat' ? createGroupConcat(separator) : createTotal(name);
}

/** The sum; `undefined` when it has too many digits. */
function boundedSum(a: NumericValue, b: NumericValue): NumericValue | undefined {
  try {
    return add(a, b);
  } catch (error) {
    if (error instanceof ExpressionError) return undefined;
    throw error;
  }
}

/** SUM, and AVG, which divides it. */
function createTotal(name: 'sum' | 'avg'): Aggregate {
  let sum: NumericValue | undefined = integerValue(0);
  let count = 0;
  return {
    add(term): void {
      const value = sum && toNumeric(term);
      sum = sum && value && boundedSum(sum, value);
      count++;
    },
    result(): RDF.Term {
      if (sum === undefined) return typeError(name);
      return numericLiteral(name === 'sum' || count === 0 ? sum : divide(sum, integerValue(count)));
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

function createGroupConcat(separator: string): Aggregate {
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
    result: () => (failed ? typeError('group_concat') : stringLiteral(parts.join(separator))),
  };
}

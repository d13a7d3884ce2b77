import { getAnalyzer } from '../analysis/analyzer.ts';
import { parseInstant } from '../mapping/instant.ts';
import type { Bound } from '../query/query.ts';
import type { NumericSpan, RangeSpans } from './plan.ts';

/**
 * Returns the spans of a range for each type of value. A bound that is no number matches no number, one that is no date
 * no instant; texts are compared by code point. A coarse date as a bound means all it names: `<= 2020` takes the whole
 * year in.
 */
export function toRangeSpans(lower: Bound | undefined, upper: Bound | undefined): RangeSpans {
  return {
    numbers: toNumberSpan(lower, upper),
    instants: toInstantSpan(lower, upper),
    keywords: { lower, upper },
    terms: { lower: toFolded(lower), upper: toFolded(upper) },
  };
}

function toNumberSpan(lower: Bound | undefined, upper: Bound | undefined): NumericSpan | undefined {
  const first = lower === undefined ? Number.NEGATIVE_INFINITY : toNumber(lower.value);
  const last = upper === undefined ? Number.POSITIVE_INFINITY : toNumber(upper.value);
  if (first === undefined || last === undefined) return undefined;
  return {
    first: lower === undefined || lower.inclusive ? first : nextAfter(first, 1),
    last: upper === undefined || upper.inclusive ? last : nextAfter(last, -1),
  };
}

function toInstantSpan(lower: Bound | undefined, upper: Bound | undefined): NumericSpan | undefined {
  const from = lower === undefined ? undefined : parseInstant(lower.value);
  const to = upper === undefined ? undefined : parseInstant(upper.value);
  if ((lower !== undefined && from === undefined) || (upper !== undefined && to === undefined)) return undefined;
  return {
    first: from === undefined ? Number.NEGATIVE_INFINITY : lower?.inclusive ? from.first : from.last + 1,
    last: to === undefined ? Number.POSITIVE_INFINITY : upper?.inclusive ? to.last : to.first - 1,
  };
}

function toFolded(bound: Bound | undefined): Bound | undefined {
  if (bound === undefined) return undefined;
  return { value: getAnalyzer('simple').toTerm(bound.value) ?? bound.value, inclusive: bound.inclusive };
}

function toNumber(text: string): number | undefined {
  const number = Number(text);
  return text.trim() === '' || Number.isNaN(number) ? undefined : number;
}

const bits = new DataView(new ArrayBuffer(8));

/** The next double above (`direction` 1) or below (-1). */
function nextAfter(value: number, direction: 1 | -1): number {
  if (!Number.isFinite(value)) return value;
  if (value === 0) return direction * Number.MIN_VALUE;
  bits.setFloat64(0, value);
  const step = value > 0 === direction > 0 ? 1n : -1n;
  bits.setBigInt64(0, bits.getBigInt64(0) + step);
  return bits.getFloat64(0);
}

import type * as RDF from '@rdfjs/types';
import { compareStrings } from './comparison.ts';
import { compareNumericExactly } from './numeric.ts';
import { compareDurations, compareInstants } from './temporal.ts';
import { toValue, type Value } from './value.ts';

const TERM_RANK: Readonly<Record<string, number>> = { BlankNode: 1, NamedNode: 2, Literal: 3, Quad: 4 };

/** The standard leaves open how literals of different spaces stand to each other; this is our order. */
const VALUE_RANK: Readonly<Record<Value['kind'], number>> = {
  string: 0,
  'lang-string': 1,
  numeric: 2,
  boolean: 3,
  instant: 4,
  duration: 5,
  unknown: 6,
  'ill-typed': 7,
};

/**
 * The order of ORDER BY: unbound, blank nodes, IRIs, literals, triple terms. Total: never throws, never NaN. Zero means
 * that the next key decides: literals of one value (`1` and `01`) are equal here.
 */
export function compareForOrder(a: RDF.Term | undefined, b: RDF.Term | undefined): number {
  if (a === b) return 0;
  const rank = termRank(a) - termRank(b);
  if (rank !== 0 || a === undefined || b === undefined) return rank;
  if (a.termType === 'Literal' && b.termType === 'Literal') return compareLiterals(a, b);
  if (a.termType === 'Quad' && b.termType === 'Quad') {
    return (
      compareForOrder(a.subject, b.subject) ||
      compareForOrder(a.predicate, b.predicate) ||
      compareForOrder(a.object, b.object)
    );
  }
  return compareStrings(a.value, b.value);
}

function termRank(term: RDF.Term | undefined): number {
  return term === undefined ? 0 : (TERM_RANK[term.termType] ?? 5);
}

function compareLiterals(a: RDF.Literal, b: RDF.Literal): number {
  const x = toValue(a);
  const y = toValue(b);
  const rank = VALUE_RANK[x.kind] - VALUE_RANK[y.kind];
  if (rank !== 0) return rank;
  if (x.kind === 'numeric' && y.kind === 'numeric') return compareNumericExactly(x.value, y.value);
  if (x.kind === 'boolean' && y.kind === 'boolean') return Number(x.value) - Number(y.value);
  if (x.kind === 'duration' && y.kind === 'duration') return compareDurationsTotally(x, y);
  if (x.kind === 'instant' && y.kind === 'instant') {
    return compareStrings(x.datatype, y.datatype) || compareInstants(x.value, y.value);
  }
  return (
    compareStrings(a.datatype.value, b.datatype.value) ||
    compareStrings(a.value, b.value) ||
    compareStrings(a.language.toLowerCase(), b.language.toLowerCase())
  );
}

type DurationValue = Extract<Value, { kind: 'duration' }>;

/** A month counts as 30.436875 days, its mean in the Gregorian calendar: durations need one order here. */
const SECONDS_PER_MONTH = 2629746;

function compareDurationsTotally(a: DurationValue, b: DurationValue): number {
  const months = a.value.months - b.value.months;
  if (months === 0) return compareDurations(a.value, b.value);
  const length = (value: DurationValue['value']): number =>
    value.months * SECONDS_PER_MONTH + Number(value.seconds.unscaled) / 10 ** value.seconds.scale;
  return length(a.value) - length(b.value) || months;
}

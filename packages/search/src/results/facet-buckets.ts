import { parseInstant } from '../mapping/instant.ts';
import { refuseFacet } from '../port/arguments.ts';
import type { CalendarInterval, FacetRange } from '../port/search-index.ts';

/** The bucket of a number or instant; `undefined` when it is in none. A value may be in several ranges. */
export type ToBuckets = (value: number, isDate: boolean) => readonly (string | number)[];

const NONE: readonly never[] = [];

/** Where the interval of an instant begins, in milliseconds since the epoch. */
const STARTS: Readonly<Record<CalendarInterval, (date: Date) => number>> = {
  year: (date) => startOf(date.getUTCFullYear(), 0, 1),
  quarter: (date) => startOf(date.getUTCFullYear(), Math.floor(date.getUTCMonth() / 3) * 3, 1),
  month: (date) => startOf(date.getUTCFullYear(), date.getUTCMonth(), 1),
  // Weeks begin on Monday, as ISO 8601 has them.
  week: (date) => {
    const sinceMonday = (date.getUTCDay() + 6) % 7;
    return startOf(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() - sinceMonday);
  },
  day: (date) => startOf(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()),
  hour: (date) => Math.floor(date.getTime() / 3_600_000) * 3_600_000,
};

function startOf(year: number, month: number, day: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  return date.getTime();
}

/**
 * Buckets of equal width, which begin at multiples of it, for numbers; or of the calendar in UTC, for instants.
 * @throws `ERR_FACET` (invalid)
 */
export function compileInterval(interval: unknown): ToBuckets {
  if (typeof interval === 'number' && interval > 0 && Number.isFinite(interval)) {
    return (value, isDate) => (isDate ? NONE : [Math.floor(value / interval) * interval]);
  }
  const toStart =
    typeof interval === 'string' && Object.hasOwn(STARTS, interval) && STARTS[interval as CalendarInterval];
  if (!toStart)
    refuseFacet('the interval of a facet', `a number above 0, or ${Object.keys(STARTS).join(', ')}`, `${interval}`);
  return (value, isDate) => (isDate ? [new Date(toStart(new Date(value))).toISOString()] : NONE);
}

/**
 * Ranges from a bound on up to another that is not included. A text that is a number and a date, such as `2020`, bounds
 * numbers and instants. @throws `ERR_FACET` (invalid) for bounds that are not both numbers, nor both dates
 */
export function compileRanges(ranges: readonly FacetRange[]): ToBuckets {
  const spans = ranges.map((range) => {
    const [numbers, instants] = [toSpan(range, toNumber), toSpan(range, toInstant)];
    if (numbers !== undefined || instants !== undefined) return { name: nameOfRange(range), numbers, instants };
    return refuseFacet('each of ranges', 'from a number to a number, or a date to a date', nameOfRange(range));
  });
  return (value, isDate) => {
    const found: string[] = [];
    for (const { name, numbers, instants } of spans) {
      const span = isDate ? instants : numbers;
      if (span !== undefined && value >= span.first && value < span.end) found.push(name);
    }
    return found;
  };
}

export function nameOfRange({ from = '', to = '' }: FacetRange): string {
  return `${from}..${to}`;
}

interface Span {
  readonly first: number;
  readonly end: number;
}

type ToNumber = (bound: string | number) => number | undefined;

/** The span of a range on one axis; an absent bound is open. `undefined` when a bound is no place on it. */
function toSpan({ from = '', to = '' }: FacetRange, toPlace: ToNumber): Span | undefined {
  const first = from === '' ? Number.NEGATIVE_INFINITY : toPlace(from);
  const end = to === '' ? Number.POSITIVE_INFINITY : toPlace(to);
  return first === undefined || end === undefined ? undefined : { first, end };
}

function toNumber(bound: string | number): number | undefined {
  const number = typeof bound === 'string' && bound.trim() === '' ? Number.NaN : Number(bound);
  return Number.isNaN(number) ? undefined : number;
}

function toInstant(bound: string | number): number | undefined {
  return typeof bound === 'string' ? parseInstant(bound)?.first : undefined;
}

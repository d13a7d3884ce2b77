import { xsd } from '../../rdf/vocabulary.ts';
import { MAX_DIGITS } from '../../xpath/limits.ts';
import { addDecimals, compareDecimals, type Decimal, decimalOf, multiplyDecimals, parseDecimal } from './decimal.ts';

/** A point on XML Schema's time line. Fields that the type lacks have the value of 1972-01-01T00:00:00. */
export interface Instant {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  /** 1 to 31. */
  readonly day: number;
  /** 0 to 23. */
  readonly hour: number;
  readonly minute: number;
  /** Seconds with their fraction, as exact decimal. */
  readonly second: Decimal;
  /** Minutes east of UTC; `undefined` without a timezone. */
  readonly offsetMinutes: number | undefined;
}

/** A duration: months and seconds count apart, as XML Schema does. Both have the same sign. */
export interface Duration {
  readonly months: number;
  readonly seconds: Decimal;
}

const YEAR = '(-?(?:[1-9]\\d{3,}|0\\d{3}))';
const MONTH = '(0[1-9]|1[0-2])';
const DAY = '(0[1-9]|[12]\\d|3[01])';
const TIME = '(?:([01]\\d|2[0-3]):([0-5]\\d):([0-5]\\d(?:\\.\\d+)?)|(24:00:00(?:\\.0+)?))';
const ZONE = '(Z|[+-](?:0\\d|1[0-3]):[0-5]\\d|[+-]14:00)?';
/** A group that never takes part, for a field that a type lacks: so each field has one place in every pattern. */
const NONE = '()??';

function format(date: string, time: string = NONE.repeat(4)): RegExp {
  return new RegExp(`^${date}${time}${ZONE}$`);
}

const DATE_TIME = format(`${YEAR}-${MONTH}-${DAY}T`, TIME);

const FORMATS: ReadonlyMap<string, RegExp> = new Map<string, RegExp>([
  [xsd.dateTime, DATE_TIME],
  [xsd.dateTimeStamp, DATE_TIME],
  [xsd.date, format(`${YEAR}-${MONTH}-${DAY}`)],
  [xsd.time, format(NONE.repeat(3), TIME)],
  [xsd.gYear, format(`${YEAR}${NONE}${NONE}`)],
  [xsd.gYearMonth, format(`${YEAR}-${MONTH}${NONE}`)],
  [xsd.gMonth, format(`${NONE}--${MONTH}${NONE}`)],
  [xsd.gMonthDay, format(`${NONE}--${MONTH}-${DAY}`)],
  [xsd.gDay, format(`${NONE}${NONE}---${DAY}`)],
]);

/** Returns true if a datatype IRI is one of the date and time types. */
export function isInstantDatatype(iri: string): boolean {
  return FORMATS.has(iri);
}

const ZERO: Decimal = { unscaled: 0n, scale: 0 };

/** The value of a lexical form under a date or time type; `undefined` when the form is not in its lexical space. */
export function parseInstant(text: string, datatype: string): Instant | undefined {
  const match = text.length > MAX_DIGITS ? null : FORMATS.get(datatype)?.exec(text);
  if (!match) return undefined;
  const [, year = 1972, month = 1, day = 1, hour = 0, minute = 0, second, endOfDay, zone] = match;
  const instant: Instant = {
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: second === undefined ? ZERO : (parseDecimal(second) ?? ZERO),
    offsetMinutes: parseOffset(zone),
  };
  if (instant.day > daysInMonth(instant.year, instant.month)) return undefined;
  if (datatype === xsd.dateTimeStamp && instant.offsetMinutes === undefined) return undefined;
  return endOfDay === undefined || datatype === xsd.time ? instant : nextMidnight(instant);
}

function parseOffset(zone: string | undefined): number | undefined {
  if (zone === undefined) return undefined;
  if (zone === 'Z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6));
  return zone.startsWith('-') ? -minutes : minutes;
}

/** 24:00:00 is the first instant of the next day. */
function nextMidnight(instant: Instant): Instant {
  return { ...instant, ...fromDayNumber(dayNumber(instant.year, instant.month, instant.day) + 1) };
}

/** Days of a month in the proleptic Gregorian calendar with a year 0. */
function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Days since 1970-01-01 in the proleptic Gregorian calendar. */
function dayNumber(year: number, month: number, day: number): number {
  // Years counted from March, so that the leap day is the last day of its year.
  const y = month <= 2 ? year - 1 : year;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  return 365 * y + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + dayOfYear - 719468;
}

/** The inverse of {@link dayNumber}. */
function fromDayNumber(days: number): Pick<Instant, 'year' | 'month' | 'day'> {
  const shifted = days + 719468;
  const era = Math.floor(shifted / 146097);
  const dayOfEra = shifted - era * 146097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36524) - Math.floor(dayOfEra / 146096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1,
  };
}

/** Seconds since 1970-01-01T00:00:00Z. A missing timezone counts as UTC: engines know no local one. */
function toEpochSeconds(instant: Instant): Decimal {
  const { year, month, day, hour, minute, second, offsetMinutes = 0 } = instant;
  const minutes = dayNumber(year, month, day) * 1440 + hour * 60 + minute - offsetMinutes;
  return addDecimals(decimalOf(minutes * 60), second);
}

/** Orders two values of one date or time type on the time line. */
export function compareInstants(a: Instant, b: Instant): number {
  return compareDecimals(toEpochSeconds(a), toEpochSeconds(b));
}

const DURATION =
  /^(-?)P(?=\d|T)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)D)?(?:T(?=\d|\.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

/** Returns true if a datatype IRI is xsd:duration or one of the two types derived from it. */
export function isDurationDatatype(iri: string): boolean {
  return iri === xsd.duration || iri === xsd.dayTimeDuration || iri === xsd.yearMonthDuration;
}

/** The value of a lexical form under a duration type; `undefined` when the form is not in its lexical space. */
export function parseDuration(text: string, datatype: string): Duration | undefined {
  const match = text.length > MAX_DIGITS ? null : DURATION.exec(text);
  if (match === null) return undefined;
  const [, minus, years, months, days, hours, minutes, seconds] = match;
  const hasMonths = years !== undefined || months !== undefined;
  const hasSeconds = [days, hours, minutes, seconds].some((part) => part !== undefined);
  if (datatype === xsd.dayTimeDuration && hasMonths) return undefined;
  if (datatype === xsd.yearMonthDuration && hasSeconds) return undefined;
  const sign = minus === '-' ? -1 : 1;
  const whole = BigInt(days ?? 0) * 86400n + BigInt(hours ?? 0) * 3600n + BigInt(minutes ?? 0) * 60n;
  const total = addDecimals(decimalOf(whole), parseDecimal(seconds ?? '0') ?? ZERO);
  return {
    months: sign * (Number(years ?? 0) * 12 + Number(months ?? 0)) + 0,
    seconds: multiplyDecimals(total, decimalOf(sign)),
  };
}

/** The four starting points that XML Schema compares durations from. */
const DURATION_ORIGINS = [
  [1696, 9],
  [1697, 2],
  [1903, 3],
  [1903, 7],
] as const;

/** Orders two durations; `NaN` where it depends on the month they start in: P1M and P30D. */
export function compareDurations(a: Duration, b: Duration): number {
  const orders = DURATION_ORIGINS.map(([year, month]) =>
    compareDecimals(endOfDuration(a, year, month), endOfDuration(b, year, month)),
  );
  return orders.every((order) => order === orders[0]) ? orders[0] : Number.NaN;
}

function endOfDuration(duration: Duration, year: number, month: number): Decimal {
  const months = year * 12 + month - 1 + duration.months;
  const days = dayNumber(Math.floor(months / 12), (((months % 12) + 12) % 12) + 1, 1);
  return addDecimals(decimalOf(BigInt(days) * 86400n), duration.seconds);
}

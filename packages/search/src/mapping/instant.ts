const DATE =
  /^(-?\d{4,6})(?:-(\d{2})(?:-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?)?)?)?(Z|[+-]\d{2}:\d{2})?$/;

/** The span of time that an ISO 8601 date or date-time names, in milliseconds since the epoch, both inclusive. */
interface Instant {
  readonly first: number;
  readonly last: number;
}

type TimeParts = readonly [hour: string, minute: string, second?: string, fraction?: string];

/**
 * Reads an ISO 8601 year, month, date or date-time; a time without a zone is UTC. A coarse one spans all it names:
 * `2020-05` is the whole month. `undefined` for anything else, impossible dates included.
 */
export function parseInstant(text: string): Instant | undefined {
  if (text.length > 40) return undefined;
  const match = DATE.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction, zone, dateZone] = match;
  const offset = zoneOffsetMs(zone ?? dateZone);
  const at = (y: number, m: number, d: number): number => toEpoch(y, m, d) - offset;
  const y = Number(year);
  if (month === undefined) return { first: at(y, 1, 1), last: at(y + 1, 1, 1) - 1 };
  const m = Number(month);
  if (m < 1 || m > 12) return undefined;
  if (day === undefined) return { first: at(y, m, 1), last: at(m === 12 ? y + 1 : y, (m % 12) + 1, 1) - 1 };
  const d = Number(day);
  const midnight = at(y, m, d);
  if (d < 1 || new Date(midnight + offset).getUTCDate() !== d) return undefined;
  if (hour === undefined) return { first: midnight, last: midnight + 86_399_999 };
  return timeOfDay(midnight, [hour, minute, second, fraction]);
}

/** Returns true if a text is a date or date-time with at least year and month; a bare number is not. */
export function isDateText(text: string): boolean {
  return text.length >= 7 && /^-?\d{4,6}-\d{2}/.test(text) && parseInstant(text) !== undefined;
}

function timeOfDay(midnight: number, [hour, minute, second, fraction]: TimeParts): Instant | undefined {
  if (Number(hour) > 24 || Number(minute) > 59 || Number(second ?? 0) > 60) return undefined;
  const start = midnight + Number(hour) * 3_600_000 + Number(minute) * 60_000;
  if (second === undefined) return { first: start, last: start + 59_999 };
  const ms = start + Number(second) * 1000;
  if (fraction === undefined) return { first: ms, last: ms + 999 };
  const exact = ms + Math.floor(Number(`0.${fraction}`) * 1000);
  return { first: exact, last: exact };
}

function toEpoch(year: number, month: number, day: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getTime();
}

function zoneOffsetMs(zone: string | undefined): number {
  if (zone === undefined || zone === 'Z') return 0;
  const sign = zone.startsWith('-') ? -1 : 1;
  const digits = zone.replace(/\D/g, '');
  return sign * (Number(digits.slice(0, 2)) * 3_600_000 + Number(digits.slice(2, 4)) * 60_000);
}

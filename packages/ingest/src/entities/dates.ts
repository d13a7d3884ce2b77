export interface DateMatch {
  readonly start: number;
  readonly end: number;
  /** ISO 8601: `1969-07-16`. */
  readonly iso: string;
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const MONTH =
  '(Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\\.?';
const DAY = '(\\d{1,2})(?:st|nd|rd|th)?';

interface DateForm {
  readonly form: RegExp;
  readonly parts: (match: RegExpMatchArray) => readonly [year: string, month: string, day: string];
}

/** Forms that can be read in one way only: `01/02/2003` cannot. */
const FORMS: readonly DateForm[] = [
  {
    form: /(?<![\d-])(\d{4})-(\d{2})-(\d{2})(?![\d-])/g,
    parts: ([, year, month, day]) => [year, month, day],
  },
  {
    form: new RegExp(`(?<![\\w.])${DAY} (?:of )?${MONTH},? (\\d{4})(?!\\w)`, 'gi'),
    parts: ([, day, month, year]) => [year, monthNumber(month), day],
  },
  {
    form: new RegExp(`(?<!\\w)${MONTH} ${DAY},? (\\d{4})(?!\\w)`, 'gi'),
    parts: ([, month, day, year]) => [year, monthNumber(month), day],
  },
];

/** Dates that exist in the calendar, sorted. */
export function findDates(text: string): DateMatch[] {
  const found = FORMS.flatMap(({ form, parts }) =>
    [...text.matchAll(form)].flatMap((match) => {
      const iso = toIso(...parts(match));
      return iso === undefined ? [] : [{ start: match.index, end: match.index + match[0].length, iso }];
    }),
  );
  return found.sort((a, b) => a.start - b.start);
}

function monthNumber(name: string): string {
  return String(MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1);
}

function toIso(year: string, month: string, day: string): string | undefined {
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const date = new Date(`${iso}T00:00:00Z`);
  return Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== iso ? undefined : iso;
}

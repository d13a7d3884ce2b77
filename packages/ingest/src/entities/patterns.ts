export interface PatternMatch {
  readonly start: number;
  readonly end: number;
  readonly category: string;
  readonly uri: string | undefined;
}

/** Categories of what is found by its form: terms of schema.org. */
export const PATTERN_CATEGORY = {
  url: 'https://schema.org/URL',
  email: 'https://schema.org/email',
  date: 'https://schema.org/Date',
  phone: 'https://schema.org/telephone',
} as const;

/*
 * Every repetition is bounded, or runs over characters that cannot start the next part, so that the work stays linear
 * in the text.
 */
const URL_FORM = /\b(?:https?|ftp):\/\/[^\s<>"'`{}|\\^[\]]{1,2048}/giu;
const TRAILING = /[.,;:!?)\]}»”’]+$/u;
const EMAIL_FORM =
  /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}][\p{L}\p{N}._%+-]{0,63}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}\p{L}{2,24}(?![\p{L}\p{N}])/gu;
const PHONE_FORM = /(?<![\p{L}\p{N}+./-])(?:\+|\(?\d)[\d ().\u00a0/-]{5,24}\d(?![\p{L}\p{N}]|[./-]\d)/gu;

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const MONTH =
  '(Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\\.?';
const DAY = '(\\d{1,2})(?:st|nd|rd|th)?';

interface DateForm {
  readonly form: RegExp;
  readonly parts: (match: RegExpMatchArray) => readonly [year: string, month: string, day: string];
}

/** Forms that can be read in one way only: `01/02/2003` cannot. */
const DATE_FORMS: readonly DateForm[] = [
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

type Finder = (text: string) => PatternMatch[];

/** In the order of their right of way: what an earlier one took, a later one does not. */
const FINDERS: readonly Finder[] = [findUrls, findEmails, findDates, findPhones];

/** E-mail addresses, URLs, dates and phone numbers in a text, in order, none overlapping another. */
export function findPatterns(text: string): PatternMatch[] {
  const taken: PatternMatch[] = [];
  for (const find of FINDERS) {
    const found = find(text);
    const free = found.filter(freeOf(taken));
    taken.push(...free);
    taken.sort((a, b) => a.start - b.start);
  }
  return taken;
}

/** Both lists are sorted, so one pass over the taken ones suffices. */
function freeOf(taken: readonly PatternMatch[]): (match: PatternMatch) => boolean {
  const sorted = [...taken];
  let at = 0;
  return ({ start, end }) => {
    while (at < sorted.length && sorted[at].end <= start) at++;
    return at >= sorted.length || sorted[at].start >= end;
  };
}

function toMatch(start: number, text: string, category: string, uri?: string): PatternMatch {
  return { start, end: start + text.length, category, uri };
}

function findUrls(text: string): PatternMatch[] {
  return [...text.matchAll(URL_FORM)].flatMap((match) => {
    const url = trimUrl(match[0]);
    if (!URL.canParse(url)) return [];
    return [toMatch(match.index, url, PATTERN_CATEGORY.url, url)];
  });
}

/** Without the punctuation of the sentence; a closing parenthesis stays when the URL opens it. */
function trimUrl(url: string): string {
  const trimmed = url.replace(TRAILING, '');
  return balance(trimmed) > 0 && url[trimmed.length] === ')' ? `${trimmed})` : trimmed;
}

function findEmails(text: string): PatternMatch[] {
  return [...text.matchAll(EMAIL_FORM)].map(({ index, 0: email }) =>
    toMatch(index, email, PATTERN_CATEGORY.email, `mailto:${email}`),
  );
}

function findDates(text: string): PatternMatch[] {
  const found = DATE_FORMS.flatMap(({ form, parts }) =>
    [...text.matchAll(form)]
      .filter((match) => isInCalendar(...parts(match)))
      .map((match) => toMatch(match.index, match[0], PATTERN_CATEGORY.date)),
  );
  return found.sort((a, b) => a.start - b.start);
}

function monthNumber(name: string): string {
  return String(MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1);
}

function isInCalendar(year: string, month: string, day: string): boolean {
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const date = new Date(`${iso}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === iso;
}

function findPhones(text: string): PatternMatch[] {
  return [...text.matchAll(PHONE_FORM)].flatMap((match) => {
    const phone = match[0];
    if (!isPhone(phone)) return [];
    const uri = phone.startsWith('+') ? `tel:+${phone.replace(/\D/g, '')}` : undefined;
    return [toMatch(match.index, phone, PATTERN_CATEGORY.phone, uri)];
  });
}

/** International, or written in groups as national numbers are; 7 to 15 digits (E.164). */
function isPhone(text: string): boolean {
  const digits = text.replace(/\D/g, '');
  if (digits.length < 7 || digits.length > 15 || balance(text) !== 0) return false;
  if (text.startsWith('+')) return true;
  const national = /^\(?0/.test(text) || /^\(\d{2,4}\)/.test(text) || /^\d{3}[ .-]\d{3}[ .-]\d{4}$/.test(text);
  return national && /[ ().\u00a0/-]/.test(text) && digits.length >= 9;
}

function balance(text: string): number {
  let open = 0;
  for (const character of text) open += character === '(' ? 1 : character === ')' ? -1 : 0;
  return open;
}

import { findDates } from './dates.ts';

/** Something found by its form. */
export interface PatternMatch {
  readonly start: number;
  readonly end: number;
  readonly category: string;
  /** An IRI that stands for it, where there is one. */
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

type Finder = (text: string) => PatternMatch[];

/** In the order of their right of way: what an earlier one took, a later one does not. */
const FINDERS: readonly Finder[] = [findUrls, findEmails, findDateMentions, findPhones];

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

function findUrls(text: string): PatternMatch[] {
  return [...text.matchAll(URL_FORM)].flatMap((match) => {
    const url = trimUrl(match[0]);
    if (!URL.canParse(url)) return [];
    return [{ start: match.index, end: match.index + url.length, category: PATTERN_CATEGORY.url, uri: url }];
  });
}

/** Without the punctuation of the sentence; a closing parenthesis stays when the URL opens it. */
function trimUrl(url: string): string {
  const trimmed = url.replace(TRAILING, '');
  return balance(trimmed) > 0 && url[trimmed.length] === ')' ? `${trimmed})` : trimmed;
}

function findEmails(text: string): PatternMatch[] {
  return [...text.matchAll(EMAIL_FORM)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    category: PATTERN_CATEGORY.email,
    uri: `mailto:${match[0]}`,
  }));
}

function findDateMentions(text: string): PatternMatch[] {
  return findDates(text).map(({ start, end }) => ({ start, end, category: PATTERN_CATEGORY.date, uri: undefined }));
}

function findPhones(text: string): PatternMatch[] {
  return [...text.matchAll(PHONE_FORM)].flatMap((match) => {
    const phone = match[0];
    if (!isPhone(phone)) return [];
    const uri = phone.startsWith('+') ? `tel:+${phone.replace(/\D/g, '')}` : undefined;
    return [{ start: match.index, end: match.index + phone.length, category: PATTERN_CATEGORY.phone, uri }];
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

import type { Analyzer } from '../analysis/analyzer.ts';
import { toWellFormed } from '../analysis/folding.ts';
import type { FieldMapping } from './index-mapping.ts';
import { isDateText, parseInstant } from './instant.ts';

/** How one value of a document is indexed. Each part is absent when the value has none. */
export interface IndexedValue {
  readonly text?: string;
  /** The value as a whole, for exact comparison, facets and types. */
  readonly keyword?: string;
  /** True when the keyword merely accompanies text: `*` queries then look at the text alone. */
  readonly isMirror?: boolean;
  /** The value on an axis: a number, or milliseconds since the epoch. */
  readonly number?: number;
  /** True when `number` is an instant. */
  readonly isDate?: boolean;
  /** That of the language of `text`, where it is not the analyzer of the field. */
  readonly analyzer?: Analyzer;
}

/** Text no longer than this is also indexed as a whole, so that facets, types and states find it without parsing. */
export const MAX_MIRROR_LENGTH = 64;
const IRI = /^[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s]+$/;

/** Returns true if a text looks like an absolute IRI: a scheme, a colon, and no white space. */
export function isIri(text: string): boolean {
  return IRI.test(text);
}

/** Decides by a value and its field's configuration alone how it is indexed; `undefined` when it is not. */
export function toIndexedValue(value: string | number | boolean, mapping: FieldMapping): IndexedValue | undefined {
  if (typeof value !== 'string') return toIndexedScalar(value, mapping);
  return STRING_TYPES[mapping.type](value);
}

const STRING_TYPES: Readonly<Record<FieldMapping['type'], (value: string) => IndexedValue | undefined>> = {
  none: () => undefined,
  text: toText,
  keyword: toKeyword,
  number: (value) =>
    value.trim() !== '' && Number.isFinite(Number(value)) ? toNumber(Number(value)) : toKeyword(value),
  date: toDate,
  auto: (value) => {
    if (isDateText(value)) return toDate(value);
    return isIri(value) ? toKeyword(value) : toText(value);
  },
};

function toIndexedScalar(value: number | boolean, mapping: FieldMapping): IndexedValue | undefined {
  if (mapping.type === 'none') return undefined;
  if (typeof value === 'boolean') return { keyword: String(value) };
  return mapping.type === 'date' ? { ...toNumber(value), isDate: true } : toNumber(value);
}

function toText(value: string): IndexedValue {
  return value.length <= MAX_MIRROR_LENGTH
    ? { text: value, keyword: toKeywordTerm(value), isMirror: true }
    : { text: value };
}

function toKeyword(value: string): IndexedValue {
  return { keyword: toKeywordTerm(value) };
}

function toNumber(value: number): IndexedValue {
  return { keyword: NUMBER_MARK + String(value), number: value };
}

function toDate(value: string): IndexedValue {
  const instant = parseInstant(value);
  if (instant === undefined) return toKeyword(value);
  return { keyword: DATE_MARK + toWellFormed(value), number: instant.first, isDate: true };
}

/** Marks keep numbers and dates apart from text in the dictionary: ranges of text must not find them. */
const TEXT_MARK = '\0';
const NUMBER_MARK = '\u0001';
const DATE_MARK = '\u0002';

export function toKeywordTerm(value: string): string {
  const text = toWellFormed(value);
  return text <= '\u0002\uffff' && text !== '' ? TEXT_MARK + text : text;
}

/** The terms under which a value that was typed as text may stand: as text, number or date. */
export function toKeywordTerms(value: string): string[] {
  const text = toWellFormed(value);
  return [toKeywordTerm(value), NUMBER_MARK + text, DATE_MARK + text];
}

export function fromKeywordTerm(term: string): string {
  return term !== '' && term <= '\u0002\uffff' ? term.slice(1) : term;
}

/** Returns true if a dictionary's term is text: no number and no date. */
export function isTextTerm(term: string): boolean {
  return !term.startsWith(NUMBER_MARK) && !term.startsWith(DATE_MARK);
}

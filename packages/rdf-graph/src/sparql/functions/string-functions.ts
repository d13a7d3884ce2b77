import type * as RDF from '@rdfjs/types';
import { languageLiteral, stringLiteral } from '../../rdf/terms.ts';
import { boundedText, textLength } from '../../xpath/limits.ts';
import { indexOfText } from '../../xpath/search.ts';
import { numericOf } from './arithmetic.ts';
import { type FunctionDefinition, type FunctionTable, totalLength } from './definition.ts';
import { booleanLiteral } from './effective-boolean-value.ts';
import { integerLiteral, toDouble } from './numeric.ts';
import { compatibleArguments, likeLiteral, simpleArgument, stringArgument } from './string-argument.ts';

function byCharacters(args: readonly RDF.Term[]): number {
  return 4 + 4 * totalLength(args);
}

function bySearch(args: readonly RDF.Term[]): number {
  return 4 + (totalLength(args) >> 2);
}

/** A function of one string whose result keeps the language. */
function mapping(name: string, map: (text: string) => string): FunctionDefinition {
  return {
    minArgs: 1,
    maxArgs: 1,
    call([term]) {
      const literal = stringArgument(term, name);
      textLength(literal.value.length);
      return likeLiteral(boundedText(map(literal.value)), literal);
    },
  };
}

function test(name: string, holds: (text: string, part: string) => boolean): FunctionDefinition {
  return {
    minArgs: 2,
    maxArgs: 2,
    cost: bySearch,
    call(args) {
      const [subject, part] = compatibleArguments(args, name);
      return booleanLiteral(holds(subject.value, part));
    },
  };
}

/** The part of a string before or after the first match of another one; without a match a simple empty string. */
function cut(name: string, take: (text: string, start: number, end: number) => string): FunctionDefinition {
  return {
    minArgs: 2,
    maxArgs: 2,
    cost: bySearch,
    call(args) {
      const [subject, part] = compatibleArguments(args, name);
      const start = indexOfText(subject.value, part);
      if (start < 0) return stringLiteral('');
      return likeLiteral(take(subject.value, start, start + part.length), subject);
    },
  };
}

const SURROGATE = /[\ud800-\udfff]/;

function codePointLength(text: string): number {
  if (!SURROGATE.test(text)) return text.length;
  let length = 0;
  for (const _ of text) length++;
  return length;
}

/** XPath's fn:substring: positions are 1-based code points and are rounded. */
function substring(text: string, start: number, length: number): string {
  const from = Math.round(start);
  const to = from + Math.round(length);
  // NaN makes both comparisons false, so nothing is kept: so the function is defined.
  if (!(to > from)) return '';
  const begin = Math.max(0, from - 1);
  const end = Math.max(0, to - 1);
  return SURROGATE.test(text) ? Array.from(text).slice(begin, end).join('') : text.slice(begin, end);
}

function callSubstr([term, start, length]: readonly RDF.Term[]): RDF.Term {
  const literal = stringArgument(term, 'substr');
  const from = toDouble(numericOf(start, 'substr'));
  const count = length === undefined ? Infinity : toDouble(numericOf(length, 'substr'));
  return likeLiteral(substring(literal.value, from, count), literal);
}

/** The common language of all arguments survives. */
function callConcat(args: readonly RDF.Term[]): RDF.Term {
  const literals = args.map((term) => stringArgument(term, 'concat'));
  textLength(totalLength(literals));
  const text = literals.map((literal) => literal.value).join('');
  const language = literals[0]?.language ?? '';
  const shared = literals.every((literal) => literal.language.toLowerCase() === language.toLowerCase());
  return language !== '' && shared ? languageLiteral(text, language) : stringLiteral(text);
}

const LONE_SURROGATE = /\p{Surrogate}/gu;
const UNRESERVED_LEFT_BY_URI_COMPONENT = /[!'()*]/g;

function encodeForUri(text: string): string {
  textLength(text.length);
  // A lone surrogate has no UTF-8 form; encodeURIComponent would throw.
  const encoded = encodeURIComponent(text.replace(LONE_SURROGATE, '\ufffd')).replace(
    UNRESERVED_LEFT_BY_URI_COMPONENT,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return boundedText(encoded);
}

/** RFC 4647 basic filtering: `*` matches any tag, a range matches itself and what continues it after a hyphen. */
function langMatches(tag: string, range: string): boolean {
  if (tag === '') return false;
  if (range === '*') return true;
  const lowerTag = tag.toLowerCase();
  const lowerRange = range.toLowerCase();
  return lowerTag === lowerRange || lowerTag.startsWith(`${lowerRange}-`);
}

/** The functions on strings (SPARQL 1.1, 17.4.3), without REGEX and REPLACE. */
export const STRING_FUNCTIONS: FunctionTable = new Map<string, FunctionDefinition>([
  [
    'strlen',
    {
      minArgs: 1,
      maxArgs: 1,
      cost: byCharacters,
      call: ([t]) => integerLiteral(codePointLength(stringArgument(t, 'strlen').value)),
    },
  ],
  ['substr', { minArgs: 2, maxArgs: 3, cost: byCharacters, call: callSubstr }],
  ['ucase', mapping('ucase', (text) => text.toUpperCase())],
  ['lcase', mapping('lcase', (text) => text.toLowerCase())],
  ['strstarts', test('strstarts', (text, part) => text.startsWith(part))],
  ['strends', test('strends', (text, part) => text.endsWith(part))],
  ['contains', test('contains', (text, part) => indexOfText(text, part) >= 0)],
  ['strbefore', cut('strbefore', (text, start) => text.slice(0, start))],
  ['strafter', cut('strafter', (text, _, end) => text.slice(end))],
  [
    'encode_for_uri',
    {
      minArgs: 1,
      maxArgs: 1,
      cost: byCharacters,
      call: ([t]) => stringLiteral(encodeForUri(stringArgument(t, 'encode_for_uri').value)),
    },
  ],
  ['concat', { minArgs: 0, maxArgs: Infinity, call: callConcat }],
  [
    'langmatches',
    {
      minArgs: 2,
      maxArgs: 2,
      call: ([tag, range]) =>
        booleanLiteral(langMatches(simpleArgument(tag, 'langMatches'), simpleArgument(range, 'langMatches'))),
    },
  ],
]);

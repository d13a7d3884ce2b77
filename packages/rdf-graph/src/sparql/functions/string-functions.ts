import { md5, sha1 } from '@noble/hashes/legacy.js';
import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type * as RDF from '@rdfjs/types';
import { languageLiteral, stringLiteral } from '../../rdf/terms.ts';
import { boundedText, checkTextLength } from '../../xpath/limits.ts';
import { compileRegex, type Regex, type Spend } from '../../xpath/regex.ts';
import { indexOfText } from '../../xpath/search.ts';
import {
  type FunctionContext,
  type FunctionDefinition,
  type FunctionTable,
  taking,
  totalLength,
} from './definition.ts';
import { booleanLiteral } from './effective-boolean-value.ts';
import { integerLiteral, toDouble } from './numeric.ts';
import { compatibleArguments, likeLiteral, simpleArgument, stringArgument } from './string-argument.ts';
import { numericOf } from './value.ts';

function byCharacters(args: readonly RDF.Term[]): number {
  return 4 + 4 * totalLength(args);
}

function bySearch(args: readonly RDF.Term[]): number {
  return 4 + (totalLength(args) >> 2);
}

/** A function of one string whose result keeps the language. */
function mapping(name: string, map: (text: string) => string): FunctionDefinition {
  return taking(1, ([term]) => {
    const literal = stringArgument(term, name);
    checkTextLength(literal.value.length);
    return likeLiteral(boundedText(map(literal.value)), literal);
  });
}

/** A function of two strings that may be compared. */
function search(name: string, call: (subject: RDF.Literal, part: string) => RDF.Term): FunctionDefinition {
  return taking(2, (args) => call(...compatibleArguments(args, name)), bySearch);
}

function test(name: string, holds: (text: string, part: string) => boolean): FunctionDefinition {
  return search(name, (subject, part) => booleanLiteral(holds(subject.value, part)));
}

/** The part of a string before or after the first match of another one; without a match a simple empty string. */
function cut(name: string, take: (text: string, start: number, end: number) => string): FunctionDefinition {
  return search(name, (subject, part) => {
    const start = indexOfText(subject.value, part);
    if (start < 0) return stringLiteral('');
    return likeLiteral(take(subject.value, start, start + part.length), subject);
  });
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
  checkTextLength(totalLength(literals));
  const text = literals.map((literal) => literal.value).join('');
  const language = literals[0]?.language ?? '';
  const shared = literals.every((literal) => literal.language.toLowerCase() === language.toLowerCase());
  return language !== '' && shared ? languageLiteral(text, language) : stringLiteral(text);
}

const LONE_SURROGATE = /\p{Surrogate}/gu;
const UNRESERVED_LEFT_BY_URI_COMPONENT = /[!'()*]/g;

function encodeForUri(text: string): string {
  checkTextLength(text.length);
  // A lone surrogate has no UTF-8 form; encodeURIComponent would throw.
  const encoded = encodeURIComponent(text.replace(LONE_SURROGATE, '\ufffd')).replace(
    UNRESERVED_LEFT_BY_URI_COMPONENT,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return boundedText(encoded);
}

/** RFC 4647 basic filtering: `*` matches any tag, a range matches itself and what continues it after a hyphen. */
function callLangMatches(args: readonly RDF.Term[]): RDF.Term {
  const [tag, range] = args.map((term) => simpleArgument(term, 'langMatches').toLowerCase());
  return booleanLiteral(tag !== '' && (range === '*' || tag === range || tag.startsWith(`${range}-`)));
}

/** A compiled pattern: whether it was remembered does not show in the work. */
function compiled(pattern: RDF.Term, flags: RDF.Term | undefined, name: string, spend: Spend | undefined): Regex {
  const regex = compileRegex(simpleArgument(pattern, name), flags === undefined ? '' : simpleArgument(flags, name));
  spend?.(regex.compilation / 4);
  return regex;
}

function callRegex([text, pattern, flags]: readonly RDF.Term[], { spend }: FunctionContext): RDF.Term {
  const literal = stringArgument(text, 'regex');
  return booleanLiteral(compiled(pattern, flags, 'regex', spend).test(literal.value, spend));
}

function callReplace([text, pattern, replacement, flags]: readonly RDF.Term[], { spend }: FunctionContext): RDF.Term {
  const literal = stringArgument(text, 'replace');
  const regex = compiled(pattern, flags, 'replace', spend);
  return likeLiteral(regex.replace(literal.value, simpleArgument(replacement, 'replace'), spend), literal);
}

/** The slowest hash function. */
const HASH_STEPS_PER_UNIT = 6;

/** A hash function: hex in lower case, over UTF-8. */
function hash(name: string, digest: (text: Uint8Array) => Uint8Array): FunctionDefinition {
  return taking(
    1,
    ([term]) => stringLiteral(bytesToHex(digest(new TextEncoder().encode(simpleArgument(term, name))))),
    (args) => HASH_STEPS_PER_UNIT * totalLength(args),
  );
}

/** The functions on strings (SPARQL 1.1, 17.4.3), and the hash functions (17.4.6). */
export const STRING_FUNCTIONS: FunctionTable = new Map<string, FunctionDefinition>([
  ['strlen', taking(1, ([t]) => integerLiteral(codePointLength(stringArgument(t, 'strlen').value)), byCharacters)],
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
    taking(1, ([t]) => stringLiteral(encodeForUri(stringArgument(t, 'encode_for_uri').value)), byCharacters),
  ],
  ['concat', { minArgs: 0, maxArgs: Infinity, call: callConcat }],
  ['langmatches', taking(2, callLangMatches)],
  ['regex', { minArgs: 2, maxArgs: 3, call: callRegex }],
  ['replace', { minArgs: 3, maxArgs: 4, call: callReplace }],
  ['md5', hash('md5', md5)],
  ['sha1', hash('sha1', sha1)],
  ['sha256', hash('sha256', sha256)],
  ['sha384', hash('sha384', sha384)],
  ['sha512', hash('sha512', sha512)],
]);

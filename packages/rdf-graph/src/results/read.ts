import { CodedError, checkText } from '@cairn/errors';
import type * as RDF from '@rdfjs/types';
import type { Solution } from '../port/graph-dataset.ts';
import { createBlankNodeScope } from '../rdf/blank-node-scope.ts';
import { TermReader } from '../rdf/term-reader.ts';
import { blankNode, languageLiteral, namedNode, quad, stringLiteral, typedLiteral } from '../rdf/terms.ts';
import { xsd } from '../rdf/vocabulary.ts';

/** A result that was read: the answer of SELECT or of ASK. */
export type ParsedResult =
  | { readonly type: 'bindings'; readonly variables: readonly string[]; readonly solutions: readonly Solution[] }
  | { readonly type: 'boolean'; readonly value: boolean };

interface JsonTerm {
  readonly type: string;
  readonly value: string | Readonly<Record<'subject' | 'predicate' | 'object', JsonTerm>>;
  readonly 'xml:lang'?: string;
  readonly datatype?: string;
}

interface JsonResults {
  readonly head?: { readonly vars?: readonly string[] };
  readonly boolean?: boolean;
  readonly results?: { readonly bindings: readonly Readonly<Record<string, JsonTerm>>[] };
}

/**
 * The answer in a document of SPARQL JSON results, read as a whole.
 * @throws `ERR_RESULT_SYNTAX` (invalid), also when the document was cut short
 */
export function parseJsonResult(text: string): ParsedResult {
  checkText(text, 'the result');
  const document = parseJson(text);
  if (typeof document.boolean === 'boolean') return { type: 'boolean', value: document.boolean };
  if (!Array.isArray(document.results?.bindings)) throw malformed('it has neither boolean nor bindings');
  const solutions = document.results.bindings.map(toSolution);
  return { type: 'bindings', variables: toVariables(document.head), solutions };
}

function toVariables(head: JsonResults['head']): readonly string[] {
  const variables: unknown = isObject(head) ? (head.vars ?? []) : head === undefined ? [] : undefined;
  const isNames = Array.isArray(variables) && variables.every((name) => typeof name === 'string');
  if (!isNames) throw malformed('its head names no variables');
  return variables;
}

function toSolution(binding: Readonly<Record<string, JsonTerm>>): Solution {
  if (!isObject(binding)) throw malformed('a binding is no object');
  return new Map(Object.entries(binding).map(([name, term]) => [name, fromJsonTerm(term)]));
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseJson(text: string): JsonResults {
  try {
    const document: unknown = JSON.parse(text);
    if (typeof document === 'object' && document !== null) return document;
  } catch (cause) {
    throw malformed('it is no JSON', cause);
  }
  throw malformed('it is no object');
}

function fromJsonTerm(term: JsonTerm): RDF.Term {
  if (!isObject(term)) throw malformed('a term is no object');
  if (typeof term.value !== 'string') {
    if (!isObject(term.value)) throw malformed('a term has no value');
    const { subject, predicate, object } = term.value;
    return quad(fromJsonTerm(subject), fromJsonTerm(predicate), fromJsonTerm(object));
  }
  if (term.type === 'uri') return namedNode(term.value);
  if (term.type === 'bnode') return blankNode(term.value);
  if (term['xml:lang'] !== undefined) return languageLiteral(term.value, term['xml:lang']);
  return term.datatype === undefined ? stringLiteral(term.value) : typedLiteral(term.value, term.datatype);
}

const CSV_FIELD = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y;

/**
 * The names and fields of CSV results. CSV has no types: fields are text, an empty one may be an unbound variable.
 * @throws `ERR_RESULT_SYNTAX` (invalid)
 */
export function parseCsvResult(text: string): { readonly variables: string[]; readonly rows: string[][] } {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    CSV_FIELD.lastIndex = at;
    const match = CSV_FIELD.exec(text);
    if (match === null) throw malformed('a quote stands where none may');
    row.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    at += match[0].length;
    if (match[3] === ',') continue;
    rows.push(row);
    row = [];
  }
  const [variables = [], ...solutions] = rows;
  return { variables, rows: solutions };
}

/**
 * The answer in TSV results.
 * @throws `ERR_RESULT_SYNTAX`, `ERR_RDF_SYNTAX` (invalid)
 */
export function parseTsvResult(text: string): ParsedResult {
  checkText(text, 'the result');
  const [head = '', ...lines] = text.replace(/\r?\n$/, '').split(/\r?\n/);
  const variables = head === '' ? [] : head.split('\t').map((name) => name.replace(/^[?$]/, ''));
  const reader = new TermReader({ syntax: 'TSV results', blankNodes: createBlankNodeScope() });
  const solutions = lines.map((line): Solution => {
    const fields = line.split('\t');
    if (variables.length > 0 && fields.length !== variables.length) throw malformed('a line lacks fields');
    const entries = variables.flatMap((name, index): [string, RDF.Term][] => {
      const field = fields[index] ?? '';
      return field === '' ? [] : [[name, fromTsvField(field, reader)]];
    });
    return new Map(entries);
  });
  return { type: 'bindings', variables, solutions };
}

const BARE: readonly (readonly [RegExp, string])[] = [
  [/^[+-]?\d+$/, xsd.integer],
  [/^[+-]?\d*\.\d+$/, xsd.decimal],
  [/^[+-]?(?:\d+\.?\d*|\.\d+)[eE][+-]?\d+$/, xsd.double],
  [/^(?:true|false)$/, xsd.boolean],
];

function fromTsvField(field: string, reader: TermReader): RDF.Term {
  const bare = BARE.find(([pattern]) => pattern.test(field));
  if (bare !== undefined) return typedLiteral(field, bare[1]);
  reader.setText(field);
  return reader.readTerm();
}

function malformed(problem: string, cause?: unknown): CodedError {
  return new CodedError({
    code: 'ERR_RESULT_SYNTAX',
    kind: 'invalid',
    message: `the text is no SPARQL result: ${problem}`,
    cause,
  });
}

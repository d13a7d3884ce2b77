import { CodedError, checkText } from '@cairn/errors';
import type * as RDF from '@rdfjs/types';
import type { Solution } from '../../graph/port/graph-dataset.ts';
import { blankNode, languageLiteral, namedNode, quad, stringLiteral, typedLiteral } from '../../rdf/terms.ts';

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

function malformed(problem: string, cause?: unknown): CodedError {
  return new CodedError({
    code: 'ERR_RESULT_SYNTAX',
    kind: 'invalid',
    message: `the text is no SPARQL result: ${problem}`,
    cause,
  });
}

import { CodedError } from '@cairn/errors';
import type * as RDF from '@rdfjs/types';
import { blankNode, defaultGraph, languageLiteral, namedNode, quad, typedLiteral } from '../../rdf/terms.ts';
import { xsd } from '../../rdf/vocabulary.ts';
import { DEFAULT_GRAPH_IRI, type NodeKind } from './node.ts';

/** A filter as it comes with a request. */
export interface NodeFilter {
  readonly kind: NodeKind;
  readonly value?: string | null;
  readonly triple?: {
    readonly subject: NodeFilter;
    readonly predicate: NodeFilter;
    readonly object: NodeFilter;
  } | null;
  readonly datatype?: string | null;
  readonly language?: string | null;
}

type ToTerm = (filter: NodeFilter) => RDF.Term | undefined;

const TO_TERM: Readonly<Record<NodeKind, ToTerm>> = {
  VARIABLE: () => undefined,
  URI: (filter) => namedNode(text(filter)),
  BLANK: (filter) => blankNode(text(filter).replace(/^_:/, '')),
  PLAIN_LITERAL: (filter) => typedLiteral(text(filter), xsd.string),
  TYPED_LITERAL: (filter) => typedLiteral(text(filter), filter.datatype ?? xsd.string),
  LANGUAGE_LITERAL: (filter) => languageLiteral(text(filter), required(filter, 'language', filter.language)),
  TRIPLE: (filter) => {
    const triple = required(filter, 'triple', filter.triple);
    const [s, p, o] = [triple.subject, triple.predicate, triple.object].map((part) => {
      const term = toTerm(part);
      if (term === undefined) throw invalidFilter('the parts of a TRIPLE filter must not be VARIABLE');
      return term;
    });
    return quad(s, p, o);
  },
};

/** The term that a filter stands for; `undefined` when it stands for any. @throws `ERR_GRAPHQL_FILTER` (invalid) */
export function toTerm(filter: NodeFilter | null | undefined): RDF.Term | undefined {
  return filter === null || filter === undefined ? undefined : TO_TERM[filter.kind](filter);
}

/** The same for a graph, where one IRI names the default graph. */
export function toGraphTerm(filter: NodeFilter | null | undefined): RDF.Term | undefined {
  const term = toTerm(filter);
  return term?.termType === 'NamedNode' && term.value === DEFAULT_GRAPH_IRI ? defaultGraph() : term;
}

function text(filter: NodeFilter): string {
  return required(filter, 'value', filter.value);
}

function required<Value>(filter: NodeFilter, name: string, value: Value | null | undefined): Value {
  if (value !== null && value !== undefined) return value;
  throw invalidFilter(`a ${filter.kind} filter must have a ${name}`);
}

function invalidFilter(message: string): CodedError {
  return new CodedError({ code: 'ERR_GRAPHQL_FILTER', kind: 'invalid', message });
}

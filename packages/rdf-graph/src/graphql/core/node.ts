import { CodedError } from '@cairn/errors';
import type * as RDF from '@rdfjs/types';
import { blankNode, defaultGraph, languageLiteral, namedNode, quad, typedLiteral } from '../../rdf/terms.ts';
import { xsd } from '../../rdf/vocabulary.ts';

/** Kind of an RDF term, in the words of the schemas. */
export type NodeKind = 'URI' | 'BLANK' | 'PLAIN_LITERAL' | 'LANGUAGE_LITERAL' | 'TYPED_LITERAL' | 'VARIABLE' | 'TRIPLE';

/** A term as the schemas answer it. */
export interface NodeValue {
  readonly kind: NodeKind;
  readonly value: string | null;
  readonly triple: { readonly subject: NodeValue; readonly predicate: NodeValue; readonly object: NodeValue } | null;
  readonly datatype: string | null;
  readonly language: string | null;
}

/** The IRI that stands for the default graph, where a graph must be a node. */
const DEFAULT_GRAPH_IRI = 'urn:x-arq:DefaultGraph';

export function toNode(term: RDF.Term): NodeValue {
  switch (term.termType) {
    case 'NamedNode':
      return plainNode('URI', term.value);
    case 'BlankNode':
      return plainNode('BLANK', term.value);
    case 'Literal':
      return literalNode(term);
    case 'Quad': {
      const [subject, predicate, object] = [toNode(term.subject), toNode(term.predicate), toNode(term.object)];
      return { ...plainNode('TRIPLE', null), triple: { subject, predicate, object } };
    }
    default:
      return plainNode('URI', DEFAULT_GRAPH_IRI);
  }
}

function plainNode(kind: NodeKind, value: string | null): NodeValue {
  return { kind, value, triple: null, datatype: null, language: null };
}

function literalNode({ value, language, datatype }: RDF.Literal): NodeValue {
  const isTagged = language !== '';
  return {
    ...plainNode(isTagged ? 'LANGUAGE_LITERAL' : 'TYPED_LITERAL', value),
    datatype: datatype.value,
    language: isTagged ? language : null,
  };
}

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

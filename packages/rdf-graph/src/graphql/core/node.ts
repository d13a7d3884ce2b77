import type * as RDF from '@rdfjs/types';

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
export const DEFAULT_GRAPH_IRI = 'urn:x-arq:DefaultGraph';

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

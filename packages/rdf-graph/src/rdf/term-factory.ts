import type * as RDF from '@rdfjs/types';
import type { BlankNodeScope } from './blank-node-scope.ts';
import { isAbsoluteIri } from './iri.ts';
import { createIriCache } from './iri-cache.ts';
import { defaultGraph, languageLiteral, literalOfType, namedNode, quad, stringLiteral } from './terms.ts';

/**
 * Makes the terms of one document for a parser library: blank nodes in the document's scope, IRIs checked to be
 * absolute, repeated ones made once.
 */
export function createTermFactory(blankNodes: BlankNodeScope): RDF.DataFactory {
  const iri = createIriCache((value): RDF.NamedNode => {
    if (!isAbsoluteIri(value)) throw new Error('expected an absolute IRI: there is no base for a relative one');
    return namedNode(value);
  });
  return {
    namedNode: iri as RDF.DataFactory['namedNode'],
    blankNode: (label?: string) => (label === undefined ? blankNodes.fresh() : blankNodes.labelled(label)),
    literal: toLiteral,
    variable: () => {
      throw new Error('unexpected variable');
    },
    defaultGraph,
    quad: (s, p, o, g) => quad(s, p, o, g ?? defaultGraph()),
    fromTerm: ((term: RDF.Term) => term) as RDF.DataFactory['fromTerm'],
    fromQuad: (original) => original,
  };
}

/** Some libraries give null for no type. */
function toLiteral(value: string, type?: string | RDF.NamedNode | RDF.DirectionalLanguage | null): RDF.Literal {
  if (type === undefined || type === null) return stringLiteral(value);
  if (typeof type === 'string') return languageLiteral(value, type);
  return 'language' in type ? languageLiteral(value, type.language) : literalOfType(value, type);
}

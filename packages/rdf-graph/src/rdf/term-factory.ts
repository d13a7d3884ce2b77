import type * as RDF from '@rdfjs/types';
import type { BlankNodeScope } from './blank-node-scope.ts';
import { dataFactory } from './data-factory.ts';
import { isAbsoluteIri } from './iri.ts';
import { createIriCache } from './iri-cache.ts';
import { namedNode } from './terms.ts';

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
    ...dataFactory,
    namedNode: iri as RDF.DataFactory['namedNode'],
    blankNode: (label?: string) => (label === undefined ? blankNodes.fresh() : blankNodes.labelled(label)),
    variable: () => {
      throw new Error('unexpected variable');
    },
    fromTerm: ((term: RDF.Term) => term) as RDF.DataFactory['fromTerm'],
    fromQuad: (original) => original,
  };
}

import type * as RDF from '@rdfjs/types';
import { dataFactory } from '../../rdf/data-factory.ts';
import { namedNode } from '../../rdf/terms.ts';

/** Escapes of prefixed names, which sparqljs leaves in the IRI. No IRI holds a backslash of its own. */
const LOCAL_ESCAPE = /\\([_~.\-!$&'()*+,;=/?#@%])/g;

function toNamedNode(iri: string): RDF.NamedNode {
  return namedNode(iri.includes('\\') ? iri.replace(LOCAL_ESCAPE, '$1') : iri);
}

export const QUERY_TERMS: RDF.DataFactory = {
  ...dataFactory,
  namedNode: toNamedNode as RDF.DataFactory['namedNode'],
};

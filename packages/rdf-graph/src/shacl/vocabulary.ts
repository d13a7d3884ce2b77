import type * as RDF from '@rdfjs/types';
import { RDF_NS } from '../rdf/vocabulary.ts';

export const SH = 'http://www.w3.org/ns/shacl#';

const RDFS = 'http://www.w3.org/2000/01/rdf-schema#';

/** IRIs from outside SHACL that validation reads. */
export const rdf: Readonly<Record<'type' | 'first' | 'rest' | 'nil' | 'class' | 'subClassOf', string>> = {
  type: `${RDF_NS}type`,
  first: `${RDF_NS}first`,
  rest: `${RDF_NS}rest`,
  nil: `${RDF_NS}nil`,
  class: `${RDFS}Class`,
  subClassOf: `${RDFS}subClassOf`,
};

/** The IRI of a SHACL term by its local name. */
export function sh(name: string): string {
  return SH + name;
}

/** The local name of a SHACL term; `undefined` for any other term. */
export function shName(term: RDF.Term): string | undefined {
  return term.termType === 'NamedNode' && term.value.startsWith(SH) ? term.value.slice(SH.length) : undefined;
}

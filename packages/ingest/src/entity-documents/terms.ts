import type { LabelledQuad } from '@cairn/rdf-graph';

/** A quad of any RDF/JS implementation. */
export type Quad = LabelledQuad['quad'];
/** A term of any RDF/JS implementation. */
export type Term = Quad['subject'] | Quad['object'];
/** An IRI as a term. */
export type Iri = Extract<Term, { termType: 'NamedNode' }>;

/** The term of an IRI. */
export function iri(value: string): Iri {
  return {
    termType: 'NamedNode',
    value,
    equals: (other) => other?.termType === 'NamedNode' && other.value === value,
  };
}

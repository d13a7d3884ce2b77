import type * as RDF from '@rdfjs/types';

/** One thing that does not conform (SHACL, 3.6.2). */
export interface ShaclResult {
  readonly focusNode: RDF.Term;
  /** An IRI, or the blank node of a path whose triples {@link ShaclReport.quads} holds. */
  readonly path: RDF.Term | undefined;
  readonly value: RDF.Term | undefined;
  /** Messages of the shape, or a default one. */
  readonly messages: readonly RDF.Literal[];
  /** `http://www.w3.org/ns/shacl#Violation`, `...Warning`, `...Info` or another IRI. */
  readonly severity: RDF.Term;
  /** The IRI of the constraint component: `...#MinCountConstraintComponent`. */
  readonly component: RDF.Term;
  readonly shape: RDF.Term;
  /** Why the value does not have the shape of sh:node. */
  readonly details: readonly ShaclResult[];
}

/** The outcome of a validation. */
export interface ShaclReport {
  readonly conforms: boolean;
  /** Sorted by focus node, path, value, component and shape: the same for the same data and shapes. */
  readonly results: readonly ShaclResult[];
  /** The report as RDF (SHACL, 3.6), results in their order. */
  readonly quads: readonly RDF.Quad[];
}

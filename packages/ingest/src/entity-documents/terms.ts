import type { LabelledQuad } from '@cairn/rdf-graph';

export type Quad = LabelledQuad['quad'];
/** A term of any RDF/JS implementation. */
export type Term = Quad['subject'] | Quad['object'];

import type * as RDF from '@rdfjs/types';

/** Quads at hand, or as they come. */
export type QuadSource = Iterable<RDF.Quad> | AsyncIterable<RDF.Quad>;

import type { Viewer } from '@cairn/security';
import type * as RDF from '@rdfjs/types';
import type { GraphDataset, QuadPattern } from '../graph/port/graph-dataset.ts';
import { QuadStream } from './quad-stream.ts';

/** Source of quads for Comunica: an RDF/JS source that can count. */
export interface ComunicaSource {
  match(subject?: RDF.Term, predicate?: RDF.Term, object?: RDF.Term, graph?: RDF.Term): QuadStream;
  countQuads(subject?: RDF.Term, predicate?: RDF.Term, object?: RDF.Term, graph?: RDF.Term): Promise<number>;
}

/** Returns what a viewer sees of a dataset as a source. Hidden quads are neither read nor counted. */
export function createSource(dataset: GraphDataset, viewer: Viewer): ComunicaSource {
  return {
    match: (...terms) => new QuadStream(dataset.match(viewer, toPattern(terms))),
    countQuads: (...terms) => dataset.count(viewer, toPattern(terms)),
  };
}

function toPattern(terms: readonly (RDF.Term | null | undefined)[]): QuadPattern {
  const [subject, predicate, object, graph] = terms.map((term) => (term?.termType === 'Variable' ? undefined : term));
  return { subject, predicate, object, graph };
}

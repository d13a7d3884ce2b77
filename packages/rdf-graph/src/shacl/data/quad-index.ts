import { runAtOnce } from '@cairn/events';
import type * as RDF from '@rdfjs/types';
import { Store } from 'n3';
import { checkQuad } from '../../rdf/arguments.ts';
import { defaultGraph, quad } from '../../rdf/terms.ts';
import type { IndexedGraph } from './indexed-graph.ts';

/** Quads that are indexed between two chances to pause. */
const QUADS_PER_STEP = 256;

/** Triples at hand as an indexed graph: quads of named graphs count as of one graph, each triple once. */
export function indexQuads(quads: Iterable<RDF.Quad>): IndexedGraph & RDF.DatasetCore {
  return runAtOnce(indexQuadsInSteps(quads));
}

/** The same for many quads. Yields where it may pause. */
export function* indexQuadsInSteps(quads: Iterable<RDF.Quad>): Generator<void, IndexedGraph & RDF.DatasetCore> {
  const store = new Store();
  let count = 0;
  for (const one of quads) {
    checkQuad(one);
    const { subject, predicate, object } = one;
    store.addQuad(quad(subject, predicate, object, defaultGraph()) as never);
    if (++count % QUADS_PER_STEP === 0) yield;
  }
  return store as IndexedGraph & RDF.DatasetCore;
}

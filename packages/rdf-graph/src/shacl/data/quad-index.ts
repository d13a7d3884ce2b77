import type * as RDF from '@rdfjs/types';
import { Store } from 'n3';
import { checkQuad } from '../../rdf/arguments.ts';
import { defaultGraph, quad } from '../../rdf/terms.ts';
import type { GraphReader } from './graph-reader.ts';

/** Triples at hand as an indexed graph: quads of named graphs count as of one graph, each triple once. */
export function indexQuads(quads: Iterable<RDF.Quad>): GraphReader & RDF.DatasetCore {
  const store = new Store();
  for (const one of quads) {
    checkQuad(one);
    const { subject, predicate, object } = one;
    store.addQuad(quad(subject, predicate, object, defaultGraph()) as never);
  }
  return store as unknown as GraphReader & RDF.DatasetCore;
}

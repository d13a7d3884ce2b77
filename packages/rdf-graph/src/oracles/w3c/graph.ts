import { readFileSync } from 'node:fs';
import type * as RDF from '@rdfjs/types';
import { mediaTypeOfFile } from '../../rdf/media-types.ts';
import { parseRdf } from '../../rdf/parse.ts';
import { RDF_NS } from '../../rdf/vocabulary.ts';

/** The triples of a file, with its place in the suite as base IRI. Blank nodes are its own. */
export async function readGraph(path: string, baseIri: string): Promise<RDF.Quad[]> {
  const quads: RDF.Quad[] = [];
  const contentType = mediaTypeOfFile(path) ?? 'text/turtle';
  for await (const quad of parseRdf(readFileSync(path), { contentType, baseIri })) quads.push(quad);
  return quads;
}

export interface Lookup {
  objects(subject: RDF.Term | undefined, predicate: string): RDF.Term[];
  object(subject: RDF.Term | undefined, predicate: string): RDF.Term | undefined;
  list(head: RDF.Term | undefined): RDF.Term[];
}

export function createLookup(quads: readonly RDF.Quad[]): Lookup {
  const bySubject = new Map<string, RDF.Quad[]>();
  for (const quad of quads) {
    const key = `${quad.subject.termType}${quad.subject.value}`;
    bySubject.set(key, [...(bySubject.get(key) ?? []), quad]);
  }
  const objects: Lookup['objects'] = (subject, predicate) =>
    (bySubject.get(`${subject?.termType}${subject?.value}`) ?? [])
      .filter((quad) => quad.predicate.value === predicate)
      .map((quad) => quad.object);
  const lookup: Lookup = {
    objects,
    object: (subject, predicate) => objects(subject, predicate)[0],
    list(head) {
      const items: RDF.Term[] = [];
      for (let node = head; node !== undefined; node = lookup.object(node, `${RDF_NS}rest`)) {
        const item = lookup.object(node, `${RDF_NS}first`);
        if (item !== undefined) items.push(item);
      }
      return items;
    },
  };
  return lookup;
}

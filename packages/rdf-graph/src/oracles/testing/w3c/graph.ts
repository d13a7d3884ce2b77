import { readFileSync } from 'node:fs';
import type * as RDF from '@rdfjs/types';
import { mediaTypeOfFile } from '../../../rdf/media-types.ts';
import { parseRdf } from '../../../rdf/parse.ts';
import { RDF_NS } from '../../../rdf/vocabulary.ts';
import { collect } from '../compare.ts';

/** The triples of a file, with its place in the suite as base IRI. Blank nodes are its own. */
export function readGraph(path: string, baseIri: string): Promise<RDF.Quad[]> {
  return collect(parseRdf(readFileSync(path), { contentType: mediaTypeOfFile(path) ?? 'text/turtle', baseIri }));
}

export class Lookup {
  readonly #bySubject = new Map<string, RDF.Quad[]>();

  constructor(quads: readonly RDF.Quad[]) {
    for (const quad of quads) {
      const key = `${quad.subject.termType}${quad.subject.value}`;
      this.#bySubject.set(key, [...(this.#bySubject.get(key) ?? []), quad]);
    }
  }

  objects(subject: RDF.Term | undefined, predicate: string): RDF.Term[] {
    const quads = this.#bySubject.get(`${subject?.termType}${subject?.value}`) ?? [];
    return quads.filter((quad) => quad.predicate.value === predicate).map((quad) => quad.object);
  }

  object(subject: RDF.Term | undefined, predicate: string): RDF.Term | undefined {
    return this.objects(subject, predicate)[0];
  }

  list(head: RDF.Term | undefined): RDF.Term[] {
    const items: RDF.Term[] = [];
    for (let node = head; node !== undefined; node = this.object(node, `${RDF_NS}rest`)) {
      items.push(...this.objects(node, `${RDF_NS}first`));
    }
    return items;
  }
}

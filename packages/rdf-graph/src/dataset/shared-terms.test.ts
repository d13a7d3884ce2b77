import { createViewerOfEverything } from '@cairn/security';
import type * as RDF from '@rdfjs/types';
import { beforeAll, describe, expect, it } from 'vitest';
import { openGraphDataset } from './open.ts';
import type { StoreDataset } from './store-dataset.ts';

const viewer = createViewerOfEverything();
const DATA = `PREFIX e: <http://e.org/> INSERT DATA {
  e:s e:p "text", "text"@en, 5, "x"^^e:own, << e:s e:q _:b >>, _:b . GRAPH e:g { e:s e:p e:o } }`;

let dataset: StoreDataset;
beforeAll(async () => {
  dataset = await openGraphDataset({ name: 'd' });
  await dataset.apply([await dataset.evaluateUpdate(viewer, DATA, { label: '*' })]);
});

/** Every part of a term that somebody could write to. */
function* partsOf(term: RDF.Term): Generator<RDF.Term> {
  yield term;
  if (term.termType === 'Literal') yield term.datatype;
  if (term.termType === 'Quad')
    for (const part of [term.subject, term.predicate, term.object, term.graph]) yield* partsOf(part);
}

async function terms(): Promise<RDF.Term[]> {
  const found: RDF.Term[] = [];
  for await (const quad of dataset.match(viewer)) found.push(quad.subject, quad.predicate, quad.object, quad.graph);
  const queries = ['SELECT * { ?s ?p ?o }', 'SELECT ("own" AS ?a) (<urn:own> AS ?b) (?o = 5 AS ?c) { ?s ?p ?o }'];
  for (const query of queries) {
    const result = await dataset.query(viewer, query);
    if (result.type !== 'bindings') throw new Error(`bindings expected; got ${result.type}`);
    for await (const solution of result.solutions) found.push(...solution.values());
  }
  return found;
}

describe('terms in answers', () => {
  it('cannot be changed, for others get the same', async () => {
    const all = await terms();
    expect(all.length).toBeGreaterThan(40);
    for (const term of all) {
      for (const part of partsOf(term)) {
        expect(() => Object.assign(part, { value: 'changed' }), part.termType).toThrow(TypeError);
      }
    }
    const texts = (await terms()).map(({ value }) => value);
    expect(texts).not.toContain('changed');
    expect(texts).toEqual(all.map(({ value }) => value));
  });
});

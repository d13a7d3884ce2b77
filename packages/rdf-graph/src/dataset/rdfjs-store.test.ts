import { createViewer } from '@cairn/security';
import type * as RDF from '@rdfjs/types';
import { DataFactory, Store as N3Store } from 'n3';
import { describe, expect, it } from 'vitest';
import type { Emitter } from '../rdf/emitter.ts';
import { openGraphDataset } from './open.ts';
import { createRdfJsStore, type QuadEvents } from './rdfjs-store.ts';

const { namedNode, literal, quad } = DataFactory;
const viewer = createViewer({ attributes: { a: ['1'] } });
const p = namedNode('http://e/p');

const ended = (emitter: Emitter): Promise<void> =>
  new Promise((resolve, reject) => {
    emitter.on('end', () => resolve());
    emitter.on('error', (error) => reject(error));
  });

function streamOf(...objects: RDF.Quad_Object[]): QuadEvents {
  const store = new N3Store(objects.map((object) => quad(namedNode('http://e/s'), p, object as never)));
  return store.match() as unknown as QuadEvents;
}

describe('the RDF/JS store', () => {
  it('imports, matches and removes terms of another library', async () => {
    const dataset = await openGraphDataset({ name: 'd' });
    const store = createRdfJsStore(dataset, viewer, 'a=1');
    await ended(store.import(streamOf(literal('x', 'EN'), literal(5), namedNode('http://e/o'))));
    const found: RDF.Quad[] = [];
    for await (const one of store.match(null, p)) found.push(one);
    expect(found.map(({ object }) => object.value).sort()).toEqual(['5', 'http://e/o', 'x']);
    expect(await store.countQuads(undefined, undefined, literal('x', 'en'))).toBe(1);
    await ended(store.remove(streamOf(literal(5), literal('never'))));
    expect(await store.countQuads()).toBe(2);
    await ended(store.removeMatches(null, null, namedNode('http://e/o')));
    expect(await store.countQuads()).toBe(1);
    await ended(store.deleteGraph('http://e/none'));
    await ended(store.deleteGraph(DataFactory.defaultGraph()));
    expect(await store.countQuads()).toBe(0);
  });

  it('flows to data listeners and can be read on demand', async () => {
    const dataset = await openGraphDataset({ name: 'd' });
    const store = createRdfJsStore(dataset, viewer, 'a=1');
    await ended(store.import(streamOf(...Array.from({ length: 3000 }, (_, i) => literal(i)))));
    let flowed = 0;
    const reader = store.match();
    reader.on('data', () => flowed++);
    await ended(reader);
    expect(flowed).toBe(3000);
    const onDemand = store.match();
    await new Promise<void>((resolve) => onDemand.once('readable', () => resolve()));
    let read = 0;
    const end = ended(onDemand);
    while (onDemand.read() !== null) read++;
    await end;
    expect(read).toBe(3000);
  });

  it('neither shows nor removes what the viewer may not see', async () => {
    const dataset = await openGraphDataset({ name: 'd' });
    const hidden = createRdfJsStore(dataset, createViewer({ attributes: { b: ['1'] } }), 'b=1');
    const store = createRdfJsStore(dataset, viewer, 'a=1');
    await ended(hidden.import(streamOf(literal('both'), literal('hidden'))));
    await ended(store.import(streamOf(literal('both'))));
    await ended(store.removeMatches());
    expect(await store.countQuads()).toBe(0);
    expect(await hidden.countQuads()).toBe(2);
  });
});

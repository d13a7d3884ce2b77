import { CodedError } from '@cairn/errors';
import { namedNode, openGraphDataset, quad, stringLiteral, toPatchEvents } from '@cairn/rdf-graph';
import { openSearchIndex, type SearchIndex } from '@cairn/search';
import { afterEach, describe, expect, it } from 'vitest';
import { markAsOneChange } from '../projector/batch-part.ts';
import { readAll } from '../testing/drain.ts';
import { createPorts, type House, NAMESPACE, openHouse, PUBLIC, SECRET } from '../testing/house.ts';

const houses: House[] = [];

async function house(...options: Parameters<typeof openHouse>): Promise<House> {
  const opened = await openHouse(...options);
  houses.push(opened);
  return opened;
}

afterEach(async () => {
  await Promise.all(houses.splice(0).map(({ ingest }) => ingest.stop()));
});

async function houseWithReport(label = '*'): Promise<House & { readonly uri: string; readonly id: string }> {
  const opened = await house();
  await opened.load('ex:eagle a ex:Vehicle ; rdfs:label "Eagle" .');
  await opened.load('ex:secret a ex:Base ; rdfs:label "Tranquility" .', 'clearance=S');
  const { documents } = await opened.upload({ 'a.txt': 'The Eagle at Tranquility.' }, label);
  await opened.ingest.settle();
  return { ...opened, id: documents[0].id, uri: NAMESPACE + documents[0].id };
}

const entitiesOf = async ({ ingest }: House, uri: string, viewer = PUBLIC): Promise<unknown> =>
  (await ingest.search.getDocument(viewer, uri))?.['entities'];

const correction = (documentUri: string) => ({
  documentUri,
  entityText: 'Eagle',
  entityCategory: 'https://example.org/id/Vehicle',
  resolvedEntityUri: 'https://example.org/id/lm-5',
  resolvedCategory: 'https://example.org/id/LunarModule',
});

const CORRECTED = {
  text: 'Eagle',
  category: 'https://example.org/id/LunarModule',
  uri: 'https://example.org/id/lm-5',
  mentions: [{ field: 'content', start: 4, end: 9 }],
};

describe('a correction', () => {
  it('changes the entity, is answered with the document, and outlives re-indexing and replay', async () => {
    const report = await houseWithReport();
    const { ingest, uri, log, blobs } = report;
    const { document } = await ingest.correctEntity(PUBLIC, correction(uri));
    expect(document['entities']).toEqual([CORRECTED]);
    await report.upload({ 'a.txt': 'The Eagle at Tranquility.' });
    await ingest.settle();
    expect(await entitiesOf(report, uri)).toEqual([CORRECTED]);
    const again = await house({ log, blobs });
    await again.ingest.settle();
    expect(await entitiesOf(again, uri)).toEqual([CORRECTED]);
  });

  it('stays while the name that it corrected is gone, and when it comes back, also after rebuild and restart', async () => {
    const report = await houseWithReport();
    const { ingest, uri, log, blobs } = report;
    await ingest.correctEntity(PUBLIC, correction(uri));
    const reread = async (update: string): Promise<unknown> => {
      await report.update(update);
      await ingest.reannotate();
      await ingest.settle();
      return entitiesOf(report, uri);
    };
    const expectEverywhere = async (): Promise<void> => {
      await ingest.rebuildSearch(await openSearchIndex({ indices: ['search', 'doc-content'] }));
      expect(await entitiesOf(report, uri)).toEqual([CORRECTED]);
      const again = await house({ log, blobs });
      await again.ingest.settle();
      expect(await entitiesOf(again, uri)).toEqual([CORRECTED]);
    };
    expect(await reread('DELETE DATA { ex:eagle rdfs:label "Eagle" }')).toEqual([CORRECTED]);
    await expectEverywhere();
    expect(await reread('INSERT DATA { ex:eagle rdfs:label "Eagle" }')).toEqual([CORRECTED]);
    await expectEverywhere();
  });

  it('is refused for a document that may not be seen exactly as for one that does not exist', async () => {
    const { ingest, uri } = await houseWithReport('clearance=S');
    const refusal = async (documentUri: string): Promise<unknown> =>
      ingest.correctEntity(PUBLIC, correction(documentUri)).catch((error: unknown) => error);
    const hidden = await refusal(uri);
    expect(hidden).toMatchObject({ code: 'ERR_NO_MATCHING_ENTITY', kind: 'invalid' });
    expect(hidden).toEqual(await refusal('https://example.org/documents/none'));
  });

  it('touches no entity that its author does not see', async () => {
    const report = await houseWithReport();
    const hidden = {
      ...correction(report.uri),
      entityText: 'Tranquility',
      entityCategory: 'https://example.org/id/Base',
    };
    await expect(report.ingest.correctEntity(PUBLIC, hidden)).rejects.toMatchObject({ code: 'ERR_NO_MATCHING_ENTITY' });
    await expect(report.ingest.correctEntity(SECRET, hidden)).resolves.toBeDefined();
  });
});

describe('a deletion', () => {
  it('removes the document, what the graph says of it, and its corrections', async () => {
    const report = await houseWithReport();
    const { ingest, uri, id, knowledge } = report;
    await ingest.correctEntity(PUBLIC, correction(uri));
    await ingest.deleteDocument(SECRET, id);
    await ingest.settle();
    expect(await ingest.search.getDocument(SECRET, uri)).toBeUndefined();
    expect(await knowledge.query(SECRET, `ASK { <${uri}> ?p ?o }`)).toMatchObject({ value: false });
    await report.upload({ 'a.txt': 'The Eagle at Tranquility.' });
    await ingest.settle();
    expect(await entitiesOf(report, uri)).toMatchObject([{ category: 'https://example.org/id/Vehicle' }]);
  });

  it('leaves what the graph says under labels that its author does not see', async () => {
    const { ingest, uri, knowledge } = await houseWithReport();
    await ingest.deleteDocument(PUBLIC, uri);
    await ingest.settle();
    const left = await knowledge.query(SECRET, `SELECT ?p { <${uri}> ?p ?o }`);
    const predicates: string[] = [];
    if (left.type === 'bindings')
      for await (const solution of left.solutions) predicates.push(solution.get('p')?.value ?? '');
    expect(predicates).toEqual(['https://schema.org/mentions']);
  });

  it('is refused for a document that may not be seen as for one that does not exist', async () => {
    const { ingest, uri } = await houseWithReport('clearance=S');
    const refusal = async (id: string): Promise<unknown> =>
      ingest.deleteDocument(PUBLIC, id).catch((error: unknown) => error);
    expect(await refusal(uri)).toMatchObject({ code: 'ERR_NO_DOCUMENT', kind: 'not-found' });
    expect(await refusal(uri)).toEqual(await refusal('https://example.org/documents/none'));
    await ingest.settle();
    expect(await ingest.search.getDocument(SECRET, uri)).toBeDefined();
  });

  it('that forgets erases the blobs too', async () => {
    const opened = await house();
    const text = `The Eagle has landed. ${'word '.repeat(300_000)}`;
    const { documents } = await opened.upload({ 'large.txt': text });
    await opened.ingest.settle();
    const topics = ['document.entities', 'document.extractrequest', 'document.textandmetadata', 'knowledge'];
    const erased: string[] = [];
    const erasure = await opened.ingest.forget(documents[0].id, {
      eraseValues: async (topic) => erased.push(topic),
    });
    // The native document, its text, its entities, what the graph was told, and what it was told to drop.
    expect(erasure).toEqual({ uris: [NAMESPACE + documents[0].id], events: 5, blobs: 3, topics });
    expect(erased).toEqual(topics);
    const left: string[] = [];
    for await (const { name } of opened.blobs.list()) left.push(name);
    expect(left.filter((name) => !name.startsWith('applied'))).toEqual([]);
  });
});

describe('an update under several labels', () => {
  it('is one change: no reader sees a part of it, however many come at once', async () => {
    const { ingest, log, knowledge } = await house();
    const graph = ingest.projectors.find(({ group }) => group === 'graph')!;
    await graph.pause();
    for (let at = 0; at < 400; at++) {
      const said = quad(namedNode(`urn:${at}`), namedNode('urn:p'), stringLiteral('said'));
      const additions = ['*', 'clearance=O', 'clearance=S'].map((label, part) => ({
        quad: quad(said.subject, said.predicate, stringLiteral(`${part}`)),
        label,
      }));
      await log.append(
        'knowledge',
        markAsOneChange(await toPatchEvents({ deletions: [], additions }, { eventId: `e${at}` })),
      );
    }
    graph.resume();
    const counts = new Set<number>();
    while ((await log.lag('knowledge', graph.position())) > 0) {
      counts.add(await knowledge.count(SECRET));
      await new Promise((resolve) => setImmediate(resolve));
    }
    counts.add(await knowledge.count(SECRET));
    expect([...counts].filter((count) => count % 3 !== 0)).toEqual([]);
    expect(Math.max(...counts)).toBe(1200);
  });

  it('marks its events as parts of one', async () => {
    const { update, log } = await house();
    await update('INSERT DATA { ex:a rdfs:label "a" }', '*');
    await update('INSERT DATA { ex:a rdfs:label "a" }', 'clearance=S');
    await update('DELETE { ex:a rdfs:label ?l } INSERT { ex:b rdfs:label ?l } WHERE { ex:a rdfs:label ?l }', '*');
    const parts = (await readAll(log, 'knowledge')).map(({ headers }) => headers.get('Batch-Part'));
    expect(parts).toEqual([undefined, undefined, '1/2', '2/2']);
  });
});

describe('an entity that the index refuses', () => {
  it('keeps no other of its event out, and is told of in a dead letter', async () => {
    const { search } = await createPorts();
    const apply: SearchIndex['apply'] = (changes, positions) =>
      changes.some((change) => change.type === 'put' && change.document.uri.endsWith('/bad'))
        ? Promise.reject(new CodedError({ code: 'ERR_DOCUMENT', kind: 'invalid', message: 'refused' }))
        : search.apply(changes, positions);
    const refusing = new Proxy(search, {
      get(target, key) {
        const value: unknown = key === 'apply' ? apply : Reflect.get(target, key, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const { ingest, load } = await house({ search: refusing });
    await expect(
      load('ex:good rdfs:label "Good" . ex:bad rdfs:label "Bad" . ex:more rdfs:label "More" .'),
    ).rejects.toThrow('refused');
    const { results } = await ingest.search.search(PUBLIC, { query: '*:*' });
    expect(results.map(({ id }) => id.split('/').at(-1)).sort()).toEqual(['good', 'more']);
    const figures = (await ingest.figures()).projectors.find(({ group }) => group === 'search-entities');
    expect(figures).toMatchObject({ applied: 0, deadLetters: 1, lag: 0 });
  });
});

describe('annotating again', () => {
  it('records the names that came and went, in documents that changed by it only', async () => {
    const report = await houseWithReport();
    const { ingest, uri, log, knowledge } = report;
    await report.upload({ 'b.txt': 'Nothing of note.' });
    await ingest.settle();
    expect(await ingest.reannotate()).toBe(0);
    await report.update('DELETE DATA { ex:eagle rdfs:label "Eagle" }');
    await report.load('ex:eagle2 a ex:Craft ; rdfs:label "the eagle" .');
    expect(await ingest.reannotate()).toBe(1);
    await ingest.settle();
    expect(await entitiesOf(report, uri)).toMatchObject([{ text: 'The Eagle', uri: 'https://example.org/id/eagle2' }]);
    const mentions = `SELECT ?o { <${uri}> <https://schema.org/mentions> ?o }`;
    const found = await knowledge.query(PUBLIC, mentions);
    const objects: string[] = [];
    if (found.type === 'bindings')
      for await (const solution of found.solutions) objects.push(solution.get('o')?.value ?? '');
    expect(objects).toEqual(['https://example.org/id/eagle2']);
    expect((await readAll(log, 'document.entities')).length).toBe(3);
    const again = await house({ log, blobs: report.blobs });
    await again.ingest.settle();
    expect(await entitiesOf(again, uri)).toEqual(await entitiesOf(report, uri));
  });

  it('never brings a deleted document back', async () => {
    const report = await houseWithReport();
    const { ingest, uri, log, knowledge } = report;
    await report.load('ex:at rdfs:label "Eagle at" .');
    const projector = ingest.projectors.find(({ group }) => group === 'ingest-find-entities')!;
    await projector.pause();
    await ingest.deleteDocument(SECRET, uri);
    const [repeat] = [await ingest.reannotate()];
    projector.resume();
    await ingest.settle();
    expect(repeat).toBe(1);
    const [, repeated] = await readAll(log, 'document.entities');
    await log.append('document.entities', [{ ...repeated, headers: repeated.headers.with('Event-Id', 'late') }]);
    await ingest.settle();
    expect(await ingest.search.getDocument(SECRET, uri)).toBeUndefined();
    expect(await knowledge.query(SECRET, `ASK { <${uri}> ?p ?o }`)).toMatchObject({ value: false });
  });
});

describe('a rebuild', () => {
  it('of the search index gives the same answers, with the recorded entities, while the old one answers', async () => {
    const report = await houseWithReport();
    const { ingest, uri, log } = report;
    await ingest.correctEntity(PUBLIC, correction(uri));
    const before = await ingest.search.search(SECRET, { query: '*' });
    const progress: number[] = [];
    const old = await ingest.rebuildSearch(await openSearchIndex({ indices: ['search', 'doc-content'] }), {
      onProgress: ({ done, total }) => progress.push(done / total),
    });
    expect(await ingest.search.search(SECRET, { query: '*' })).toEqual(before);
    expect(await old.search(SECRET, { query: '*' })).toMatchObject({ maybeMore: before.maybeMore });
    expect(progress.at(-1)).toBe(1);
    expect((await readAll(log, 'document.entities')).length).toBe(1);
    await report.update('INSERT DATA { ex:new rdfs:label "Newcomer" }');
    expect((await ingest.search.typeahead(PUBLIC, { query: 'newc' })).results.length).toBe(1);
    expect((await old.typeahead(PUBLIC, { query: 'newc' })).results.length).toBe(0);
  });

  it('of a dataset gives the same quads, and updates go on', async () => {
    const report = await houseWithReport();
    const count = (await report.ingest.dataset('knowledge')?.count(SECRET)) ?? 0;
    const fresh = await openGraphDataset({ name: 'knowledge' });
    await report.ingest.rebuildDataset(fresh);
    expect(await fresh.count(SECRET)).toBe(count);
    await report.update('INSERT DATA { ex:new rdfs:label "Newcomer" }');
    expect(await fresh.count(SECRET)).toBe(count + 1);
    expect(await report.knowledge.count(SECRET)).toBe(count);
    expect((await report.ingest.search.typeahead(PUBLIC, { query: 'newc' })).results.length).toBe(1);
  });

  it('puts RDF into the graph that it was loaded for, held in memory or in a blob', async () => {
    const { ingest, log } = await house();
    const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
    const place = { graph: 'https://example.org/asked', baseIri: 'https://example.org/base/' };
    const request = { dataset: 'knowledge', contentType: 'text/turtle', label: '*', ...place };
    await ingest.load({ ...request, value: encode('<s> <p> [ <q> 1 ] .') });
    const large = `<large> <p> "${'x'.repeat(2 * 1024 * 1024)}" .`;
    await ingest.load({ ...request, value: encode(large) });
    const events = await readAll(log, 'knowledge');
    expect(events.map(({ headers }) => [headers.get('Graph'), headers.has('Value-Blob')])).toEqual([
      [place.graph, false],
      [place.graph, true],
    ]);
    const fresh = await openGraphDataset({ name: 'knowledge' });
    await ingest.rebuildDataset(fresh);
    const graph = namedNode(place.graph);
    expect(await fresh.count(PUBLIC)).toBe(3);
    expect(await fresh.count(PUBLIC, { graph })).toBe(3);
    expect(await fresh.count(PUBLIC, { subject: namedNode('https://example.org/base/large'), graph })).toBe(1);
  });

  it('finds nothing of RDF that was refused for naming another graph', async () => {
    const { ingest, log } = await house();
    const value = new TextEncoder().encode('<urn:g> { <urn:s> <urn:p> 1 }');
    const request = { dataset: 'knowledge', contentType: 'application/trig', graph: 'urn:asked', value };
    async function* pieces(): AsyncGenerator<Uint8Array> {
      yield value;
    }
    const refused = { code: 'ERR_RDF_TARGET', kind: 'invalid' };
    await expect(ingest.load(request)).rejects.toMatchObject(refused);
    await expect(ingest.load({ ...request, value: pieces() })).rejects.toMatchObject(refused);
    await expect(ingest.load({ ...request, graph: 'asked' })).rejects.toMatchObject({ code: 'ERR_EVENT_INVALID' });
    expect(await readAll(log, 'knowledge')).toEqual([]);
  });

  it('that is aborted leaves the old one in place', async () => {
    const { ingest, uri } = await houseWithReport();
    const fresh = await openSearchIndex({ indices: ['search', 'doc-content'] });
    const aborted = ingest.rebuildSearch(fresh, { signal: AbortSignal.abort() });
    await expect(aborted).rejects.toMatchObject({ kind: 'cancelled' });
    expect(await ingest.search.getDocument(PUBLIC, uri)).toBeDefined();
  });
});

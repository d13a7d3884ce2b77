import { nextTurn } from '@cairn/events';
import { delayedSource, seededRandom } from '@cairn/events/conformance';
import { namedNode, quad } from '@cairn/rdf-graph';
import { afterEach, describe, expect, it } from 'vitest';
import { readAll } from '../testing/drain.ts';
import { type House, NAMESPACE, openHouse, PUBLIC, SECRET } from '../testing/house.ts';

const houses: House[] = [];

async function house(...options: Parameters<typeof openHouse>): Promise<House> {
  const opened = await openHouse(...options);
  houses.push(opened);
  return opened;
}

afterEach(async () => {
  await Promise.all(houses.splice(0).map(({ ingest }) => ingest.stop()));
});

describe('RDF that is loaded', () => {
  it('is taken as it was at the call, though its array is filled anew, and a source gives one buffer again', async () => {
    const { ingest, log } = await house();
    const lines = Array.from({ length: 100 }, (_, n) => `<urn:given${n}> <urn:p> "${n}" .\n`);
    const given = new TextEncoder().encode(lines.join(''));
    const other = new TextEncoder().encode(lines.join('').replaceAll('given', 'other'));
    const load = (value: Uint8Array | AsyncIterable<Uint8Array>) =>
      ingest.load({ dataset: 'knowledge', contentType: 'text/turtle', value, label: '*', writer: SECRET });
    for (let turns = 0; turns < 20; turns++) {
      const value = new Uint8Array(given);
      const loaded = load(value);
      for (let n = 0; n < turns; n++) await nextTurn();
      value.set(other);
      await loaded;
    }
    for (const sizes of [[7], [100], [7, 1000]]) {
      await load(delayedSource(given, { random: seededRandom(1), sizes, delays: 0.1, memory: 'one' }));
    }
    const values = (await readAll(log, 'knowledge')).map(({ value }) => new TextDecoder().decode(value));
    expect([values.length, new Set(values)]).toEqual([23, new Set([lines.join('')])]);
  });
});

describe('an RDF patch that is loaded', () => {
  it('takes away under a label that its writer states, and under every one for an operator alone', async () => {
    const { ingest } = await house();
    const patch = (rows: string, more: object) =>
      ingest.load({
        dataset: 'knowledge',
        contentType: 'application/rdf-patch',
        value: new TextEncoder().encode(`TX .\n${rows}\nTC .\n`),
        ...more,
      });
    const row = '<urn:s> <urn:p> "one" .';
    const refusal = { code: 'ERR_SECURITY_LABEL', kind: 'invalid' };
    await patch(`A ${row}`, { label: 'clearance=S' });
    for (const rows of [`D ${row}`, 'PD "ex" .']) {
      await expect(patch(rows, { writer: PUBLIC })).rejects.toMatchObject(refusal);
      await expect(patch(rows, { writer: PUBLIC, label: 'clearance=S' })).rejects.toMatchObject(refusal);
    }
    const isThere = () => ingest.dataset('knowledge')?.count(SECRET, {});
    expect(await isThere()).toBe(1);
    await patch(`D ${row}`, { writer: SECRET, label: 'clearance=S' });
    expect(await isThere()).toBe(0);
    await patch(`A ${row}`, { label: 'clearance=S' });
    await patch(`D ${row}`, {});
    expect(await isThere()).toBe(0);
  });
});

describe('an upload becomes a search result', () => {
  it('for those whom its label permits, and for nobody else', async () => {
    const { ingest, upload } = await house();
    const outcome = await upload({ 'report.txt': '# Landing report\nThe Eagle has landed.' }, 'clearance=S');
    await ingest.settle();
    const found = await ingest.search.search(SECRET, { query: 'eagle landed' });
    expect(found.results.map(({ id }) => id)).toEqual([NAMESPACE + outcome.documents[0].id]);
    expect(found.results[0].document).toMatchObject({
      primaryName: 'Landing report',
      content: '# Landing report\nThe Eagle has landed.',
      types: ['http://xmlns.com/foaf/0.1/Document', 'https://schema.org/DigitalDocument'],
      metadata: { fileName: 'report.txt', 'Content-Type': 'text/plain', documentFormat: 'Text', language: 'en' },
    });
    expect((await ingest.search.search(PUBLIC, { query: 'eagle' })).results).toEqual([]);
    expect(await ingest.search.getDocument(PUBLIC, found.results[0].id)).toBeUndefined();
  });

  it('with the entities that the graph knows', async () => {
    const { ingest, upload, load, knowledge } = await house();
    await load('ex:eagle a ex:Vehicle ; rdfs:label "Eagle" .');
    const { documents } = await upload({ 'a.txt': 'The Eagle has landed on 1969-07-20.' });
    await ingest.settle();
    const uri = NAMESPACE + documents[0].id;
    expect((await ingest.search.getDocument(PUBLIC, uri))?.['entities']).toEqual([
      {
        text: 'Eagle',
        category: 'https://example.org/id/Vehicle',
        uri: 'https://example.org/id/eagle',
        mentions: [{ field: 'content', start: 4, end: 9 }],
      },
      { text: '1969-07-20', category: 'https://schema.org/Date', mentions: [{ field: 'content', start: 24, end: 34 }] },
    ]);
    const mentions = await knowledge.query(
      PUBLIC,
      `ASK { <${uri}> <https://schema.org/mentions> <https://example.org/id/eagle> }`,
    );
    expect(mentions).toEqual({ type: 'boolean', value: true });
    expect((await ingest.search.search(PUBLIC, { query: '*', indices: ['search'] })).results.length).toBe(1);
  });

  it('again after a restart on the same log with empty caches', async () => {
    const first = await house();
    await first.load('ex:eagle rdfs:label "Eagle" .');
    await first.upload({ 'a.txt': 'The Eagle has landed.' });
    await first.ingest.settle();
    const before = await first.ingest.search.search(PUBLIC, { query: 'eagle' });
    expect(before.results.length).toBe(2);
    await first.ingest.stop();
    const second = await house({ log: first.log, blobs: first.blobs });
    await second.ingest.settle();
    expect(await second.ingest.search.search(PUBLIC, { query: 'eagle' })).toEqual(before);
    expect((await readAll(first.log, 'document.entities')).length).toBe(1);
  });

  it('after a restart on the same caches, without doing anything again', async () => {
    const first = await house();
    await first.load('ex:eagle rdfs:label "Eagle" .');
    await first.upload({ 'Report.txt': 'The Eagle has landed.' });
    await first.ingest.settle();
    await first.ingest.stop();
    const second = await house(first);
    const { projectors, names } = await second.ingest.figures();
    expect(projectors.map(({ applied, lag }) => applied + lag)).toEqual(projectors.map(() => 0));
    expect(names).toBe(1);
    await second.upload({ 'b.txt': 'Report.txt confirms that the Eagle has landed.' });
    await second.ingest.settle();
    const { results } = await second.ingest.search.search(PUBLIC, { query: 'confirms' });
    expect(results[0].document['entities']).toMatchObject([{ text: 'Eagle' }]);
  });

  it('as a dead letter when it is malformed, and the next ones go on', async () => {
    const { ingest, upload, log } = await house();
    await upload({ 'bad.txt': '!poison', 'good.txt': 'wholesome' });
    await ingest.settle();
    expect((await ingest.search.search(PUBLIC, { query: 'wholesome' })).results.length).toBe(1);
    const [letter] = await readAll(log, 'document.extractrequest.dlq');
    expect(letter.headers.get('Dead-Letter-Reason')).toBe('the document is poisonous');
  });

  it('or knowledge when it is RDF', async () => {
    const { ingest, upload } = await house();
    await upload({ 'facts.nt': '<urn:x> <http://www.w3.org/2000/01/rdf-schema#label> "Columbia" .' }, 'clearance=S');
    await ingest.settle();
    expect((await ingest.search.typeahead(SECRET, { query: 'colu' })).results.map(({ id }) => id)).toEqual(['urn:x']);
    expect((await ingest.search.typeahead(PUBLIC, { query: 'colu' })).results).toEqual([]);
  });
});

describe('a SPARQL update reaches every cache', () => {
  it('before it is answered: the dataset, typeahead, and the old name is gone', async () => {
    const { ingest, update } = await house();
    await update('INSERT DATA { ex:a a ex:Mission ; rdfs:label "Apollo 11" }');
    const typeahead = async (query: string, viewer = PUBLIC): Promise<unknown[]> =>
      (await ingest.search.typeahead(viewer, { query })).results.map(({ document }) => document['primaryName']);
    expect(await typeahead('apol')).toEqual(['Apollo 11']);
    await update(
      'DELETE { ex:a rdfs:label ?l } INSERT { ex:a rdfs:label "Mission Eleven" } WHERE { ex:a rdfs:label ?l }',
    );
    expect(await typeahead('apol')).toEqual([]);
    expect(await typeahead('miss')).toEqual(['Mission Eleven']);
  });

  it('under the label of the update', async () => {
    const { ingest, update } = await house();
    await update('INSERT DATA { ex:a rdfs:label "Public Name" }');
    await update('INSERT DATA { ex:a rdfs:label "Covert Name" }', 'clearance=S');
    const names = async (viewer = PUBLIC): Promise<unknown> =>
      (await ingest.search.getDocument(viewer, 'https://example.org/id/a'))?.['literals'];
    expect(await names()).toEqual({ 'rdfs:label': ['Public Name'] });
    expect(await names(SECRET)).toEqual({ 'rdfs:label': ['Covert Name', 'Public Name'] });
  });

  it('through nested nodes: an identifier changed alone is found at its entity', async () => {
    const { ingest, load, update } = await house();
    await load('ex:a rdfs:label "Apollo" ; ies:isIdentifiedBy ex:n . ex:n ies:representationValue "AS-506" .');
    await update(
      'DELETE DATA { ex:n ies:representationValue "AS-506" } ; INSERT DATA { ex:n ies:representationValue "AS-507" }',
    );
    const document = await ingest.search.getDocument(PUBLIC, 'https://example.org/id/a');
    expect(document?.['isIdentifiedBy']).toEqual([
      {
        instance: 'https://example.org/id/n',
        predicate: 'http://ies.data.gov.uk/ontology/ies4#isIdentifiedBy',
        representationValue: 'AS-507',
      },
    ]);
  });

  it('and says when its event is a dead letter', async () => {
    const { ingest } = await house();
    // Readers of a patch take no more than 32 triple terms inside one another.
    const name = namedNode('urn:a');
    const unreadable = Array.from({ length: 40 }).reduce<ReturnType<typeof quad>>(
      (inner) => quad(name, name, inner),
      quad(name, name, name),
    );
    const update = ingest.update({
      dataset: 'knowledge',
      evaluate: async () => ({ deletions: [], additions: [{ quad: unreadable, label: '*' }] }),
    });
    await expect(update).rejects.toMatchObject({ code: 'ERR_DEAD_LETTER' });
  });

  it('but RDF that cannot be read is refused before anything is appended', async () => {
    const { ingest, log } = await house();
    const value = new TextEncoder().encode('not turtle');
    const load = ingest.load({ dataset: 'knowledge', contentType: 'text/turtle', value });
    await expect(load).rejects.toMatchObject({ code: 'ERR_RDF_SYNTAX', kind: 'invalid' });
    expect(await log.end('knowledge')).toBeUndefined();
  });

  it('with the dates of states', async () => {
    const { ingest, load } = await house();
    await load(`ex:flight a ex:Phase ; rdfs:label "Flight" ; ies:isStateOf ex:a .
      ex:begin ies:isStartOf ex:flight ; ies:inPeriod ex:p . ex:p ies:iso8601PeriodRepresentation "1969-07-16" .`);
    const document = await ingest.search.getDocument(PUBLIC, 'https://example.org/id/flight');
    expect(document).toMatchObject({
      isState: true,
      start: '1969-07-16',
      relations: { 'ies:isStateOf': ['https://example.org/id/a'] },
    });
    const states = await ingest.search.states(PUBLIC, { ids: ['https://example.org/id/a'] });
    expect(states['https://example.org/id/a']?.results.map(({ id }) => id)).toEqual(['https://example.org/id/flight']);
  });
});

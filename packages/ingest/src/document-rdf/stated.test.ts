import { afterEach, describe, expect, it } from 'vitest';
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

const COLUMBIA = '<urn:x> <http://www.w3.org/2000/01/rdf-schema#label> "Columbia" .\n';
const CRAFT = '<urn:x> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <urn:Craft> .\n';

async function uploadFile(opened: House, file: string, text: string, label = '*'): Promise<string> {
  const { documents } = await opened.upload({ [file]: text }, label);
  await opened.ingest.settle();
  return documents[0].id;
}

async function saidOf(opened: House, subject: string, viewer = SECRET): Promise<string[]> {
  const answer = await opened.knowledge.query(viewer, `SELECT ?o { <${subject}> ?p ?o }`);
  const objects: string[] = [];
  if (answer.type === 'bindings')
    for await (const solution of answer.solutions) objects.push(solution.get('o')?.value ?? '');
  return objects.sort();
}

describe('an uploaded RDF file', () => {
  it('is found by its metadata, for those whom its label permits', async () => {
    const opened = await house();
    const id = await uploadFile(opened, 'facts.nt', COLUMBIA, 'clearance=S');
    const { search } = opened.ingest;
    expect(await search.getDocument(SECRET, NAMESPACE + id)).toMatchObject({
      primaryName: 'facts.nt',
      metadata: {
        fileName: 'facts.nt',
        'Content-Type': 'application/n-triples',
        'Content-Length': COLUMBIA.length,
        reason: 'graph data',
      },
    });
    expect(await search.getDocument(PUBLIC, NAMESPACE + id)).toBeUndefined();
  });

  it('goes with all that it says when it is deleted, and comes again', async () => {
    const opened = await house();
    const id = await uploadFile(opened, 'facts.nt', COLUMBIA + CRAFT);
    expect(await saidOf(opened, 'urn:x')).toEqual(['Columbia', 'urn:Craft']);
    await opened.ingest.deleteDocument(SECRET, id);
    await opened.ingest.settle();
    expect(await saidOf(opened, 'urn:x')).toEqual([]);
    expect((await opened.ingest.search.typeahead(SECRET, { query: 'colu' })).results).toEqual([]);
    expect(await opened.ingest.search.getDocument(SECRET, NAMESPACE + id)).toBeUndefined();
    expect(await uploadFile(opened, 'facts.nt', COLUMBIA + CRAFT)).toBe(id);
    expect(await saidOf(opened, 'urn:x')).toEqual(['Columbia', 'urn:Craft']);
  });

  it('stays when it was uploaded again behind its deletion, whenever that is applied', async () => {
    const opened = await house();
    const id = await uploadFile(opened, 'facts.nt', COLUMBIA);
    const rdf = opened.ingest.projectors.find(({ group }) => group === 'ingest-document-rdf')!;
    await rdf.pause();
    await opened.ingest.deleteDocument(SECRET, id);
    await opened.upload({ 'facts.nt': COLUMBIA });
    await opened.ingest.settle({ timeoutMs: 100 }).catch(() => {});
    rdf.resume();
    await opened.ingest.settle();
    expect(await saidOf(opened, 'urn:x')).toEqual(['Columbia']);
    expect(await opened.ingest.search.getDocument(SECRET, NAMESPACE + id)).toBeDefined();
  });

  it('takes nothing along that others have said too, unless they took it back', async () => {
    const opened = await house();
    await opened.load('<urn:x> rdfs:label "Columbia" .');
    const id = await uploadFile(opened, 'facts.nt', COLUMBIA + CRAFT);
    const other = await uploadFile(opened, 'more.nt', CRAFT);
    await opened.ingest.deleteDocument(SECRET, id);
    await opened.ingest.settle();
    expect(await saidOf(opened, 'urn:x')).toEqual(['Columbia', 'urn:Craft']);
    await opened.update('DELETE WHERE { <urn:x> rdfs:label ?name }');
    await uploadFile(opened, 'facts.nt', COLUMBIA);
    await opened.ingest.deleteDocument(SECRET, other);
    await opened.ingest.settle();
    expect(await saidOf(opened, 'urn:x')).toEqual(['Columbia']);
  });

  it('keeps what it says under labels that the one who deletes it does not see', async () => {
    const opened = await house();
    const labels = `GRAPH <http://telicent.io/security#labels> {
      [] <http://telicent.io/security#pattern> '<urn:x> <urn:secret> _' ;
         <http://telicent.io/security#label> "clearance=S" }`;
    const id = await uploadFile(opened, 'facts.trig', `<urn:x> <urn:p> "open" ; <urn:secret> "covert" . ${labels}`);
    expect(await saidOf(opened, 'urn:x', PUBLIC)).toEqual(['open']);
    await opened.ingest.deleteDocument(PUBLIC, id);
    await opened.ingest.settle();
    expect(await saidOf(opened, 'urn:x')).toEqual(['covert']);
  });

  it('is forgotten with all that it says, so that a rebuild does not bring it back', async () => {
    const opened = await house();
    await opened.load('<urn:x> rdfs:comment "mine" .');
    const id = await uploadFile(opened, 'facts.nt', COLUMBIA + CRAFT);
    const { events } = await opened.ingest.forget(id);
    expect(events).toBeGreaterThan(2);
    expect(await saidOf(opened, 'urn:x')).toEqual(['mine']);
    const again = await house({ log: opened.log, blobs: opened.blobs });
    await again.ingest.settle();
    expect(await saidOf(again, 'urn:x')).toEqual(['mine']);
  });
});

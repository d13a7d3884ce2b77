import { isCodedError } from '@cairn/errors';
import { type AnyArgument, type ListDoor, listFaults } from '@cairn/errors/conformance';
import { createMemoryBlobStore, createMemoryEventLog } from '@cairn/events';
import { namedNode, quad, stringLiteral } from '@cairn/rdf-graph';
import { afterAll, describe, expect, it } from 'vitest';
import { orderEventFiles } from '../replay/file-event.ts';
import { replayFiles } from '../replay/replay.ts';
import { parseRoute } from '../routes/parser.ts';
import { NAMESPACE, openHouse, SECRET } from '../testing/house.ts';
import type { Ingest } from './ingest.ts';

const { ingest } = await openHouse();
const houses: Ingest[] = [ingest];
afterAll(() => Promise.all(houses.map((each) => each.stop())));

const quads = [quad(namedNode('urn:s'), namedNode('urn:p'), stringLiteral('1'))];
const changes = quads.map((each) => ({ quad: each, label: '*' }));

/** Uploads to a house made with other options: the upload needs its route and its dataset. */
async function uploaded(options: AnyArgument): Promise<unknown> {
  const house = await openHouse({}, options);
  houses.push(house.ingest);
  await house.load('ex:b rdfs:label "Berlin"; a ex:City .');
  const { documents } = await house.upload({ 'a.txt': 'Berlin' });
  await house.ingest.settle();
  const found = await house.search.search(SECRET, { query: 'Berlin', indices: ['doc-content', 'search'] });
  return [documents.map(({ status }) => status), found.results.length, await house.knowledge.count(SECRET)];
}

const route = parseRoute(
  { name: 'local', topic: 'document.extractrequest', namespace: NAMESPACE },
  { file: 'lists.test.ts' },
);
const files = ['a.ttl', 'b.ttl'].map((name) => ({ name, read: async () => new TextEncoder().encode('# nothing') }));

async function replayed(list: AnyArgument): Promise<unknown> {
  const [log, blobs] = [createMemoryEventLog(), createMemoryBlobStore()];
  return replayFiles({ log, blobs, topic: 'knowledge', files: list, parseYaml: () => ({}) });
}

const DOORS: readonly ListDoor[] = [
  ['createIngest, routes', [route], (routes) => uploaded({ routes })],
  ['createIngest, entityDatasets', ['knowledge'], (entityDatasets) => uploaded({ entityDatasets })],
  [
    'update, additions',
    changes,
    async (additions) => {
      const evaluate = async () => ({ additions, deletions: [] });
      const { position } = await ingest.update({ dataset: 'knowledge', evaluate });
      return position !== undefined;
    },
  ],
  ['findForgettable', ['urn:a', 'urn:b'], (ids) => ingest.findForgettable(ids).catch(refusal)],
  ['orderEventFiles', files, (list) => orderEventFiles(list)],
  ['replayFiles', files, replayed],
];

/** Documents that are not there are named: all of them. */
function refusal(error: unknown): unknown {
  if (isCodedError(error) && error.kind === 'not-found') return error.message;
  throw error;
}

describe('a door that takes a list', () => {
  it.each(DOORS)(
    '%s loses nothing of another iterable: it takes it whole or refuses it',
    async (_name, items, call) => {
      expect(await listFaults(items, call)).toEqual([]);
    },
  );
});

import { createEvent, createMemoryBlobStore, createMemoryEventLog, HEADER, type NowMs, nextTurn } from '@cairn/events';
import { namedNode, openGraphDataset, quad } from '@cairn/rdf-graph';
import { type DocumentChange, openSearchIndex } from '@cairn/search';
import { createViewer } from '@cairn/security';
import { expect, it } from 'vitest';
import { Gazetteer } from '../entities/gazetteer.ts';
import { EVENT_TYPE, INGEST_HEADER, TOPIC } from '../pipeline/contract.ts';
import { createFindEntities } from '../pipeline/find-entities.ts';
import { createStageTarget } from '../pipeline/stage-target.ts';
import { createBreather } from './breather.ts';

const viewer = createViewer({ attributes: {} });

/** A clock that goes on by a millisecond with each look: slices end after as many looks on every machine. */
function createClock(): NowMs {
  let timeMs = 0;
  return () => timeMs++;
}

/** In which turns of the event loop somebody's work went on. */
class Turns {
  readonly #of = new Map<string, Set<number>>();
  #handle: NodeJS.Immediate;
  now = 0;

  constructor() {
    const count = (): void => {
      this.now++;
      this.#handle = setImmediate(count);
    };
    this.#handle = setImmediate(count);
  }

  note(who: string): void {
    const turns = this.#of.get(who) ?? new Set();
    this.#of.set(who, turns.add(this.now));
  }

  /** The fair queue, for one who is noted when the turn has come. */
  readonly queueFor = (who: string) => async (): Promise<void> => {
    await nextTurn(who);
    this.note(who);
  };

  countBetween(who: string, from: number, to: number): number {
    return [...(this.#of.get(who) ?? [])].filter((turn) => turn > from && turn <= to).length;
  }

  stop(): void {
    clearImmediate(this.#handle);
  }
}

async function openFilledIndex() {
  const index = await openSearchIndex({ indices: ['search'], nowMs: createClock() });
  const changes = Array.from({ length: 2000 }, (_, i): DocumentChange => {
    const document = { uri: `d${i}`, text: `w${i}a w${i}b common`, securityLabels: { defaults: '*' } };
    return { type: 'put', index: 'search', document };
  });
  await index.apply(changes);
  await index.compact();
  return index;
}

const tripleOf = (i: number, graph: string) =>
  quad(namedNode(`urn:${graph}:${i}`), namedNode('urn:p'), namedNode(`urn:o${i % 7}`));

async function openFilledDataset() {
  const dataset = await openGraphDataset({ name: 'd', nowMs: createClock() });
  const additions = Array.from({ length: 100 }, (_, i) => ({ quad: tripleOf(i, 'a'), label: '*' }));
  await dataset.apply([{ deletions: [], additions }]);
  return dataset;
}

/** Documents that name an entity again and again, to be looked through by a stage of the pipeline. */
async function runIngestBatch(turns: Turns): Promise<void> {
  const [log, blobs, gazetteer] = [createMemoryEventLog(), createMemoryBlobStore(), new Gazetteer()];
  gazetteer.set({ uri: 'urn:eagle', names: [{ value: 'Eagle', label: '*' }], types: [] });
  const text = 'one small step of the Eagle '.repeat(10_000);
  const value = JSON.stringify({
    uri: 'd',
    filename: 'd',
    contentType: 'text/plain',
    sizeBytes: 1,
    text,
    metadata: {},
  });
  const eventOf = (i: number) => {
    const headers = { [HEADER.documentId]: `d${i}`, [HEADER.securityLabel]: '*', [INGEST_HEADER.route]: 'r' };
    return createEvent({ id: `e${i}`, type: EVENT_TYPE.text, value, headers });
  };
  await log.append(
    TOPIC.text,
    Array.from({ length: 4 }, (_, i) => eventOf(i)),
  );
  const breathe = createBreather({ nowMs: createClock(), sleep: async () => undefined });
  const pause = async (): Promise<void> => {
    await breathe();
    turns.note('ingest');
  };
  const stage = createFindEntities({ gazetteer, names: () => ({}), pause });
  const target = createStageTarget({ log, blobs, topic: TOPIC.text, group: 'g', stage, outputs: [TOPIC.entities] });
  await target.start();
  for await (const events of log.read(TOPIC.text)) {
    await target.apply(events, events[events.length - 1].position, new AbortController().signal);
  }
}

it('a search, a query, a load and a batch of documents go on in turns, and a short request waits for a slice of each', async () => {
  const [index, queried, loaded] = [
    await openFilledIndex(),
    await openFilledDataset(),
    await openGraphDataset({ name: 'loaded', nowMs: createClock() }),
  ];
  const turns = new Turns();
  const search = async (): Promise<void> => {
    for (let i = 0; i < 10; i++) {
      const query = `*${i}a OR /w[0-9]*${i}b/`;
      const { results } = await index.search(viewer, { query, nextTurn: turns.queueFor('search') });
      expect(results.length).toBeGreaterThan(0);
    }
  };
  const query = async (): Promise<void> => {
    const text =
      'SELECT ?x { ?a ?p ?x . ?b ?q ?y . ?c ?r ?z FILTER(STR(?x) < STR(?y) && STR(?y) < STR(?z)) } LIMIT 100000';
    const result = await queried.query(viewer, text, { nextTurn: turns.queueFor('query') });
    if (result.type === 'bindings') for await (const _ of result.solutions);
  };
  const load = async (): Promise<void> => {
    const batches = (function* () {
      for (let batch = 0; batch < 12; batch++) {
        turns.note('load');
        yield Array.from({ length: 4096 }, (_, i) => tripleOf(batch * 4096 + i, 'b'));
      }
    })();
    await loaded.load(batches, { label: '*' });
  };
  const parties = ['search', 'query', 'load', 'ingest'];
  const working = Promise.all([search(), query(), load(), runIngestBatch(turns)]);
  for (let i = 0; i < 5; i++) {
    const asked = turns.now;
    await nextTurn('somebody');
    const { type } = await queried.query(viewer, 'ASK { <urn:a:1> ?p ?o }');
    const answered = turns.now;
    expect(type).toBe('boolean');
    for (const party of parties) expect(turns.countBetween(party, asked, answered), party).toBeLessThanOrEqual(1);
    expect(answered - asked).toBeLessThanOrEqual(parties.length + 1);
  }
  const between = turns.now;
  await working;
  for (const party of parties) expect(turns.countBetween(party, between, turns.now), party).toBeGreaterThan(0);
  for (const party of parties) expect(turns.countBetween(party, -1, turns.now), party).toBeGreaterThan(5);
  turns.stop();
  await Promise.all([index.close(), queried.close(), loaded.close()]);
}, 120_000);

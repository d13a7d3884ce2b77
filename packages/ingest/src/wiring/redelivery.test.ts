import { createEvent, createMemoryBlobStore, createMemoryEventLog, type Event, type EventLog } from '@cairn/events';
import { openGraphDataset } from '@cairn/rdf-graph';
import { openSearchIndex } from '@cairn/search';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digestDataset, digestIndex } from '../testing/digest.ts';
import { readAll } from '../testing/drain.ts';
import { type House, NAMESPACE, openHouse, PUBLIC, SECRET } from '../testing/house.ts';
import { IS_LONG, PROPERTY_TIMEOUT_MS } from '../testing/runs.ts';

const RUNS = IS_LONG ? 500 : 12;

/** The topics that the caches are made from, and in which order each is kept. */
const SOURCES = ['knowledge', 'document.entities', 'document.corrections'];

/** Some of everything: names under two labels, documents, updates, corrections, deletions, dead letters. */
async function recordHistory(): Promise<{ house: House; digest: string }> {
  const house = await openHouse();
  const { ingest, load, update, upload } = house;
  await load(
    'ex:eagle a ex:Vehicle ; rdfs:label "Eagle" ; ies:isIdentifiedBy ex:n . ex:n ies:representationValue "LM-5" .',
  );
  await load('ex:base rdfs:label "Tranquility Base" . [] rdfs:label "nobody" .', 'clearance=S');
  const first = await upload({
    'a.txt': 'The Eagle at Tranquility Base.',
    'b.txt': 'Eagle, 1969-07-20',
    'bad.txt': '!poison',
  });
  await upload({ 'a.txt': 'The Eagle at Tranquility Base.' }, 'clearance=S');
  await ingest.settle();
  const uri = NAMESPACE + first.documents[0].id;
  await ingest.correctEntity(PUBLIC, {
    documentUri: uri,
    entityText: 'Eagle',
    entityCategory: 'https://example.org/id/Vehicle',
    resolvedEntityUri: 'https://example.org/id/lm-5',
    resolvedCategory: 'https://example.org/id/LunarModule',
  });
  await update('DELETE { ?s rdfs:label "Eagle" } INSERT { ?s rdfs:label "LM Eagle" } WHERE { ?s rdfs:label "Eagle" }');
  await update(
    'DELETE DATA { ex:n ies:representationValue "LM-5" } ; INSERT DATA { ex:n ies:representationValue "LM 5" }',
  );
  await ingest.deleteDocument(SECRET, first.documents[1].id);
  await ingest.settle();
  await upload({ 'b.txt': 'Eagle, 1969-07-20' });
  await ingest.settle();
  await ingest.correctEntity(PUBLIC, {
    documentUri: NAMESPACE + first.documents[1].id,
    entityText: '1969-07-20',
    entityCategory: 'https://schema.org/Date',
    resolvedEntityUri: 'https://example.org/id/landing-day',
    resolvedCategory: 'https://example.org/id/Day',
  });
  return { house, digest: await digestOf(house) };
}

async function digestOf({ search, knowledge }: Pick<House, 'search' | 'knowledge'>): Promise<string> {
  return `${await digestIndex(search)}\n\n${await digestDataset(knowledge)}`;
}

/** A step of a replay: the topic that delivers next, how many events, and how many of the ones before once more. */
const step = fc.record({
  topic: fc.constantFrom(...SOURCES),
  events: fc.integer({ min: 1, max: 4 }),
  repeats: fc.integer({ min: 0, max: 3 }),
});

/** Delivers the recorded events to a log of its own, each topic in order, with repeats. */
async function* deliveries(
  from: EventLog,
  plan: readonly { topic: string; events: number; repeats: number }[],
): AsyncGenerator<{ topic: string; batch: Event[] }> {
  const topics = new Map<string, Event[]>();
  for (const topic of SOURCES) topics.set(topic, await readAll(from, topic));
  const next = new Map(SOURCES.map((topic) => [topic, 0]));
  const rest = SOURCES.map((topic) => ({ topic, events: Number.POSITIVE_INFINITY, repeats: 0 }));
  for (const { topic, events, repeats } of [...plan, ...rest]) {
    const all = topics.get(topic)!;
    const at = next.get(topic)!;
    const end = Math.min(all.length, at + events);
    const repeated = all.slice(Math.max(0, at - repeats), at);
    next.set(topic, end);
    const batch = [...repeated, ...all.slice(at, end)];
    if (batch.length > 0) yield { topic, batch };
  }
}

describe('caches of a log', () => {
  it('end alike however the topics are interleaved, and whatever is delivered again', {
    timeout: PROPERTY_TIMEOUT_MS,
  }, async () => {
    const { house, digest } = await recordHistory();
    await house.ingest.stop();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), fc.boolean(), async (plan, settles) => {
        const replay = await openReplay(house);
        for await (const { topic, batch } of deliveries(house.log, plan)) {
          await replay.log.append(topic, batch);
          if (settles) await settleSoon(replay);
        }
        await replay.ingest.settle();
        expect(await digestOf(replay)).toBe(digest);
        await replay.ingest.stop();
      }),
      { numRuns: RUNS },
    );
  });

  it('end alike when they are stopped and opened again in between', { timeout: PROPERTY_TIMEOUT_MS }, async () => {
    const { house, digest } = await recordHistory();
    await house.ingest.stop();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (plan) => {
        const log = createMemoryEventLog();
        const blobs = createMemoryBlobStore();
        let replay = await openReplay(house, { log, blobs });
        for await (const { topic, batch } of deliveries(house.log, plan)) {
          await replay.log.append(topic, batch);
          await settleSoon(replay);
          await replay.ingest.stop();
          replay = await openReplay(house, { log, blobs });
        }
        await replay.ingest.settle();
        expect(await digestOf(replay)).toBe(digest);
        await replay.ingest.stop();
      }),
      { numRuns: Math.ceil(RUNS / 3) },
    );
  });
});

/** A deletion waits for corrections that may not have been delivered yet. */
async function settleSoon({ ingest }: House): Promise<void> {
  await ingest.settle({ timeoutMs: 20 }).catch(() => {});
}

/** A house whose caches follow the recorded topics, and that adds nothing to them: no documents are said anew. */
async function openReplay(recorded: House, given: { log?: EventLog; blobs?: House['blobs'] } = {}): Promise<House> {
  const blobs = given.blobs ?? createMemoryBlobStore();
  const ports = {
    log: given.log ?? createMemoryEventLog({ nowMs: () => 1 }),
    search: await openSearchIndex({ indices: ['search', 'doc-content'], blobs }),
    knowledge: await openGraphDataset({ name: 'knowledge', blobs }),
    blobs,
  };
  for await (const { name } of recorded.blobs.list('values/')) {
    await blobs.put(name, (await recorded.blobs.get(name))!);
  }
  return openHouse(ports, { documentDataset: 'none' });
}

describe('an event without the headers that are required', () => {
  it('is a dead letter and stops nothing', async () => {
    const { ingest, log, upload } = await openHouse();
    const stray = createEvent({ id: 'stray', type: 'document.text', value: '{"not": "a document"' });
    await log.append('document.textandmetadata', [stray]);
    await upload({ 'a.txt': 'wholesome' });
    await ingest.settle();
    expect((await ingest.search.search(PUBLIC, { query: 'wholesome' })).results.length).toBe(1);
    expect((await readAll(log, 'document.textandmetadata.dlq')).length).toBe(1);
    await ingest.stop();
  });
});

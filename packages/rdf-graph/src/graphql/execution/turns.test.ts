import { beforeAll, describe, expect, it } from 'vitest';
import type { StoreDataset } from '../../dataset/store-dataset.ts';
import { Snapshot } from '../../graph/store/snapshot.ts';
import { createDatasetSchema } from '../dataset/schema.ts';
import { STEP } from '../graph/pacer.ts';
import { createPlatformSchema } from '../platform/schema.ts';
import { ask, datasetOf } from '../testing/dataset.ts';
import { createTraversalSchema } from '../traversal/schema.ts';
import type { GraphSchema } from './graph-schema.ts';

const RELATIONS = 12_000;
const IES = 'http://ies.data.gov.uk/ontology/ies4#';
const HUB = 'http://e/hub';

const [platform, traversal, quads] = [createPlatformSchema(), createTraversalSchema(), createDatasetSchema()];
const atHub = (fields: string): string => `{ node(uri: "${HUB}") { ${fields} } }`;

/** One long piece of work each: what only its own steps can interrupt. */
const LONG: readonly (readonly [name: string, schema: GraphSchema, query: string])[] = [
  ['reading relations', platform, atHub('relCounts { outRels }')],
  ['sorting a page of them', platform, atHub('outRels(limit: 1) { predicate }')],
  ['filtering them by type', platform, atHub('relCounts { outRels(typeFilter: {values: ["http://e/T1"]}) }')],
  ['counting the types of other ends', platform, atHub('relFacets { outRels { types { count } } }')],
  ['a facet of each of them', platform, atHub('relFacets { inRels { predicates { count } } }')],
  ['listing instances', platform, '{ node(uri: "http://e/T1") { instances(limit: 1) { uri } } }'],
  ['listing every entity', platform, '{ getAllEntities { uri } }'],
  ['paging states', platform, `{ states(uri: "${HUB}", limit: 1) { uri } }`],
  ['starting at every subject', traversal, '{ nodes { node { value } } }'],
  ['following every edge', traversal, `{ nodes(starts: {kind: URI, value: "${HUB}"}) { outgoing { direction } } }`],
  ['finding quads', quads, `{ quads(subject: {kind: URI, value: "${HUB}"}) { object { value } } }`],
];

let stored: StoreDataset;

/** The dataset as it is seen for the first time: nothing is remembered. */
function unread(): StoreDataset {
  const snapshot: StoreDataset['snapshot'] = (viewer) => {
    const { dictionary, runs, permitted } = stored.snapshot(viewer);
    return new Snapshot(dictionary, runs, permitted);
  };
  return Object.assign(Object.create(stored) as StoreDataset, { snapshot, prefixes: async () => ({}) });
}

beforeAll(async () => {
  const lines = Array.from({ length: RELATIONS }, (_, i) => {
    const node = `<http://e/n${(i * 7919) % RELATIONS}>`;
    return `:hub :p ${node} . ${node} a :T1 ; <${IES}isStateOf> :hub ; :q${i} :hub .`;
  });
  const half = lines.length / 2;
  stored = await datasetOf({ '*': lines.slice(0, half).join('\n') });
  const rest = await datasetOf({ '*': lines.slice(half).join('\n') });
  const additions = [];
  for await (const { quad, label } of rest.matchLabelled()) additions.push({ quad, label });
  await stored.apply([{ deletions: [], additions }]);
});

/** A clock that goes on by a millisecond whenever it is looked at. */
function stepClock(): () => number {
  let now = 0;
  return () => now++;
}

describe.each(LONG)('%s', (_name, schema, query) => {
  it('lets others have their turn', async () => {
    let turns = 0;
    let isOver = false;
    const tick = (): void => {
      turns++;
      if (!isOver) setImmediate(tick);
    };
    setImmediate(tick);
    const result = await ask(schema, unread(), query, { nowMs: stepClock(), limits: { timeLimitMs: 1e9 } });
    isOver = true;
    expect(result.errors).toBeUndefined();
    // A slice lasts 4 ms, so about 4 looks at the clock: at most as many steps.
    expect(turns).toBeGreaterThan(RELATIONS / STEP / 5);
  });

  it('ends when its time is over', async () => {
    const result = await ask(schema, unread(), query, { nowMs: stepClock(), limits: { timeLimitMs: 10 } });
    expect(result).toMatchObject({ errors: [{ extensions: { code: 'ERR_TIME_LIMIT' } }] });
    expect(result.data).toBeUndefined();
  });

  it('ends when its caller withdraws', async () => {
    const controller = new AbortController();
    const running = ask(schema, unread(), query, { signal: controller.signal, nowMs: stepClock() });
    setImmediate(() => controller.abort());
    expect(await running).toMatchObject({ errors: [{ extensions: { code: 'ERR_CANCELLED' } }] });
  });

  it('goes on without a clock, and then counts steps', async () => {
    const [withClock, without] = [
      await ask(schema, unread(), query, { nowMs: stepClock(), limits: { timeLimitMs: 1e9 } }),
      await ask(schema, unread(), query),
    ];
    expect(without).toEqual(withClock);
  });
});

import { createMemoryBlobStore, createMemoryEventLog } from '@cairn/events';
import { createViewerOfEverything } from '@cairn/security';
import { describe, expect, it } from 'vitest';
import { publishChangeSet } from '../graph/patch/publish.ts';
import { executeGraphQL } from '../graphql/execution/execute.ts';
import { createTraversalSchema } from '../graphql/traversal/schema.ts';
import { blankNode, namedNode, quad, stringLiteral } from '../rdf/terms.ts';
import { validateStored } from '../shacl/validate-stored.ts';
import { openGraphDataset } from './open.ts';
import type { StoreDataset } from './store-dataset.ts';

const viewer = createViewerOfEverything();

/** A caller's change to its own arguments; types do not prevent it. */
// biome-ignore lint/suspicious/noExplicitAny: the test changes what is readonly
type Changeable = any;

const of = (name: string) => quad(namedNode(`urn:${name}`), namedNode('urn:p'), stringLiteral('o'));

/** A dataset that counts steps instead of time and works in small slices. */
function open(sliceWork?: number): Promise<StoreDataset> {
  return openGraphDataset({ name: 'test', sliceWork });
}

async function contents(dataset: StoreDataset): Promise<string> {
  const quads: string[] = [];
  for await (const found of dataset.matchLabelled()) quads.push(`${found.quad.subject.value} ${found.label}`);
  return JSON.stringify([quads.sort(), dataset.labelledPrefixes(), dataset.positions()]);
}

interface Given {
  readonly changes: Changeable;
  readonly positions: Changeable;
}

function given(): Given {
  const first = {
    deletions: [{ quad: of('old'), label: undefined }],
    additions: [
      { quad: of('new'), label: 'secret' },
      { quad: of('other'), label: 'secret' },
    ],
    prefixes: [{ prefix: 'e', iri: 'urn:e', label: 'secret' }],
  };
  return {
    changes: [first, { deletions: [], additions: [{ quad: of('last'), label: 'b' }] }],
    positions: { topic: '1' },
  };
}

/** Changes to change sets in the tick in which they were passed. */
const CHANGES: Readonly<Record<string, (given: Given) => void>> = {
  'a label': ({ changes }) => (changes[0].additions[1].label = '*'),
  'a label that is no text': ({ changes }) => (changes[1].additions[0].label = 7),
  'a quad': ({ changes }) => (changes[0].additions[1].quad = of('changed')),
  'a row': ({ changes }) => (changes[0].additions[1] = { quad: of('changed'), label: '*' }),
  'a row that is added': ({ changes }) => changes[0].additions.push({ quad: of('changed'), label: '*' }),
  'rows that go': ({ changes }) => (changes[0].additions.length = 0),
  'a deletion': ({ changes }) => (changes[0].deletions[0].quad = of('new')),
  'deletions that go': ({ changes }) => (changes[0].deletions.length = 0),
  'a list': ({ changes }) => (changes[1].additions = []),
  'a change set that is added': ({ changes }) =>
    changes.push({ deletions: [], additions: [{ quad: of('changed'), label: '*' }] }),
  'change sets that go': ({ changes }) => (changes.length = 0),
  'the label of a prefix': ({ changes }) => (changes[0].prefixes[0].label = '*'),
  'a prefix that is added': ({ changes }) => changes[0].prefixes.push({ prefix: 'f', iri: 'urn:f', label: '*' }),
  'a position': ({ positions }) => (positions.topic = '2'),
  'a position that is no text': ({ positions }) => (positions.topic = 2),
};

async function filled(sliceWork?: number): Promise<StoreDataset> {
  const dataset = await open(sliceWork);
  await dataset.apply([{ deletions: [], additions: [{ quad: of('old'), label: 'a' }] }]);
  return dataset;
}

describe('change sets that their caller changes after the call', () => {
  it.each(Object.entries(CHANGES))('are applied as they were passed: %s', async (_, change) => {
    const untouched = await filled();
    const { changes, positions } = given();
    await untouched.apply(changes, positions);
    const expected = await contents(untouched);
    for (const isQueued of [false, true]) {
      for (const sliceWork of [undefined, 1]) {
        const dataset = await filled(sliceWork);
        const before = isQueued ? dataset.load(slowly(), { label: 'a' }) : undefined;
        const batch = given();
        const applied = dataset.apply(batch.changes, batch.positions);
        change(batch);
        await applied;
        await before;
        expect(await contents(dataset), `queued: ${isQueued}, in slices of ${sliceWork}`).toBe(expected);
      }
    }
  });

  it('are loaded with the positions and the quads that were passed', async () => {
    for (const isQueued of [false, true]) {
      const dataset = await open();
      const before = isQueued ? dataset.load(slowly(), { label: 'a' }) : undefined;
      const batches: Changeable = [[of('a')], [of('b')]];
      const options = { label: 'secret', positions: { topic: '1' } };
      const loaded = dataset.load(batches, options);
      batches[0].push(of('changed'));
      batches[1] = [of('changed')];
      batches.push([of('changed')]);
      options.label = '*';
      options.positions.topic = '2';
      expect(await loaded).toBe(2);
      await before;
      expect(await contents(dataset)).toBe(JSON.stringify([['urn:a secret', 'urn:b secret'], [], { topic: '1' }]));
    }
  });

  it('are removed as they were passed', async () => {
    const dataset = await filled();
    const before = dataset.load(slowly(), { label: 'a' });
    const quads = [of('old')];
    const removed = dataset.removeQuads(viewer, quads);
    quads.length = 0;
    await Promise.all([before, removed]);
    expect(await dataset.count(viewer)).toBe(0);
  });

  it('are published as they were passed', async () => {
    const log = createMemoryEventLog();
    const change: Changeable = { deletions: [], additions: [{ quad: of('a'), label: 'secret' }] };
    const options: Changeable = { eventId: 'e', headers: { 'x-own': 'own' } };
    const published = publishChangeSet(log, 'topic', change, options);
    change.additions[0].label = '*';
    change.additions.push({ quad: of('changed'), label: '*' });
    options.eventId = 'changed';
    options.headers['x-own'] = 'changed';
    await published;
    const events: string[][] = [];
    for await (const batch of log.read('topic')) {
      for (const { headers, value } of batch) {
        const names = ['Security-Label', 'Event-Id', 'x-own'].map((name) => headers.get(name) ?? '');
        events.push([...names, new TextDecoder().decode(value).includes('urn:changed') ? 'changed' : 'same']);
      }
    }
    expect(events).toEqual([['secret', 'e', 'own', 'same']]);
  });
});

/** A load that others have to wait for. */
async function* slowly(): AsyncGenerator<never[]> {
  for (let turn = 0; turn < 5; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    yield [];
  }
}

describe('a question that its caller changes after the call', () => {
  /** Longer than what is parsed at once. */
  const COMMENT = `# ${'x'.repeat(40_000)}\n`;

  it.each(['', COMMENT])('adds under the label that was passed', async (comment) => {
    const dataset = await open();
    const evaluation: Changeable = { label: 'a', baseIri: 'urn:a:', defaultGraphs: [], nowMs: 1 };
    const evaluated = dataset.evaluateUpdate(
      viewer,
      `${comment}INSERT { <x:s> <x:p> ?n } WHERE { BIND(NOW() AS ?n) }`,
      evaluation,
    );
    evaluation.label = 'b';
    evaluation.nowMs = 2_000;
    const { additions } = await evaluated;
    expect(additions.map(({ label, quad: added }) => [label, added.object.value])).toEqual([
      ['a', '1970-01-01T00:00:00.001Z'],
    ]);
  });

  it.each(['', COMMENT])('is answered from the graphs and within the budget that were passed', async (comment) => {
    const dataset = await open();
    const inGraph = (name: string) =>
      quad(namedNode(`urn:in-${name}`), namedNode('urn:p'), stringLiteral('o'), namedNode(`urn:${name}`));
    await dataset.apply([
      { deletions: [], additions: ['a', 'b'].map((name) => ({ quad: inGraph(name), label: '*' })) },
    ]);
    const evaluation: Changeable = { defaultGraphs: ['urn:a'], namedGraphs: [], budget: { maxRows: 1 } };
    const asked = dataset.query(viewer, `${comment}SELECT ?s { ?s ?p ?o }`, evaluation);
    evaluation.defaultGraphs[0] = 'urn:b';
    evaluation.budget.maxRows = 0;
    const result = await asked;
    const subjects: unknown[] = [];
    if (result.type === 'bindings') for await (const row of result.solutions) subjects.push(row.get('s')?.value);
    expect(subjects).toEqual(['urn:in-a']);
  });

  it('finds what the pattern was at the call', async () => {
    const dataset = await filled();
    const patterns: Changeable[] = [{ subject: namedNode('urn:old') }, { subject: namedNode('urn:old') }];
    const found = [dataset.match(viewer, patterns[0]), dataset.matchLabelled(patterns[1])];
    for (const pattern of patterns) pattern.subject = blankNode('none');
    for (const quads of found) expect((await quads.next()).done).toBe(false);
  });

  it('is validated for the graph, the target and the shapes that were passed', async () => {
    const dataset = await filled();
    const sh = (name: string) => namedNode(`http://www.w3.org/ns/shacl#${name}`);
    const shapes = [
      quad(namedNode('urn:shape'), sh('targetNode'), namedNode('urn:old')),
      quad(namedNode('urn:shape'), sh('nodeKind'), sh('Literal')),
    ];
    const options: Changeable = { graph: 'default', target: 'urn:old', maxResults: 5 };
    const validated = validateStored(dataset, viewer, shapes, options);
    shapes.length = 0;
    options.graph = 'urn:none';
    options.target = 'urn:none';
    options.maxResults = 0;
    expect((await validated).results).toHaveLength(1);
  });

  it('is the operation of GraphQL that was named, with its variables', async () => {
    const dataset = await filled();
    const schema = createTraversalSchema();
    const document =
      'query A($starts: [NodeFilter!]) { nodes(starts: $starts) { node { value } } } query B { __typename }';
    const starts: Changeable = [{ kind: 'URI', value: 'urn:old' }];
    const request: Changeable = { query: document, operationName: 'A', variables: { starts } };
    const expected = await executeGraphQL(schema, dataset, viewer, request);
    expect(JSON.stringify(expected)).toBe('{"data":{"nodes":[{"node":{"value":"urn:old"}}]}}');
    for (const change of [
      () => (request.operationName = 'B'),
      () => (starts[0].value = 'urn:none'),
      () => starts.push({ kind: 'URI', value: 'urn:p' }),
      () => (request.variables = {}),
    ]) {
      const answered = executeGraphQL(schema, dataset, viewer, request);
      change();
      expect(await answered).toEqual(expected);
      starts.length = 0;
      starts.push({ kind: 'URI', value: 'urn:old' });
      Object.assign(request, { operationName: 'A', variables: { starts } });
    }
  });
});

describe('what a dataset tells of itself', () => {
  it('is not what it goes by: a caller cannot move its positions or the label of a prefix', async () => {
    const blobs = createMemoryBlobStore();
    const dataset = await openGraphDataset({ name: 'test', blobs });
    const prefixes = [{ prefix: 'e', iri: 'urn:e', label: 'secret' }];
    await dataset.apply([{ deletions: [], additions: [], prefixes }], { topic: '5' });
    Reflect.set(dataset.positions(), 'topic', '999');
    Reflect.set(dataset.labelledPrefixes()[0] as object, 'label', '*');
    await dataset.flush();
    const reopened = await openGraphDataset({ name: 'test', blobs });
    expect([reopened.positions(), reopened.labelledPrefixes()]).toEqual([{ topic: '5' }, prefixes]);
  });
});

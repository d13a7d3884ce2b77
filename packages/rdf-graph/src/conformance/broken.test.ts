import { readableOnce } from '@cairn/errors';
import type { ConformanceLevel } from '@cairn/errors/conformance';
import { createMemoryBlobStore, type TopicPositions } from '@cairn/events';
import { createViewerOfEverything } from '@cairn/security';
import { describe, expect, it } from 'vitest';
import { graphDatasetConformance } from '../conformance.ts';
import { openGraphDataset } from '../dataset/open.ts';
import type { StoreDataset } from '../dataset/store-dataset.ts';
import type { ChangeSet, GraphDataset, QueryResult } from '../graph/port/graph-dataset.ts';
import type { GraphReader } from '../graph/port/graph-reader.ts';

const EVERYTHING = createViewerOfEverything();

function relabelled(change: ChangeSet): ChangeSet {
  const withoutLabel = change.deletions.map(({ quad }) => ({ quad, label: undefined }));
  return { ...change, deletions: withoutLabel };
}

async function firstOnly(result: QueryResult): Promise<QueryResult> {
  if (result.type !== 'bindings') return result;
  async function* first(): AsyncGenerator<ReadonlyMap<string, never>> {
    for await (const solution of (result as Extract<QueryResult, { type: 'bindings' }>).solutions) {
      yield solution as ReadonlyMap<string, never>;
      return;
    }
  }
  return { ...result, solutions: readableOnce(first()) };
}

async function* changed<Item>(items: AsyncIterable<Item>, change: (item: Item) => Item): AsyncGenerator<Item> {
  for await (const item of items) yield change(item);
}

type Mutant = (dataset: StoreDataset) => Partial<GraphDataset>;

/** Deliberate defects, and the level whose cases must find each. */
const BROKEN: Readonly<Record<string, readonly [ConformanceLevel, Mutant]>> = {
  'ignores the viewer of a query': [
    'core',
    (d) => ({ query: (_, text, options) => d.query(EVERYTHING, text, options) }),
  ],
  'ignores the viewer of an update': [
    'core',
    (d) => ({ evaluateUpdate: (_, text, options) => d.evaluateUpdate(EVERYTHING, text, options) }),
  ],
  'shows hidden prefixes': ['non-interference', (d) => ({ prefixes: () => d.prefixes(EVERYTHING) })],
  'matches what is hidden': ['core', (d) => ({ count: (_, pattern) => d.count(EVERYTHING, pattern) })],
  'shows what is hidden by ids': ['core', (d) => ({ reader: () => d.reader(EVERYTHING) })],
  'shows by ids what changed later': [
    'core',
    (d) => ({ reader: async (viewer) => readingNow(() => d.snapshot(viewer)) }),
  ],
  'orders terms by their ids': [
    'core',
    (d) => ({ reader: async (viewer) => altered(await d.reader(viewer), { compare: (a, b) => a - b }) }),
  ],
  'gives rows of hidden quads': [
    'core',
    (d) => ({
      reader: async (viewer) => {
        const everything = d.snapshot(EVERYTHING);
        return altered(await d.reader(viewer), { rows: (s, p, o, g) => everything.rows(s, p, o, g) });
      },
    }),
  ],
  'names hidden graphs': [
    'non-interference',
    (d) => ({
      reader: async (viewer) => {
        const graphs = d.snapshot(EVERYTHING).graphs();
        return altered(await d.reader(viewer), { graphs: () => graphs });
      },
    }),
  ],
  'says what hidden terms are when ids are counted up': [
    'non-interference',
    (d) => ({
      reader: async (viewer) => altered(await d.reader(viewer), { text: (id) => d.snapshot(viewer).text(id) }),
    }),
  ],
  'finds the ids of hidden terms': [
    'non-interference',
    (d) => ({
      reader: async (viewer) => altered(await d.reader(viewer), { idOf: (term) => d.snapshot(viewer).idOf(term) }),
    }),
  ],
  'deletes under every label': ['core', (d) => ({ apply: (changes, at) => d.apply(changes.map(relabelled), at) })],
  'forgets deletions': [
    'core',
    (d) => ({
      apply: (changes, at) =>
        d.apply(
          changes.map((change) => ({ ...change, deletions: [] })),
          at,
        ),
    }),
  ],
  'adds before it deletes': [
    'core',
    (d) => ({
      apply: (changes, at) =>
        d.apply(
          changes.flatMap(({ deletions, additions }) => [
            { deletions: [], additions },
            { deletions, additions: [] },
          ]),
          at,
        ),
    }),
  ],
  'gives its own positions away': ['core', (d) => ({ positions: ownedBy({}, () => d.positions()) })],
  'loses positions': ['core', (d) => ({ apply: (changes) => d.apply(changes) })],
  'does not look at the signal': [
    'core',
    (d) => ({ query: (viewer, text, options) => d.query(viewer, text, { ...options, signal: undefined }) }),
  ],
  'has no row budget': [
    'core',
    (d) => ({ query: (viewer, text, options) => d.query(viewer, text, { ...options, budget: undefined }) }),
  ],
  'ignores the protocol dataset': [
    'core',
    (d) => ({ query: (viewer, text, options) => d.query(viewer, text, { ...options, defaultGraphs: undefined }) }),
  ],
  'cuts results short': ['core', (d) => ({ query: async (...args) => firstOnly(await d.query(...args)) })],
  'lists labels once': [
    'core',
    (d) => ({
      matchLabelled: (pattern) => readableOnce(changed(d.matchLabelled(pattern), ({ quad }) => ({ quad, label: '*' }))),
    }),
  ],
  'gives nothing when a match is read again': [
    'core',
    (d) => ({ match: (viewer, pattern) => changed(d.match(viewer, pattern), (quad) => quad) }),
  ],
  'gives nothing when all is read again': [
    'core',
    (d) => ({ matchLabelled: (pattern) => changed(d.matchLabelled(pattern), (row) => row) }),
  ],
  'gives nothing when an answer is read again': [
    'core',
    (d) => ({
      async query(...args) {
        const result = await d.query(...args);
        if (result.type === 'bindings') return { ...result, solutions: changed(result.solutions, (one) => one) };
        return result.type === 'quads' ? { ...result, quads: changed(result.quads, (one) => one) } : result;
      },
    }),
  ],
  'counts hidden quads in aggregates': [
    'non-interference',
    (d) => ({ query: (viewer, text, options) => d.query(text.includes('COUNT') ? EVERYTHING : viewer, text, options) }),
  ],
  'asks of everything': [
    'non-interference',
    (d) => ({ query: (viewer, text, options) => d.query(text.includes('ASK') ? EVERYTHING : viewer, text, options) }),
  ],
  'answers UNION, VALUES and BIND from everything': ['non-interference', queryingAll(/UNION|VALUES|BIND/)],
  'answers FROM and GRAPH ?g from everything': ['non-interference', queryingAll(/FROM|GRAPH \?/)],
  'answers ASK from everything': ['non-interference', queryingAll(/^\s*ASK/m)],
  'answers the protocol dataset from everything': [
    'non-interference',
    (d) => ({
      query: (viewer, text, options) => d.query(options?.defaultGraphs ? EVERYTHING : viewer, text, options),
    }),
  ],
  'copies what is hidden': [
    'non-interference',
    (d) => ({
      evaluateUpdate: (viewer, text, options) =>
        d.evaluateUpdate(/COPY|MOVE|ADD /.test(text) ? EVERYTHING : viewer, text, options),
    }),
  ],
  'counts hidden quads of a predicate and an object': [
    'non-interference',
    (d) => ({
      count: (viewer, pattern) =>
        d.count(pattern?.predicate && pattern.object && !pattern.subject ? EVERYTHING : viewer, pattern),
    }),
  ],
  'tells in its errors how much there is': [
    'non-interference',
    (d) => ({
      query: (viewer, text, options) =>
        d.query(viewer, text, options).catch(async (error: Error) => {
          error.message += ` (of ${await d.count(EVERYTHING)} quads)`;
          throw error;
        }),
    }),
  ],
  'keeps what comes before a bad change set': [
    'core',
    (d) => ({
      async apply(changes, at) {
        for (const change of changes) await d.apply([change]);
        await d.apply([], at);
      },
    }),
  ],
  'ignores named graphs of the protocol': ['core', withoutOption('namedGraphs')],
  'ignores the base': ['core', withoutOption('baseIri')],
  'ignores the instant': ['core', withoutOption('nowMs')],
  'has no time limit': [
    'core',
    (d) => ({
      query: (viewer, text, options) =>
        d.query(viewer, text, { ...options, budget: { ...options?.budget, timeLimitMs: undefined } }),
    }),
  ],
  'updates without a look at the signal': [
    'core',
    (d) => ({
      evaluateUpdate: (viewer, text, options) => d.evaluateUpdate(viewer, text, { ...options, signal: undefined }),
    }),
  ],
  'matches labelled quads of any graph': [
    'core',
    (d) => ({ matchLabelled: (pattern) => d.matchLabelled({ ...pattern, graph: undefined }) }),
  ],
  'goes on after it was closed': ['core', () => ({ close: async () => {} })],
  'knows whether an insertion exists hidden': [
    'non-interference',
    (d) => ({
      async evaluateUpdate(viewer, text, options) {
        const change = await d.evaluateUpdate(viewer, text, options);
        const isStored = await Promise.all(change.additions.map(({ quad }) => d.count(EVERYTHING, quad)));
        return { ...change, additions: change.additions.filter((_, i) => isStored[i] === 0) };
      },
    }),
  ],
};

function queryingAll(words: RegExp): Mutant {
  return (d) => ({
    query: (viewer, text, options) => d.query(words.test(text) ? EVERYTHING : viewer, text, options),
  });
}

function withoutOption(name: 'namedGraphs' | 'baseIri' | 'nowMs'): Mutant {
  return (d) => ({ query: (viewer, text, options) => d.query(viewer, text, { ...options, [name]: undefined }) });
}

/** A reader that looks at what is stored whenever it is asked. */
/** Positions in one object, which every caller is given. */
function ownedBy(own: TopicPositions, positions: () => TopicPositions): () => TopicPositions {
  return () => Object.assign(own, { ...positions(), ...own });
}

function readingNow(open: () => GraphReader): GraphReader {
  return new Proxy(open(), {
    get(_target, name) {
      const reader = open();
      const value = Reflect.get(reader, name) as unknown;
      return typeof value === 'function' ? value.bind(reader) : value;
    },
  });
}

/** A port some of whose members are others. */
function altered<Port extends object>(port: Port, changed: Partial<Port>): Port {
  return new Proxy(port, {
    get(target, name) {
      const value = Reflect.get(name in changed ? changed : target, name) as unknown;
      return typeof value === 'function' ? value.bind(name in changed ? changed : target) : value;
    },
  });
}

async function failedCases(level: ConformanceLevel, mutant: Mutant): Promise<string[]> {
  const failed: string[] = [];
  for (const one of graphDatasetConformance) {
    if (one.level !== level) continue;
    const open = async () => {
      const dataset = await openGraphDataset({ name: 'broken', blobs: createMemoryBlobStore() });
      return altered<GraphDataset>(dataset, mutant(dataset));
    };
    try {
      await one.run(async () => ({ open }));
    } catch {
      failed.push(one.name);
    }
  }
  return failed;
}

describe('the conformance suite', () => {
  for (const [defect, [level, mutant]] of Object.entries(BROKEN)) {
    it(`finds a dataset that ${defect}`, async () => {
      expect(await failedCases(level, mutant)).not.toEqual([]);
    });
  }
});

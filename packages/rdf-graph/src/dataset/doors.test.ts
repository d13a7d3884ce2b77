import { type AnyArgument, type Door, doorFaults } from '@cairn/errors/conformance';
import { createMemoryBlobStore, createMemoryEventLog } from '@cairn/events';
import { createViewerOfEverything } from '@cairn/security';
import { describe, expect, it } from 'vitest';
import { toPatchEvents } from '../graph/patch/events.ts';
import { publishChangeSet } from '../graph/patch/publish.ts';
import { namedNode, quad, stringLiteral } from '../rdf/terms.ts';
import { openGraphDataset } from './open.ts';
import type { StoreDataset } from './store-dataset.ts';

const viewer = createViewerOfEverything();
const one = quad(namedNode('urn:s'), namedNode('urn:p'), stringLiteral('o'));
const dataset = await openGraphDataset({ name: 'test' });
const apply = (additions: AnyArgument, deletions: AnyArgument = []) => dataset.apply([{ additions, deletions }]);

const update = (more: AnyArgument) => dataset.evaluateUpdate(viewer, 'CLEAR ALL', { label: '*', ...more });

async function drain(quads: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of quads);
}

const DOORS: readonly Door[] = [
  ['apply', (wrong) => dataset.apply(wrong), ['list']],
  ['apply, a change set', (wrong) => dataset.apply([wrong]), []],
  ['apply, additions', (wrong) => apply(wrong), ['list']],
  ['apply, deletions', (wrong) => apply([], wrong), ['list', 'undefined']],
  ['apply, an addition', (wrong) => apply([wrong]), []],
  ['apply, the label of an addition', (label) => apply([{ quad: one, label }]), ['text']],
  ['apply, the label of a deletion', (label) => apply([], [{ quad: one, label }]), ['text', 'undefined']],
  ['apply, a quad', (wrong) => apply([{ quad: wrong, label: '*' }]), []],
  ['apply, a term', (object) => apply([{ quad: { ...quadOf(), object }, label: '*' }]), []],
  ['apply, prefixes', (prefixes) => dataset.apply([{ additions: [], deletions: [], prefixes }]), ['list', 'undefined']],
  ['apply, positions', (wrong) => dataset.apply([], wrong), ['object', 'undefined']],
  ['apply, a position', (wrong) => dataset.apply([], { topic: wrong }), ['text']],
  ['load', (wrong) => dataset.load([], wrong), []],
  ['load, label', (label) => dataset.load([], { label }), ['text']],
  ['snapshot', (wrong) => dataset.snapshot(wrong), []],
  ['reader', (wrong) => dataset.reader(wrong), []],
  ['query', (wrong) => dataset.query(wrong, 'ASK {}'), []],
  ['query, text', (wrong) => dataset.query(viewer, wrong), []],
  ['query, evaluation', (wrong) => dataset.query(viewer, 'ASK {}', wrong), ['object', 'undefined']],
  ['query, nowMs', (nowMs) => dataset.query(viewer, 'ASK {}', { nowMs }), ['number', 'undefined']],
  ['query, nextTurn', (nextTurn) => dataset.query(viewer, 'ASK {}', { nextTurn }), ['function', 'undefined']],
  ['query, random', (random) => dataset.query(viewer, 'ASK {}', { random }), ['function', 'undefined']],
  ['query, signal', (signal) => dataset.query(viewer, 'ASK {}', { signal }), ['undefined']],
  ['query, baseIri', (baseIri) => dataset.query(viewer, 'ASK {}', { baseIri }), ['text', 'undefined']],
  ['query, budget', (budget) => dataset.query(viewer, 'ASK {}', { budget }), ['object', 'undefined']],
  ...(['timeLimitMs', 'maxRows', 'maxMemoryBytes', 'maxSolutionWork'] as const).map(
    (name): Door => [
      `query, budget, ${name}`,
      (bound) => dataset.query(viewer, 'ASK {}', { budget: { [name]: bound } }),
      ['number', 'undefined'],
    ],
  ),
  ['evaluateUpdate, nowMs', (nowMs) => update({ nowMs }), ['number', 'undefined']],
  ['evaluateUpdate, random', (random) => update({ random }), ['function', 'undefined']],
  ['load, batches', (wrong) => dataset.load(wrong, { label: '*' }), ['list']],
  ['load, a batch', (wrong) => dataset.load([wrong], { label: '*' }), ['list']],
  ['load, a quad', (wrong) => dataset.load([[wrong]], { label: '*' }), []],
  ['load, a term', (object) => dataset.load([[{ ...quadOf(), object }]], { label: '*' }), []],
  ['removeQuads, a quad', (wrong) => dataset.removeQuads(viewer, [wrong]), []],
  ['evaluateUpdate', (wrong) => dataset.evaluateUpdate(wrong, 'CLEAR ALL', { label: '*' }), []],
  ['evaluateUpdate, text', (wrong) => dataset.evaluateUpdate(viewer, wrong, { label: '*' }), []],
  ['evaluateUpdate, evaluation', (wrong) => dataset.evaluateUpdate(viewer, 'CLEAR ALL', wrong), []],
  ['evaluateUpdate, label', (label) => dataset.evaluateUpdate(viewer, 'CLEAR ALL', { label }), ['text']],
  ['removeQuads', (wrong) => dataset.removeQuads(wrong, []), []],
  ['removeQuads, quads', (wrong) => dataset.removeQuads(viewer, wrong), ['list']],
  ['match', (wrong) => drain(dataset.match(wrong)), []],
  ['match, pattern', (wrong) => drain(dataset.match(viewer, wrong)), ['object', 'undefined']],
  ['match, a term', (subject) => drain(dataset.match(viewer, { subject })), ['null', 'undefined']],
  ['count', (wrong) => dataset.count(wrong), []],
  ['count, pattern', (wrong) => dataset.count(viewer, wrong), ['object', 'undefined']],
  ['matchLabelled', (wrong) => drain(dataset.matchLabelled(wrong)), ['object', 'undefined']],
  ['toPatchEvents', (wrong) => toPatchEvents(wrong, { eventId: 'e' }), []],
  ['toPatchEvents, id', (eventId) => toPatchEvents({ additions: [], deletions: [] }, { eventId }), ['text']],
];

const log = createMemoryEventLog();
const change = { deletions: [], additions: [{ quad: one, label: '*' }] };
const publish = (more: AnyArgument) => publishChangeSet(log, 'topic', change, { eventId: 'e', ...more });
const open = (more: AnyArgument) => openGraphDataset({ name: 'test', ...more });

const OPENING: readonly Door[] = [
  ['openGraphDataset', (wrong) => openGraphDataset(wrong), []],
  ['openGraphDataset, name', (name) => open({ name }), ['text']],
  ['openGraphDataset, a stored name', (name) => open({ name, blobs: createMemoryBlobStore() }), ['text']],
  ['openGraphDataset, blobs', (blobs) => open({ blobs }), ['undefined']],
  ['openGraphDataset, prefixes', (prefixes) => open({ prefixes }), ['object', 'undefined']],
  ['openGraphDataset, a prefix', (a) => open({ prefixes: { a } }), ['text']],
  ['openGraphDataset, sliceWork', (sliceWork) => open({ sliceWork }), ['number', 'undefined']],
  ...['nowMs', 'mergeTurn', 'load'].map(
    (name): Door => [`openGraphDataset, ${name}`, (wrong) => open({ [name]: wrong }), ['function', 'undefined']],
  ),
  // The function among them gives text instead of memory.
  ['openGraphDataset, allocate', (allocate) => open({ allocate }), ['undefined']],
  ['openGraphDataset, what allocate gives', (wrong) => open({ allocate: () => wrong }), []],
  ['publishChangeSet', (wrong) => publishChangeSet(wrong, 'topic', change, { eventId: 'e' }), []],
  ['publishChangeSet, topic', (topic) => publishChangeSet(log, topic, change, { eventId: 'e' }), ['text']],
  ['publishChangeSet, changes', (wrong) => publishChangeSet(log, 'topic', wrong, { eventId: 'e' }), []],
  ['publishChangeSet, options', (wrong) => publishChangeSet(log, 'topic', change, wrong), []],
  ['publishChangeSet, eventId', (eventId) => publish({ eventId }), ['text']],
  ['publishChangeSet, blobs', (blobs) => publish({ blobs }), ['undefined']],
];

const literal = { termType: 'Literal', value: 'x', equals: () => false };
const xsdString = namedNode('http://www.w3.org/2001/XMLSchema#string');

/** Literals that lack what RDF/JS gives every literal. */
const LITERALS: readonly (readonly [name: string, literal: AnyArgument])[] = [
  ['without language and datatype', literal],
  ['without datatype', { ...literal, language: '' }],
  ['with a language and without datatype', { ...literal, language: 'en' }],
  ['with null for a datatype', { ...literal, language: '', datatype: null }],
  ['with a datatype that is text', { ...literal, language: '', datatype: 'urn:type' }],
  ['with a datatype without a value', { ...literal, language: '', datatype: { termType: 'NamedNode' } }],
  ['without language', { ...literal, datatype: xsdString }],
  ['with null for a language', { ...literal, language: null, datatype: xsdString }],
];

/** Everything that takes a term of somebody else. */
const TAKERS: Readonly<Record<string, (own: StoreDataset, object: AnyArgument) => Promise<unknown>>> = {
  'an addition': (own, object) =>
    own.apply([{ deletions: [], additions: [{ quad: { ...quadOf(), object }, label: '*' }] }]),
  'a deletion': (own, object) =>
    own.apply([{ deletions: [{ quad: { ...quadOf(), object }, label: '*' }], additions: [] }]),
  'a load': (own, object) => own.load([[one, { ...quadOf(), object }]], { label: '*' }),
  'a removal': (own, object) => own.removeQuads(viewer, [{ ...quadOf(), object }]),
  'a pattern': (own, object) => own.count(viewer, { object }),
  'a triple term': (own, object) => own.count(viewer, { object: { ...quadOf(), termType: 'Quad', value: '', object } }),
};

describe('a literal', () => {
  it.each(LITERALS)('%s is refused by whoever takes terms, and nothing is applied', async (_name, wrong) => {
    for (const [name, take] of Object.entries(TAKERS)) {
      const own = await openGraphDataset({ name: 'own' });
      await own.apply([change]);
      await expect(take(own, wrong), name).rejects.toMatchObject({
        kind: 'invalid',
        message: expect.stringContaining('Literal'),
      });
      expect(await own.count(viewer)).toBe(1);
      await own.apply([{ deletions: change.additions, additions: [] }]);
      expect(await own.count(viewer)).toBe(0);
    }
  });
});

describe('a closed dataset', () => {
  it('refuses every reader, whatever it is asked for', async () => {
    const own = await openGraphDataset({ name: 'own', prefixes: { e: 'urn:e' } });
    await own.close();
    const readers = [
      () => own.prefixes(viewer),
      () => own.query(viewer, 'ASK {}'),
      () => own.count(viewer),
      () => drain(own.match(viewer)),
      () => drain(own.matchLabelled()),
    ];
    for (const read of readers) await expect(read()).rejects.toMatchObject({ code: 'ERR_DATASET_CLOSED' });
  });
});

function quadOf(): AnyArgument {
  const { subject, predicate, object, graph } = one;
  return { subject, predicate, object, graph };
}

describe('a door of this package', () => {
  it.each([...DOORS, ...OPENING])('%s refuses what it cannot use, with a code', async (_name, call, right) => {
    expect(await doorFaults(call, right)).toEqual([]);
  });

  it.each([-0.1, 1, Number.NaN, Number.POSITIVE_INFINITY, '0.5', undefined])(
    'refuses %s of a random source',
    async (value) => {
      const random = (): AnyArgument => value;
      for (const call of ['RAND()', 'UUID()', 'STRUUID()']) {
        const asked = dataset.query(viewer, `SELECT (${call} AS ?x) {}`, { random }).then(drainSolutions);
        await expect(asked).rejects.toMatchObject({ code: 'ERR_ARGUMENT', kind: 'invalid' });
      }
      const updated = dataset.evaluateUpdate(viewer, 'INSERT { [] a <urn:c> } WHERE {}', { label: '*', random });
      await expect(updated).rejects.toMatchObject({ code: 'ERR_ARGUMENT' });
    },
  );

  it.each(['../x', '', '.', '..', '.hidden', 'a/b', 'a b', 'a\0', 'é', 'a'.repeat(101)])(
    'refuses the name %j, in memory as on disk',
    async (name) => {
      for (const blobs of [undefined, createMemoryBlobStore()]) {
        await expect(open({ name, blobs })).rejects.toMatchObject({ code: 'ERR_DATASET_NAME', kind: 'invalid' });
      }
    },
  );

  it('refuses memory that is smaller than what was asked for, when it opens and when it grows', async () => {
    const refused = { code: 'ERR_ARGUMENT', kind: 'invalid', message: expect.stringMatching(/ bytes .*; got \d+$/) };
    await expect(open({ allocate: () => new ArrayBuffer(8) })).rejects.toMatchObject(refused);
    await expect(open({ allocate: (size: number) => new ArrayBuffer(size - 1) })).rejects.toMatchObject(refused);
    let isShort = false;
    const own = await open({ allocate: (size: number) => new ArrayBuffer(isShort ? size >> 1 : size + 8) });
    await own.apply([change]);
    isShort = true;
    const additions = Array.from({ length: 20_000 }, (_, n) => ({
      quad: quad(namedNode(`urn:s${n}`), namedNode('urn:p'), stringLiteral('o')),
      label: '*',
    }));
    await expect(own.apply([{ deletions: [], additions }])).rejects.toMatchObject(refused);
  });

  it('refuses an instant that no date holds', async () => {
    const asked = dataset.query(viewer, 'SELECT (NOW() AS ?x) {}', { nowMs: 8.64e15 + 2 });
    await expect(asked).rejects.toMatchObject({ code: 'ERR_ARGUMENT' });
  });

  it('apply leaves the dataset as it was when one of its quads has no label', async () => {
    const own: StoreDataset = await openGraphDataset({ name: 'own' });
    await own.apply([{ deletions: [], additions: [{ quad: one, label: '*' }] }]);
    const two = quad(namedNode('urn:s'), namedNode('urn:p'), stringLiteral('two'));
    const additions = [
      { quad: two, label: '*' },
      { quad: two, label: undefined },
    ];
    await expect(own.apply([{ deletions: [], additions }])).rejects.toMatchObject({ code: 'ERR_ARGUMENT' });
    expect(await own.count(viewer)).toBe(1);
    await own.apply([{ deletions: [], additions: [{ quad: two, label: 'a' }] }]);
    expect(await own.count(viewer)).toBe(2);
  });
});

async function drainSolutions(result: AnyArgument): Promise<void> {
  await drain(result.solutions);
}

import { type AnyArgument, type Door, doorFaults } from '@cairn/errors/conformance';
import { createViewerOfEverything } from '@cairn/security';
import { describe, expect, it } from 'vitest';
import { toPatchEvents } from '../patch/events.ts';
import { namedNode, quad, stringLiteral } from '../rdf/terms.ts';
import { openGraphDataset } from './open.ts';
import type { StoreDataset } from './store-dataset.ts';

const viewer = createViewerOfEverything();
const one = quad(namedNode('urn:s'), namedNode('urn:p'), stringLiteral('o'));
const dataset = await openGraphDataset({ name: 'test' });
const apply = (additions: AnyArgument, deletions: AnyArgument = []) => dataset.apply([{ additions, deletions }]);

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
  ['query', (wrong) => dataset.query(wrong, 'ASK {}'), []],
  ['query, text', (wrong) => dataset.query(viewer, wrong), []],
  ['query, evaluation', (wrong) => dataset.query(viewer, 'ASK {}', wrong), ['object', 'undefined']],
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

function quadOf(): AnyArgument {
  const { subject, predicate, object, graph } = one;
  return { subject, predicate, object, graph };
}

describe('a door of this package', () => {
  it.each(DOORS)('%s refuses what it cannot use, with a code', async (_name, call, right) => {
    expect(await doorFaults(call, right)).toEqual([]);
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

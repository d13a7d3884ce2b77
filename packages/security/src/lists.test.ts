import { type ListDoor, listFaults } from '@cairn/errors/conformance';
import { describe, expect, it } from 'vitest';
import { allOf, anyOf, createLabelSetTable, createLabelTable, createViewer } from './index.ts';

const DOORS: readonly ListDoor[] = [
  ['anyOf', ['a=1', 'b=2'], (labels) => anyOf(labels)],
  ['allOf', ['a=1', 'b=2'], (labels) => allOf(labels)],
  ['createLabelTable', ['a=1', 'b=2'], (labels) => createLabelTable(labels).toArray()],
  [
    'createLabelSetTable',
    [[0], [0, 1]],
    (sets) => createLabelSetTable(createLabelTable(['a=1', 'b=2']), sets).toArray(),
  ],
  ['createLabelSetTable, a set', [0, 1], (set) => createLabelSetTable(createLabelTable(['a', 'b']), [set]).toArray()],
  ['createViewer, values', ['1', '2'], (values) => createViewer({ attributes: { a: values } }).key],
  [
    'createViewer, a hierarchy',
    ['1', '2'],
    (tiers) => createViewer({ attributes: { a: ['2'] }, hierarchies: { a: tiers } }).permits('a=1'),
  ],
];

describe('a door that takes a list', () => {
  it.each(DOORS)(
    '%s loses nothing of another iterable: it takes it whole or refuses it',
    async (_name, items, call) => {
      expect(await listFaults(items, call)).toEqual([]);
    },
  );
});

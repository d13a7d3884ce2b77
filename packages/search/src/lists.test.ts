import { type AnyArgument, type ListDoor, listFaults } from '@cairn/errors/conformance';
import { createViewerOfEverything } from '@cairn/security';
import { describe, expect, it } from 'vitest';
import { openSearchIndex } from './index.ts';

const viewer = createViewerOfEverything();
const put = (id: string) => ({
  type: 'put',
  index: 'search',
  document: { uri: id, title: `word ${id}`, types: ['urn:t'] },
});

async function filled(changes: AnyArgument = [put('a'), put('b')], indices: AnyArgument = ['search']) {
  const index = await openSearchIndex({ indices });
  await index.apply(changes);
  return index;
}

async function search(request: AnyArgument): Promise<unknown> {
  return (await filled()).search(viewer, { query: 'word', ...request });
}

const DOORS: readonly ListDoor[] = [
  ['openSearchIndex, indices', ['search'], async (indices) => (await filled(undefined, indices)).indices],
  ['apply', [put('a'), put('b')], async (list) => (await filled(list)).search(viewer, { query: 'word' })],
  ['getDocuments', ['a', 'b', 'c'], async (ids) => (await filled()).getDocuments(viewer, ids)],
  ['search, indices', ['search'], (indices) => search({ indices })],
  ['search, values of the filter', ['urn:other'], (values) => search({ typeFilter: { values } })],
  ['search, fields of the range', ['title'], (fields) => search({ range: { fields, start: 'x' } })],
];

describe('a door that takes a list', () => {
  it.each(DOORS)(
    '%s loses nothing of another iterable: it takes it whole or refuses it',
    async (_name, items, call) => {
      expect(await listFaults(items, call)).toEqual([]);
    },
  );
});

import { isCodedError } from '@cairn/errors';
import { createViewerOfEverything } from '@cairn/security';
import { describe, expect, it } from 'vitest';
import { openSearchIndex } from './index.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a caller without types passes
type Wrong = any;

/** A door, items of the list that it takes, and what tells whether it took them all. */
type Door = readonly [name: string, items: readonly unknown[], call: (list: Wrong) => unknown];

const viewer = createViewerOfEverything();
const put = (id: string) => ({
  type: 'put',
  index: 'search',
  document: { uri: id, title: `word ${id}`, types: ['urn:t'] },
});

async function filled(changes: Wrong = [put('a'), put('b')], indices: Wrong = ['search']) {
  const index = await openSearchIndex({ indices });
  await index.apply(changes);
  return index;
}

async function search(request: Wrong): Promise<unknown> {
  return (await filled()).search(viewer, { query: 'word', ...request });
}

const DOORS: readonly Door[] = [
  ['openSearchIndex, indices', ['search'], async (indices) => (await filled(undefined, indices)).indices],
  ['apply', [put('a'), put('b')], async (list) => (await filled(list)).search(viewer, { query: 'word' })],
  ['getDocuments', ['a', 'b', 'c'], async (ids) => (await filled()).getDocuments(viewer, ids)],
  ['search, indices', ['search'], (indices) => search({ indices })],
  ['search, values of the filter', ['urn:other'], (values) => search({ typeFilter: { values } })],
  ['search, fields of the range', ['title'], (fields) => search({ range: { fields, start: 'x' } })],
];

/** The same items in everything that can be walked, or looks as if it could be. */
const KINDS: readonly (readonly [kind: string, make: (items: readonly unknown[]) => Wrong])[] = [
  ['a Set', (items) => new Set(items)],
  ['a generator', (items) => walk(items)],
  ['an iterable', (items) => ({ [Symbol.iterator]: () => items[Symbol.iterator]() })],
  ['what is like an array', (items) => ({ ...items, length: items.length })],
];

function* walk(items: readonly unknown[]): Generator<unknown> {
  yield* items;
}

/** What a door gives, or the kind of its refusal. */
async function outcome(call: () => unknown): Promise<unknown> {
  try {
    return await call();
  } catch (error) {
    return isCodedError(error) ? error.kind : error;
  }
}

describe('a door that takes a list', () => {
  it.each(DOORS)(
    '%s loses nothing of another iterable: it takes it whole or refuses it',
    async (_name, items, call) => {
      const whole = await outcome(() => call(items));
      expect(whole).not.toBe('invalid');
      for (const [kind, make] of KINDS) {
        const found = await outcome(() => call(make(items)));
        expect([kind, found]).toEqual([kind, found === 'invalid' ? 'invalid' : whole]);
      }
    },
  );
});

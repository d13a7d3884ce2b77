import { isCodedError } from '@cairn/errors';
import { describe, expect, it } from 'vitest';
import { createEvent, createHeaders, createMemoryEventLog } from './index.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a caller without types passes
type Wrong = any;

/** A door, items of the list that it takes, and what tells whether it took them all. */
type Door = readonly [name: string, items: readonly unknown[], call: (list: Wrong) => unknown];

const event = (id: string) => createEvent({ id, type: 't', value: 'x' });
const pairs = [
  ['A', '1'],
  ['B', '2'],
];

async function append(batch: Wrong): Promise<unknown> {
  const log = createMemoryEventLog();
  await log.append('topic', batch);
  return log.end('topic');
}

const DOORS: readonly Door[] = [
  ['append', [event('1'), event('2')], append],
  ['createHeaders', pairs, (init) => [...createHeaders(init)]],
  ['createEvent, headers', pairs, (headers) => [...createEvent({ id: 'e', type: 't', value: '', headers }).headers]],
  ['createHeaders, values', ['1', '2'], (values) => [...createHeaders({ A: values })]],
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

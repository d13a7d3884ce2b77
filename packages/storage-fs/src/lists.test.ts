import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isCodedError } from '@cairn/errors';
import { createEvent } from '@cairn/events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFileEventLog } from './index.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a caller without types passes
type Wrong = any;

/** A door, items of the list that it takes, and what tells whether it took them all. */
type Door = readonly [name: string, items: readonly unknown[], call: (list: Wrong) => unknown];

let log: Awaited<ReturnType<typeof openFileEventLog>>;
const directory = mkdtempSync(path.join(tmpdir(), 'cairn-lists-'));
beforeAll(async () => {
  log = await openFileEventLog({ directory });
});
afterAll(async () => {
  await log.close();
  rmSync(directory, { recursive: true, force: true });
});

const event = (id: string) => createEvent({ id, type: 't', headers: { Secret: 'x' }, value: 'x' });
let topics = 0;

async function append(batch: Wrong): Promise<unknown> {
  const topic = `t${topics++}`;
  await log.append(topic, batch);
  return log.end(topic);
}

async function erase(dropped: Wrong): Promise<unknown> {
  const topic = `t${topics++}`;
  await log.append(topic, [event('1')]);
  await log.eraseValues(topic, () => dropped);
  const found: string[] = [];
  for await (const events of log.read(topic))
    for (const { headers } of events) for (const [name] of headers) found.push(name);
  return found;
}

const DOORS: readonly Door[] = [
  ['append', [event('1'), event('2')], append],
  ['eraseValues, the headers that go', ['Secret'], erase],
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

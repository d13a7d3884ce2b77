import { type AnyArgument, type ListDoor, listFaults } from '@cairn/errors/conformance';
import { describe, expect, it } from 'vitest';
import { createEvent, createHeaders, createMemoryEventLog } from './index.ts';

const event = (id: string) => createEvent({ id, type: 't', value: 'x' });
const pairs = [
  ['A', '1'],
  ['B', '2'],
];

async function append(batch: AnyArgument): Promise<unknown> {
  const log = createMemoryEventLog();
  await log.append('topic', batch);
  return log.end('topic');
}

const DOORS: readonly ListDoor[] = [
  ['append', [event('1'), event('2')], append],
  ['createHeaders', pairs, (init) => [...createHeaders(init)]],
  ['createEvent, headers', pairs, (headers) => [...createEvent({ id: 'e', type: 't', value: '', headers }).headers]],
  ['createHeaders, values', ['1', '2'], (values) => [...createHeaders({ A: values })]],
];

describe('a door that takes a list', () => {
  it.each(DOORS)(
    '%s loses nothing of another iterable: it takes it whole or refuses it',
    async (_name, items, call) => {
      expect(await listFaults(items, call)).toEqual([]);
    },
  );
});

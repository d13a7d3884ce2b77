import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type AnyArgument, type ListDoor, listFaults } from '@cairn/errors/conformance';
import { createEvent } from '@cairn/events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFileEventLog } from './index.ts';

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

async function append(batch: AnyArgument): Promise<unknown> {
  const topic = `t${topics++}`;
  await log.append(topic, batch);
  return log.end(topic);
}

async function erase(dropped: AnyArgument): Promise<unknown> {
  const topic = `t${topics++}`;
  await log.append(topic, [event('1')]);
  await log.eraseValues(topic, () => dropped);
  const found: string[] = [];
  for await (const events of log.read(topic))
    for (const { headers } of events) for (const [name] of headers) found.push(name);
  return found;
}

const DOORS: readonly ListDoor[] = [
  ['append', [event('1'), event('2')], append],
  ['eraseValues, the headers that go', ['Secret'], erase],
];

describe('a door that takes a list', () => {
  it.each(DOORS)(
    '%s loses nothing of another iterable: it takes it whole or refuses it',
    async (_name, items, call) => {
      expect(await listFaults(items, call)).toEqual([]);
    },
  );
});

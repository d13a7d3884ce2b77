import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Door, doorFaults } from '@cairn/errors/conformance';
import { createEvent } from '@cairn/events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFileBlobStore, openFileEventLog } from './index.ts';

let log: Awaited<ReturnType<typeof openFileEventLog>>;
let blobs: Awaited<ReturnType<typeof openFileBlobStore>>;
const directory = mkdtempSync(path.join(tmpdir(), 'cairn-doors-'));
beforeAll(async () => {
  log = await openFileEventLog({ directory: path.join(directory, 'log') });
  blobs = await openFileBlobStore({ directory: path.join(directory, 'blobs') });
});
afterAll(async () => {
  await log.close();
  await blobs.close();
  rmSync(directory, { recursive: true, force: true });
});

const event = createEvent({ id: 'e', type: 't', value: 'x' });

const DOORS: readonly Door[] = [
  ['append, topic', (wrong) => log.append(wrong, [event]), ['text']],
  ['append', (wrong) => log.append('topic', wrong), ['list']],
  ['append, an event', (wrong) => log.append('topic', [wrong]), []],
  ['append, its value', (value) => log.append('topic', [{ ...event, value }]), []],
  ['append, its headers', (headers) => log.append('topic', [{ ...event, headers }]), []],
  ['append, its key', (key) => log.append('topic', [{ ...event, key }]), ['text', 'undefined']],
  ['end', (wrong) => log.end(wrong), ['text']],
  ['commit, group', (wrong) => log.commit(wrong, 'topic', '0000000000000000'), ['text']],
  ['commit, position', (wrong) => log.commit('group', 'topic', wrong), []],
  ['put', (wrong) => blobs.put('name', wrong), []],
  ['put, name', (wrong) => blobs.put(wrong, new Uint8Array(1)), ['text']],
  ['putContent', (wrong) => blobs.putContent('prefix/', wrong), []],
  ['get', (wrong) => blobs.get(wrong), ['text']],
  ['delete', (wrong) => blobs.delete(wrong), ['text']],
  ['replaceManifest', (wrong) => blobs.replaceManifest('name', wrong), []],
];

describe('a door of this package', () => {
  it.each(DOORS)('%s refuses what it cannot use, with a code', async (_name, call, right) => {
    expect(await doorFaults(call, right)).toEqual([]);
  });
});

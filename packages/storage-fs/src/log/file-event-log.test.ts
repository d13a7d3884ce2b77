import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createEvent, type StoredEvent } from '@cairn/events';
import { expect, it } from 'vitest';
import { openFileBlobStore } from '../blobs/file-blob-store.ts';
import { openFileEventLog } from './file-event-log.ts';

async function collect(iterable: AsyncIterable<readonly StoredEvent[]>): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for await (const batch of iterable) events.push(...batch);
  return events;
}

it('keeps events and positions over reopening', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'cairn-log-'));
  const log = await openFileEventLog({ directory, segmentBytes: 500 });
  const positions: string[] = [];
  for (let n = 0; n < 50; n++) {
    positions.push(
      ...(await log.append('T', [createEvent({ id: `${n}`, type: 'test', key: 'k', value: `value ${n}` })])),
    );
  }
  await log.commit('g', 'T', positions[3]);
  await log.close();
  const again = await openFileEventLog({ directory, segmentBytes: 500 });
  const events = await collect(again.read('T'));
  expect(events.map(({ position }) => position)).toEqual(positions);
  expect(Buffer.from(events[7].value).toString()).toBe('value 7');
  expect(events[7].headers.get('event-id')).toBe('7');
  expect(await again.committed('g', 'T')).toBe(positions[3]);
  expect(await again.topics()).toEqual(['T']);
  await again.close();
  const blobs = await openFileBlobStore({ directory: path.join(directory, 'b') });
  const { name } = await blobs.putContent('x/', Buffer.from('hello'));
  expect(Buffer.from((await blobs.get(name, { start: 1, end: 3 })) ?? '').toString()).toBe('el');
  for await (const blob of blobs.list()) expect(blob).toEqual({ name, sizeBytes: 5 });
  await rm(directory, { recursive: true });
});

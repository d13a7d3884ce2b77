/**
 * Acknowledged data is kept: a log, blobs and a search index in a directory, closed and opened again.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BlobStore, createEvent, type Event, type EventLog } from '@cairn/events';
import { openSearchIndex, type SearchIndex } from '@cairn/search';
import { createViewer } from '@cairn/security';
import { openFileBlobStore, openFileEventLog } from '@cairn/storage-fs';

const directory = await mkdtemp(path.join(tmpdir(), 'cairn-example-'));

interface Opened {
  readonly log: EventLog;
  readonly blobs: BlobStore;
  readonly index: SearchIndex;
}

async function openAll(): Promise<Opened> {
  const log = await openFileEventLog({ directory: path.join(directory, 'log') });
  const blobs = await openFileBlobStore({ directory: path.join(directory, 'blobs') });
  const index = await openSearchIndex({ indices: ['notes'], blobs });
  return { log, blobs, index };
}

async function closeAll({ log, blobs, index }: Opened): Promise<void> {
  await index.close();
  await blobs.close();
  await log.close();
}

// The index is a cache of the log. It remembers how far it has come, so catching up reads only what it has not seen.
async function catchUp({ log, index }: Opened): Promise<number> {
  let count = 0;
  for await (const batch of log.read('notes', { after: index.positions()['notes'] })) {
    const changes = batch.map(({ value }) => ({
      type: 'put' as const,
      index: 'notes',
      document: JSON.parse(new TextDecoder().decode(value)),
    }));
    const last = batch.at(-1);
    if (last !== undefined) await index.apply(changes, { notes: last.position });
    count += batch.length;
  }
  return count;
}

async function matches(index: SearchIndex): Promise<string> {
  const { results } = await index.search(createViewer({ attributes: {} }), { query: 'boat' });
  return results.map(({ id }) => id).join();
}

function note(uri: string, text: string): Event {
  const document = { uri, text, securityLabels: { defaults: '*' } };
  return createEvent({ id: `event-${uri}`, type: 'note', value: JSON.stringify(document) });
}

const first = await openAll();
// When this resolves the batch has been synced to disk, all of it.
const positions = await first.log.append('notes', [note('n1', 'a boat'), note('n2', 'a buoy')]);
console.log(positions.join(' '));
console.log('applied', await catchUp(first));
await first.index.flush();
// Appended, but the process ends before the index has seen it.
await first.log.append('notes', [note('n3', 'two boats')]);
console.log('before:', await matches(first.index));
await closeAll(first);

const second = await openAll();
console.log('opened:', await matches(second.index));
console.log('applied', await catchUp(second));
console.log('after: ', await matches(second.index));
await closeAll(second);
await rm(directory, { recursive: true });

/* Prints:
0000000000000000 0000000000000001
applied 2
before: n1
opened: n1
applied 1
after:  n1,n3
*/

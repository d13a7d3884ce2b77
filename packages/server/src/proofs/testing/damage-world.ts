import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type EventLog, HEADER, valueBlob } from '@cairn/events';
import { openFileEventLog } from '@cairn/storage-fs';
import type { ConfigurationInput } from '../../config/configuration.ts';
import { eventually, TEST_CONFIGURATION } from '../../testing/server.ts';
import type { Client } from './client.ts';
import { BATCH, correctAddress, expectStatus, textOf, toSet } from './crash-work.ts';
import { startProcess } from './server-process.ts';

/** An event of the log: where it is, its id, what it is about, and the blob of its value. */
export interface LoggedEvent {
  readonly topic: string;
  readonly id: string;
  readonly type: string;
  /** Words of the ledger that its file name or its value names. */
  readonly words: readonly string[];
  readonly blob: string | undefined;
}

/** A data directory that was filled over HTTP. */
export interface World {
  readonly directory: string;
  readonly events: readonly LoggedEvent[];
  /** Acknowledged, by what is written in them. */
  readonly documents: readonly string[];
  readonly sets: readonly string[];
  readonly corrected: readonly string[];
}

/** Snapshots are taken often, so that caches consist of several files. */
export const DAMAGE_CONFIGURATION: ConfigurationInput = {
  ...TEST_CONFIGURATION,
  server: { ...TEST_CONFIGURATION.server, logLevel: 'warn' },
  snapshots: { intervalSeconds: 0.2 },
};

/** A user that may do everything; the label of everything. */
const LABEL = 'clearance=O';
const LARGE = 1_200_000;

/** Fills a data directory over HTTP by the built command, which is stopped in the end, or killed. */
export async function fillWorld(directory: string, end: 'stop' | 'kill'): Promise<World> {
  const configuration = DAMAGE_CONFIGURATION;
  let server = await startProcess(directory, configuration).ready;
  const documents = await uploadDocuments(await server.as('alice'), ['oak', 'elm', 'ash', 'fir']);
  const sets = await insertSets(await server.as('alice'), 0, 4);
  await correct(await server.as('alice'), 'oak');
  // A second start writes segments of their own.
  await server.stop();
  server = await startProcess(directory, configuration).ready;
  const client = await server.as('alice');
  documents.push(...(await uploadDocuments(client, ['yew', 'bay', 'box'])), await uploadLarge(client));
  sets.push(...(await insertSets(client, 4, 8)), await uploadRdf(client), await insertLarge(client));
  await correct(client, 'yew');
  writeFileSync(path.join(directory, 'cairn.yaml'), JSON.stringify(configuration));
  if (end === 'stop') await server.stop();
  else await server.kill();
  // As when the kill hits a blob that is being written, which it does now and then.
  if (end === 'kill') writeFileSync(path.join(directory, 'blobs/drafts/1.1.none.half-a-blob'), 'half a blob');
  const log = await openFileEventLog({ directory: path.join(directory, 'log') });
  const events = await readEvents(log);
  await log.close();
  return { directory, events, documents, sets, corrected: ['oak', 'yew'] };
}

export async function readEvents(log: EventLog): Promise<LoggedEvent[]> {
  const events: LoggedEvent[] = [];
  for (const topic of await log.topics()) {
    for await (const batch of log.read(topic)) {
      for (const event of batch) {
        const { headers } = event;
        const text = `${headers.get('Ingest-Filename')} ${new TextDecoder().decode(event.value)}`;
        events.push({
          topic,
          id: headers.get(HEADER.eventId) ?? '',
          type: headers.get(HEADER.eventType) ?? '',
          words: [...new Set(text.match(/\b(?:set\d+|wordy\w+|oak|elm|ash|fir|yew|bay|box)\b/g) ?? [])],
          blob: valueBlob(event)?.name,
        });
      }
    }
  }
  return events;
}

/** Uploads one text file for each word; resolves when all are found. */
export async function uploadDocuments(client: Client, words: readonly string[]): Promise<string[]> {
  for (const word of words)
    expectStatus('upload', (await client.upload(LABEL, `${word}.txt`, textOf(word))).status, 202);
  for (const word of words) await found(client, word);
  return [...words];
}

/** Inserts named sets into `knowledge`, one update each. */
export async function insertSets(client: Client, from: number, to: number): Promise<string[]> {
  const names = Array.from({ length: to - from }, (_, n) => `set${from + n}`);
  for (const name of names) expectStatus('update', await client.update(LABEL, `INSERT DATA { ${toSet(name)} }`), 200);
  return names;
}

async function uploadLarge(client: Client): Promise<string> {
  const text = `${textOf('wordylarge')} ${'so it went on '.repeat(LARGE / 14)}`;
  expectStatus('upload', (await client.upload(LABEL, 'wordylarge.txt', text)).status, 202);
  await found(client, 'wordylarge');
  return 'wordylarge';
}

async function insertLarge(client: Client): Promise<string> {
  // The event is larger than a request may be, so that its value is a blob.
  const text = `INSERT { ${toSet('set100')} <urn:set100> <urn:note> ?whole }
    WHERE { BIND("${'x'.repeat(LARGE / 2)}" AS ?half) BIND(CONCAT(?half, ?half) AS ?whole) }`;
  expectStatus('update', await client.update(LABEL, text), 200);
  return 'set100';
}

async function uploadRdf(client: Client): Promise<string> {
  expectStatus('upload', (await client.upload(LABEL, 'set200.ttl', toSet('set200'))).status, 202);
  const ask = 'SELECT ?m { <urn:set200> <urn:member> ?m }';
  await eventually(async () => ((await client.select(ask)).length === BATCH ? true : undefined));
  return 'set200';
}

async function correct(client: Client, word: string): Promise<void> {
  await correctAddress(client, await found(client, word), word);
}

function found(client: Client, word: string): Promise<string> {
  return eventually(async () => {
    const { results } = await client.json(`/api/search/documents?query=${word}&indices=doc-content`);
    return results[0]?.id as string | undefined;
  });
}

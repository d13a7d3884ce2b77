import { callServer } from '../../control/client.ts';
import { controlSocketPath } from '../../control/socket-path.ts';
import { eventually } from '../../testing/server.ts';
import type { Client } from './client.ts';
import type { Ledger } from './ledger.ts';

const NAME = 'http://www.w3.org/2000/01/rdf-schema#label';
/** How many triples one update adds: all of them or none. */
export const BATCH = 5;
/** In every document. */
export const COMMON_WORD = 'crashproof';

/** State of the writers, which stop once the server was killed. */
export interface Work {
  readonly client: Client;
  readonly data: string;
  readonly ledger: Ledger;
  /** Unlike that of any other run. */
  readonly round: number;
  readonly killed: () => boolean;
}

type Writer = (work: Work, n: number) => Promise<void>;

/** Writers that work side by side, by turns: a flood of uploads leaves little time for the others. */
const WRITERS: readonly (readonly Writer[])[] = [
  [insertBatch, countUp, correctEntity, rebuildCache],
  [uploadDocument, uploadDocument, insertBatch, countUp, correctEntity],
];

/** Writes in several ways at once until the server is killed. @throws when a living server refuses something. */
export async function writeUntilKilled(work: Work): Promise<void> {
  const writers = WRITERS[work.round % WRITERS.length] as readonly Writer[];
  await Promise.all(
    writers.map(async (write, writer) => {
      for (let n = 0; !work.killed(); n++) {
        // A request that a kill cut off says nothing.
        await write(work, n * writers.length + writer).catch((error: unknown) => {
          if (!work.killed()) throw error;
        });
      }
    }),
  );
}

/** The text of the document of a word; an entity is found in it. */
export function textOf(word: string): string {
  return `${COMMON_WORD} ${word} was written by ${addressOf(word)} in the fog`;
}

export function addressOf(word: string): string {
  return `${word}@example.org`;
}

/** The triples of a named set of {@link BATCH} members. */
export function toSet(name: string): string {
  const members = Array.from({ length: BATCH }, (_, n) => n).join(', ');
  return `<urn:${name}> <${NAME}> "${name}" ; <urn:member> ${members} .`;
}

/** Says of the address in the document of a word whose it is. */
export async function correctAddress(client: Client, documentUri: string, word: string): Promise<void> {
  const status = await client.post('/api/search/documents/update-entity', {
    documentUri,
    entityText: addressOf(word),
    entityCategory: 'https://schema.org/email',
    resolvedEntityUri: `urn:person:${word}`,
    resolvedCategory: 'urn:Person',
  });
  expectStatus('update-entity', status, 200);
}

async function uploadDocument({ client, ledger, round }: Work, n: number): Promise<void> {
  const word = `doc${round}x${n}`;
  const upload = ledger.attempt('uploads', word);
  const { status } = await client.upload('*', `${word}.txt`, textOf(word));
  expectStatus('upload', status, 202);
  upload.acknowledge();
}

async function insertBatch({ client, ledger, round }: Work, n: number): Promise<void> {
  const name = `set${round}x${n}`;
  const batch = ledger.attempt('batches', name);
  expectStatus('update', await client.update('*', `INSERT DATA { ${toSet(name)} }`), 200);
  batch.acknowledge();
}

async function countUp({ client, ledger, round }: Work, n: number): Promise<void> {
  const step = ledger.attempt('steps', `${round}x${n}`);
  const text = `DELETE { <urn:counter> <urn:count> ?n } INSERT { <urn:counter> <urn:count> ?m }
    WHERE { OPTIONAL { <urn:counter> <urn:count> ?n } BIND(COALESCE(?n, 0) + 1 AS ?m) }`;
  expectStatus('count', await client.update('*', text), 200);
  step.acknowledge();
}

async function correctEntity({ client, ledger, round, killed }: Work, n: number): Promise<void> {
  const word = `fix${round}x${n}`;
  const upload = ledger.attempt('uploads', word);
  expectStatus('upload', (await client.upload('*', `${word}.txt`, textOf(word))).status, 202);
  upload.acknowledge();
  const uri = await eventually(async () => {
    if (killed()) throw new Error('killed');
    return (await client.json(`/api/search/documents?query=${word}`)).results[0]?.id as string | undefined;
  });
  const correction = ledger.attempt('corrections', word);
  await correctAddress(client, uri, word);
  correction.acknowledge();
}

async function rebuildCache({ data, ledger, round }: Work, n: number): Promise<void> {
  const rebuild = ledger.attempt('rebuilds', `${round}x${n}`);
  const lines = await callServer(controlSocketPath(data), 'rebuild', {
    cache: (round / 2 + n) % 2 === 0 ? 'search' : 'knowledge',
  });
  if (lines === undefined) throw new Error('nobody listens on the control socket');
  for await (const _ of lines);
  rebuild.acknowledge();
}

export function expectStatus(what: string, status: number, expected: number): void {
  if (status !== expected) throw new Error(`${what} answered ${status}; expected ${expected}`);
}

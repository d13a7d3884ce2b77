import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CodedError, isCodedError } from '@cairn/errors';
import { openFileBlobStore, openFileEventLog, repairFileEventLog } from '@cairn/storage-fs';
import { blobFile } from '@cairn/storage-fs/experimental';
import { expect } from 'vitest';
import { readSettings } from '../../commands/settings.ts';
import { verify } from '../../commands/verify.ts';
import { type CairnServer, createServer } from '../../composition/create-server.ts';
import type { Service } from '../../composition/service.ts';
import { giveUpValues } from '../../control/verify.ts';
import { eventually } from '../../testing/server.ts';
import { VerifiedData, verifyStoredData } from '../../verification/stored-data.ts';
import { Client } from './client.ts';
import { allDocuments, checkDocumentsOf, readSets } from './crash-check.ts';
import { type Damage, filesUnder } from './damage.ts';
import {
  DAMAGE_CONFIGURATION,
  insertSets,
  type LoggedEvent,
  readEvents,
  uploadDocuments,
  type World,
} from './damage-world.ts';

export interface DamageOutcome {
  /** Output of the server: its log, and the reasons of `readyz`. */
  readonly said: string;
  /** The documented ways out that were needed before it served. */
  readonly remedies: readonly string[];
  /** Events that the log held before and does not any more. */
  readonly lost: readonly LoggedEvent[];
}

interface Expected {
  readonly documents: readonly string[];
  readonly sets: readonly string[];
  readonly corrected: readonly string[];
}

interface Running {
  readonly server: CairnServer;
  readonly service: Service;
  readonly client: Client;
}

/** Starts a server on a damaged data directory and checks what must hold however it was damaged. */
export async function checkDamaged(world: World, directory: string, damage: Damage): Promise<DamageOutcome> {
  const { file } = damage;
  const said: string[] = [];
  const missing = blobsMissing(world, directory, damage);
  if (file === 'cairn.yaml') checkSettings(directory);
  const findings = await verifyDirectory(directory);
  if (!isBeyondVerify(damage, directory)) expect(findings, 'what cairn verify finds').not.toEqual([]);
  const { running, remedies } = await startWithRemedies(directory, said);
  const left = new Set((await readEvents(running.service.storage.log)).map(({ topic, id }) => `${topic} ${id}`));
  const lost = world.events.filter(({ topic, id }) => !left.has(`${topic} ${id}`));
  // Damage outside of the log costs no event; inside, only those of the topics that it hit.
  if (!file.startsWith('log/')) expect(lost, 'events that are lost').toEqual([]);
  const expected = expectedOf(world, lost, missing);
  await checkFound(running.client, expected);
  const more = {
    documents: await uploadDocuments(running.client, ['wordyafterwards']),
    sets: await insertSets(running.client, 300, 301),
  };
  await running.server.close();
  const again = await start(directory, said);
  await checkFound(again.client, {
    ...expected,
    documents: [...expected.documents, ...more.documents],
    sets: [...expected.sets, ...more.sets],
  });
  await again.server.close();
  if (findings.length === 0 && !hasNoMeaning(damage)) {
    expect([...remedies, ...said.filter((line) => /"level":[45]0/.test(line))], 'what the server says').not.toEqual([]);
  }
  return { said: said.join(''), remedies, lost };
}

/** A configuration that cannot be read is refused by name. */
function checkSettings(directory: string): void {
  try {
    readSettings({ data: directory }, {});
  } catch (error) {
    expect(error).toMatchObject({ code: 'ERR_CONFIGURATION', message: expect.stringContaining('cairn.yaml') });
  }
}

/** Returns the findings of `cairn verify`, a line each. */
export async function verifyDirectory(directory: string): Promise<readonly string[]> {
  const found: string[] = [];
  const console = { out: (line: string) => void found.push(line), err: () => undefined };
  const config = `${directory}.yaml`;
  writeFileSync(config, JSON.stringify(DAMAGE_CONFIGURATION));
  try {
    await verify({ data: directory, config, json: true }, { environment: {}, console });
  } catch (error) {
    if (!isCodedError(error) || error.code !== 'ERR_DAMAGED') throw error;
  } finally {
    rmSync(config);
  }
  return found;
}

/** Files that `cairn verify` does not read, or cannot miss, as others say the same. */
function isBeyondVerify(damage: Damage, directory: string): boolean {
  const { file, how } = damage;
  // The server checks its key when it starts.
  if (file.startsWith('keys/') || hasNoMeaning(damage)) return true;
  // After a kill a cache may have files that its manifest does not name: not yet, or not any more.
  if (how === 'remove' && file.startsWith('blobs/blobs/caches=')) return !isNamed(file, directory);
  // A whole one of another topic is told by the server, which reads the log instead.
  return NOTES.test(file) && how === 'swap';
}

function isNamed(file: string, directory: string): boolean {
  const manifests = path.join(directory, 'blobs', 'manifests', 'caches=');
  return filesUnder(manifests).some((one) => readFileSync(path.join(manifests, one)).includes(path.basename(file)));
}

/** Files that may change or go without any loss, so that nothing is said. */
function hasNoMeaning({ file, how }: Damage): boolean {
  // The configuration is the operator's own text. What is not there is read from the log, or is the first generation.
  const isNote = NOTES.test(file) || file === 'log/offsets' || file === 'log/segments';
  const isMadeAnew = how === 'remove' && (isNote || path.basename(file) === 'generation');
  // A lock, or a blob that a process was writing when it was killed.
  const isOfDeadProcess = /^(log\/lock|blobs\/drafts\/)/.test(file);
  return file === 'cairn.yaml' || isMadeAnew || isOfDeadProcess;
}

/** Notes on applied events and ended uploads; the log has both as well. */
const NOTES = /^blobs\/manifests\/(applied|uploads)=/;

async function startWithRemedies(
  directory: string,
  said: string[],
): Promise<{ readonly running: Running; readonly remedies: readonly string[] }> {
  const remedies: string[] = [];
  for (;;) {
    try {
      return { running: await start(directory, said), remedies };
    } catch (error) {
      const code = isCodedError(error) ? error.code : String(error);
      if (remedies.includes(code)) throw error;
      remedies.push(code);
      await remedy(code, directory, error);
    }
  }
}

/** The ways out that docs/operations.md tells of. */
async function remedy(code: string, directory: string, error: unknown): Promise<void> {
  if (code === 'ERR_LOG_CORRUPT' || code === 'ERR_LOG_VERSION') {
    await repairFileEventLog({ directory: path.join(directory, 'log') });
    return;
  }
  if (code === 'ERR_PROJECTOR_STALLED') return giveUpLostValues(directory);
  if (code !== 'ERR_SIGNING_KEY') throw error;
  const file = path.join(directory, 'keys', 'signing-key.json');
  expect(String(error)).toContain(file);
  rmSync(file);
}

/** As `cairn verify --give-up-values` does, which the operator of a directory without a backup is left with. */
async function giveUpLostValues(directory: string): Promise<void> {
  const verified = new VerifiedData();
  const findings: string[] = [];
  for await (const { what } of verifyStoredData({ directory }, verified)) findings.push(what);
  // Unless the value came again meanwhile, and was stored anew: then nothing is damaged any more, and the next start serves.
  if (findings.length === 0) return;
  expect(verified.lostValues.size, `values that are lost, of ${findings}`).toBeGreaterThan(0);
  const log = await openFileEventLog({ directory: path.join(directory, 'log') });
  try {
    const blobs = await openFileBlobStore({ directory: path.join(directory, 'blobs') });
    for await (const _ of giveUpValues({ log, blobs }, verified));
    await blobs.close();
  } finally {
    await log.close();
  }
}

async function start(directory: string, said: string[]): Promise<Running> {
  const logTo = { write: (line: string) => void said.push(line) };
  const server = createServer({ configuration: DAMAGE_CONFIGURATION, dataDirectory: directory, logTo });
  let service: Service | undefined;
  const url = await server.start(async (opened) => {
    service = opened;
  });
  const client = new Client(url, await server.issueToken('alice'));
  const readiness = await client.send('/readyz');
  said.push(await readiness.text());
  const running = { server, service: service as Service, client };
  try {
    await settle(running.service);
    return running;
  } catch (error) {
    await server.close();
    throw error;
  }
}

/** Waits until every cache holds what the log does. @throws `ERR_LOG_CORRUPT` when the log cannot be read on */
async function settle({ ingest, repaired, storage }: Service): Promise<void> {
  await repaired();
  await eventually(async () => {
    const { projectors } = await ingest.figures();
    const stalled = projectors.find(({ state }) => state === 'stalled');
    if (stalled !== undefined)
      throw new CodedError({ code: 'ERR_PROJECTOR_STALLED', kind: 'unavailable', message: stalled.group });
    if (projectors.some(({ state }) => state === 'failed'))
      for (const topic of await storage.log.topics()) for await (const _ of storage.log.read(topic));
    return projectors.every(({ lag }) => lag === 0) ? true : undefined;
  }, 400);
  await ingest.settle({ timeoutMs: 30_000 });
}

/** Blobs of values that are not as they were, or not there. */
function blobsMissing({ events }: World, directory: string, { file, other, how }: Damage): ReadonlySet<string> {
  const blobs = events.flatMap(({ blob }) => blob ?? []);
  if (how === 'exchange')
    return new Set(blobs.filter((blob) => !existsSync(path.join(directory, 'blobs', blobFile(blob)))));
  const hit = new Set([file, other ?? file].map((one) => one.replace('blobs/blobs/', '').replaceAll('=/', '/')));
  return new Set(blobs.filter((blob) => hit.has(blob)));
}

/** Returns what was acknowledged and whose event and value are whole. */
function expectedOf(world: World, lost: readonly LoggedEvent[], missing: ReadonlySet<string>): Expected {
  const gone = new Set(lost);
  const isWhole = (event: LoggedEvent): boolean =>
    !gone.has(event) && (event.blob === undefined || !missing.has(event.blob));
  const whole = (topic: string, word: string): boolean => {
    const about = world.events.filter((event) => event.topic === topic && event.words.includes(word));
    return about.length > 0 && about.every(isWhole);
  };
  const documents = world.documents.filter((word) => whole('document.extractrequest', word));
  return {
    documents,
    sets: world.sets.filter((name) => whole(name === 'set200' ? 'document.extractrequest' : 'knowledge', name)),
    corrected: world.corrected.filter((word) => documents.includes(word) && whole('document.corrections', word)),
  };
}

async function checkFound(client: Client, expected: Expected): Promise<void> {
  const documents = await eventually(async () => {
    const now = await allDocuments(client);
    return expected.documents.every((word) => now.has(word)) ? now : undefined;
  }).catch(async () => {
    const now = await allDocuments(client);
    throw new Error(`documents are lost: ${expected.documents.filter((word) => !now.has(word))}`);
  });
  checkDocumentsOf(documents, expected.corrected);
  const { stored, found } = await readSets(client);
  const missingIn = (names: readonly string[]): string[] => expected.sets.filter((name) => !names.includes(name));
  expect(missingIn(stored), 'sets that are lost from the graph').toEqual([]);
  expect(missingIn(found), 'entities that are not found').toEqual([]);
}

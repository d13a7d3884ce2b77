import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type BlobStore, createEvent, type Event, HEADER, offloadValue } from '@cairn/events';
import { endErasure, eraseDocuments } from '@cairn/ingest/experimental';
import { openFileBlobStore, openFileEventLog } from '@cairn/storage-fs';
import { afterEach, describe, expect, it } from 'vitest';
import type { Service } from '../composition/service.ts';
import { callServer } from '../control/client.ts';
import { controlSocketPath } from '../control/socket-path.ts';
import { temporaryDirectory } from '../proofs/testing/temporary-directory.ts';
import { eventually, type Loose, startTestServer, TEST_CONFIGURATION, type TestServer } from '../testing/server.ts';

const servers: TestServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map(({ server }) => server.close()));
});

async function start(directory: string): Promise<TestServer> {
  const started = await startTestServer({ ...TEST_CONFIGURATION, snapshots: { intervalSeconds: 0.1 } }, directory);
  servers.push(started);
  return started;
}

/** Files of a directory that hold a text as it is. A server that runs removes files meanwhile: then all are listed anew. */
function filesHolding(directory: string, text: string): string[] {
  for (let tries = 1; ; tries++) {
    try {
      return listFilesHolding(directory, text);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || tries === 1000) throw error;
    }
  }
}

function listFilesHolding(directory: string, text: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(text))
    .map((file) => path.relative(directory, file));
}

async function forget(directory: string, id: string | readonly string[], dryRun?: string): Promise<string[]> {
  const lines: string[] = [];
  const args = { id, ...(dryRun === undefined ? {} : { dryRun }) };
  const answer = await callServer(controlSocketPath(directory), 'forget', args);
  for await (const { type, text } of answer ?? []) if (type === 'result') lines.push(text);
  return lines;
}

describe('cairn forget', () => {
  it.each([
    ['a text that the log holds', 'my-xylophone.txt', 'Xylophone quartet.'],
    ['a large file that is a blob', 'my-xylophone.txt', `Xylophone quartet. ${'word '.repeat(250_000)}`],
    ['an RDF file', 'my-xylophone.ttl', '<urn:x> <http://www.w3.org/2000/01/rdf-schema#label> "Xylophone" .'],
  ])(
    'leaves no byte of %s in the data directory',
    async (_what, file, content) => {
      const directory = path.join(temporaryDirectory(), 'data');
      const server = await start(directory);
      await server.update(
        'alice',
        '*',
        'INSERT DATA { <urn:q> <http://www.w3.org/2000/01/rdf-schema#label> "quartet" }',
      );
      await server.upload('alice', '*', { 'b.txt': 'Another quartet.' });
      const { documents } = (await (await server.upload('alice', '*', { [file]: content })).json()) as Loose;
      const found = '/api/search/documents?query=xylophone';
      await eventually(async () => ((await server.get('alice', found)).results.length > 0 ? true : undefined));
      await eventually(async () => (filesHolding(directory, 'ylophone').length > 1 ? true : undefined));
      expect(await forget(directory, documents[0].id)).toEqual([expect.stringMatching(/^forgot .*: [1-9]\d* events/)]);
      expect((await server.get('alice', found)).results).toEqual([]);
      expect(filesHolding(directory, 'ylophone')).toEqual([]);
      expect((await server.get('alice', '/api/search/documents?query=another')).results).toHaveLength(1);
    },
    60_000,
  );

  it('takes many documents at once and leaves no byte of any, and everything of the others, also after a restart', async () => {
    const directory = path.join(temporaryDirectory(), 'data');
    const server = await start(directory);
    const files = {
      'my-xylophone.txt': 'Xylophone quartet.',
      'large-xylophone.txt': `Xylophone solo. ${'word '.repeat(250_000)}`,
      'my-xylophone.ttl': '<urn:x> <http://www.w3.org/2000/01/rdf-schema#label> "Xylophone" .',
      'other.txt': 'Another quartet.',
    };
    await server.update('alice', '*', 'INSERT DATA { <urn:q> <http://www.w3.org/2000/01/rdf-schema#label> "quartet" }');
    const { documents } = (await (await server.upload('alice', '*', files)).json()) as Loose;
    const found = '/api/search/documents?query=xylophone';
    await eventually(async () => ((await server.get('alice', found)).results.length >= 2 ? true : undefined));
    await eventually(async () => (filesHolding(directory, 'ylophone').length > 3 ? true : undefined));
    const ids = documents.slice(0, 3).map(({ id }: Loose) => id);
    expect(await forget(directory, ids)).toEqual([expect.stringMatching(/^forgot .*: [1-9]\d* events/)]);
    const check = async (running: TestServer): Promise<void> => {
      expect((await running.get('alice', found)).results).toEqual([]);
      expect((await running.get('alice', '/api/search/documents?query=another')).results).toHaveLength(1);
      expect((await running.get('alice', '/api/search/typeahead?query=quartet')).results).toHaveLength(1);
    };
    expect(filesHolding(directory, 'ylophone')).toEqual([]);
    await check(server);
    await server.update(
      'alice',
      '*',
      'INSERT DATA { <urn:n> <http://www.w3.org/2000/01/rdf-schema#label> "newcomer" }',
    );
    await server.server.close();
    servers.length = 0;
    const again = await start(directory);
    await check(again);
    expect((await again.get('alice', '/api/search/typeahead?query=newcomer')).results).toHaveLength(1);
    expect(filesHolding(directory, 'ylophone')).toEqual([]);
  }, 120_000);

  it('names what it would erase, refuses what is no document, and erases nothing then', async () => {
    const directory = path.join(temporaryDirectory(), 'data');
    const server = await start(directory);
    await server.update('alice', '*', 'INSERT DATA { <urn:q> <http://www.w3.org/2000/01/rdf-schema#label> "quartet" }');
    const { documents } = (await (
      await server.upload('alice', '*', { 'my-xylophone.txt': 'Xylophone.' })
    ).json()) as Loose;
    const found = '/api/search/documents?query=xylophone';
    await eventually(async () => ((await server.get('alice', found)).results.length > 0 ? true : undefined));
    const { id } = documents[0];
    expect(await forget(directory, [id], 'true')).toEqual([
      expect.stringMatching(new RegExp(`^would forget .*${id} \\(my-xylophone.txt\\): [1-9]\\d* events$`)),
    ]);
    const refused = { code: 'ERR_NO_DOCUMENT', message: expect.stringContaining('"urn:q"') };
    await expect(forget(directory, [id, 'urn:q'])).rejects.toMatchObject(refused);
    await expect(forget(directory, ['urn:q', 'urn:nothing'])).rejects.toMatchObject(refused);
    expect((await server.get('alice', found)).results).toHaveLength(1);
    expect((await server.get('alice', '/api/search/typeahead?query=quartet')).results).toHaveLength(1);
    await forget(directory, [id]);
    await expect(forget(directory, [id])).rejects.toMatchObject({ code: 'ERR_NO_DOCUMENT' });
  }, 60_000);

  it('goes on where one was cut short before the caches were written anew, and says so until then', async () => {
    const directory = path.join(temporaryDirectory(), 'data');
    let service: Service | undefined;
    const before = await startTestServer(TEST_CONFIGURATION, directory, undefined, async (opened) => {
      service = opened;
    });
    const upload = await before.upload('alice', '*', { 'my-xylophone.txt': 'Xylophone quartet.' });
    const { documents } = (await upload.json()) as Loose;
    const found = '/api/search/documents?query=xylophone';
    await eventually(async () => ((await before.get('alice', found)).results.length > 0 ? true : undefined));
    const { ingest, storage } = service as Service;
    await ingest.forget(documents[0].id, { eraseValues: storage.eraseValues });
    await before.server.close();
    expect(filesHolding(directory, 'ylophone'), 'what the caches hold').not.toEqual([]);
    const server = await start(directory);
    const { status, reasons } = await server.get(undefined, '/readyz');
    expect([status, reasons.join()]).toEqual(['ready', expect.stringContaining('bytes of 1 documents may be left')]);
    await forget(directory, documents[0].id);
    expect(filesHolding(directory, 'ylophone')).toEqual([]);
    expect(await server.get(undefined, '/readyz')).toEqual({ status: 'ready' });
    await expect(forget(directory, documents[0].id)).rejects.toMatchObject({ code: 'ERR_NO_DOCUMENT' });
  }, 60_000);

  it('leaves no byte in what was set aside as damaged, of the log and of the caches', async () => {
    const directory = path.join(temporaryDirectory(), 'data');
    const before = await start(directory);
    const upload = await before.upload('alice', '*', { 'my-xylophone.txt': 'Xylophone quartet.' });
    const { documents } = (await upload.json()) as Loose;
    const caches = 'blobs/blobs/caches=/search-index=';
    await eventually(async () => filesHolding(directory, 'ylophone').find((file) => file.startsWith(caches)) && true);
    await before.server.close();
    servers.length = 0;
    const topic = path.join(directory, 'log/topics/document.textandmetadata');
    for (const file of readdirSync(topic).map((name) => path.join(topic, name))) {
      truncateSync(file, statSync(file).size - 5);
    }
    writeFileSync(path.join(directory, 'blobs/manifests/caches=/search-index=/generation'), 'damaged');
    const server = await start(directory);
    const found = '/api/search/documents?query=xylophone';
    await eventually(async () => ((await server.get('alice', found)).results.length > 0 ? true : undefined));
    const aside = filesHolding(directory, 'ylophone').filter((file) => /^(log.set-aside|blobs.damaged)/.test(file));
    expect(new Set(aside.map((file) => file.split(path.sep)[0]))).toEqual(new Set(['log', 'blobs']));
    await forget(directory, documents[0].id);
    expect(filesHolding(directory, 'ylophone')).toEqual([]);
  }, 60_000);
});

describe('an erasure that was cut short', () => {
  it('is ended by the next one, whichever of its steps it did not live to take', async () => {
    const large = 'Xylophone quartet. '.repeat(100_000);
    let isWhole = false;
    // The first step is the note; before it nothing was erased.
    for (let steps = 1; !isWhole; steps++) {
      const directory = temporaryDirectory();
      const log = await openFileEventLog({ directory: path.join(directory, 'log') });
      const blobs = await openFileBlobStore({ directory: path.join(directory, 'blobs') });
      for (const topic of ['a', 'b'])
        for (const value of ['Xylophone', large, `${topic} ${large}`])
          await log.append(topic, [await offloadValue(eventAbout('urn:x', value), blobs)]);
      await log.append('b', [await offloadValue(eventAbout('urn:y', 'Another quartet'), blobs)]);
      let left = steps;
      const step = async (): Promise<void> => {
        if (left-- <= 0) throw new Error('the process died');
      };
      const ports = {
        log,
        blobs: Object.assign(Object.create(blobs) as BlobStore, {
          readManifest: (name: string) => blobs.readManifest(name),
          replaceManifest: (name: string, bytes: Uint8Array) => step().then(() => blobs.replaceManifest(name, bytes)),
          delete: (name: string) => step().then(() => blobs.delete(name)),
        }),
        eraseValues: (...args: Parameters<typeof log.eraseValues>) => step().then(() => log.eraseValues(...args)),
      };
      isWhole = await eraseDocuments(new Set(['urn:x']), ports).then(
        () => true,
        () => false,
      );
      if (!isWhole) await eraseDocuments(new Set(), { log, blobs, eraseValues: log.eraseValues.bind(log) });
      expect(filesHolding(directory, 'ylophone'), `after ${steps} steps`).toEqual([]);
      expect(filesHolding(directory, 'Another quartet')).toHaveLength(1);
      await endErasure(['urn:x'], blobs);
      expect(await blobs.readManifest('erasure').then((bytes) => JSON.parse(new TextDecoder().decode(bytes)))).toEqual({
        uris: [],
        blobs: [],
      });
      await log.close();
      await blobs.close();
      if (isWhole) expect(steps, 'a note, two topics, three blobs').toBe(6);
    }
  });
});

function eventAbout(uri: string, value: string): Event {
  return createEvent({ id: randomUUID(), type: 't', headers: { [HEADER.documentId]: uri }, value });
}

import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createEvent, loadValue, offloadValue } from '@cairn/events';
import { noiseBytes } from '@cairn/events/conformance';
import { describe, expect, it } from 'vitest';
import { openFileBlobStore } from '../index.ts';
import { FaultyFileSystem } from '../testing/faulty-file-system.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';

async function listAll(blobs: Awaited<ReturnType<typeof openFileBlobStore>>): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of blobs.list()) names.push(name);
  return names;
}

describe('a medium that fails', () => {
  for (const step of ['open', 'write', 'sync', 'syncDirectory'] as const) {
    it(`refuses a put when ${step} fails, leaves no draft, and takes it afterwards`, async () => {
      const directory = await temporaryDirectory();
      const fileSystem = new FaultyFileSystem();
      const blobs = await openFileBlobStore({ directory, fileSystem });
      await blobs.put('before', Buffer.from('1'));
      const end = fileSystem.inject({ step, code: 'ENOSPC', writesBytes: 10 });
      const refused = { code: 'ERR_BLOB_WRITE', kind: 'unavailable', message: expect.stringContaining('ENOSPC') };
      await expect(blobs.put('a', Buffer.alloc(100))).rejects.toMatchObject(refused);
      await expect(blobs.replaceManifest('m', Buffer.alloc(9))).rejects.toMatchObject(refused);
      end();
      expect(await readdir(path.join(directory, 'drafts'))).toEqual([]);
      expect(Buffer.from((await blobs.get('before')) ?? '').toString()).toBe('1');
      await blobs.put('a', Buffer.alloc(100));
      await blobs.replaceManifest('m', Buffer.alloc(9));
      expect((await blobs.get('a'))?.length).toBe(100);
      expect((await blobs.readManifest('m'))?.length).toBe(9);
      expect(fileSystem.openFiles).toBe(0);
    });
  }

  it('keeps the old manifest when the new one cannot take its name', async () => {
    const fileSystem = new FaultyFileSystem();
    const blobs = await openFileBlobStore({ directory: await temporaryDirectory(), fileSystem });
    await blobs.replaceManifest('m', Buffer.from('old'));
    const end = fileSystem.inject({ step: 'rename', code: 'EIO' });
    await expect(blobs.replaceManifest('m', Buffer.from('new'))).rejects.toMatchObject({ code: 'ERR_BLOB_WRITE' });
    end();
    expect(Buffer.from((await blobs.readManifest('m')) ?? '').toString()).toBe('old');
  });

  it('makes content and name durable before put resolves', async () => {
    const fileSystem = new FaultyFileSystem();
    const blobs = await openFileBlobStore({ directory: await temporaryDirectory(), fileSystem });
    fileSystem.journal.length = 0;
    await blobs.put('a/b', Buffer.from('x'));
    const steps = fileSystem.journal.map((line) => line.split(' ')[0]);
    expect(steps.indexOf('sync')).toBeGreaterThan(-1);
    expect(steps.lastIndexOf('syncDirectory')).toBeGreaterThan(steps.indexOf('sync'));
  });
});

describe('a damaged file', () => {
  it('is refused by name whichever byte is wrong, and wherever it is cut', async () => {
    const directory = await temporaryDirectory();
    const blobs = await openFileBlobStore({ directory });
    await blobs.put('a', Buffer.from('the content of a blob'));
    await blobs.replaceManifest('m', Buffer.from('the content of a manifest'));
    const reads = [
      ['blobs/a', () => blobs.get('a')],
      ['blobs/a', async () => drain((await blobs.stream('a'))!)],
      ['manifests/m', () => blobs.readManifest('m')],
    ] as const;
    for (const [name, read] of reads) {
      const file = path.join(directory, name);
      const whole = await readFile(file);
      for (let offset = 0; offset < whole.length; offset++) {
        const damaged = Buffer.from(whole);
        damaged[offset] ^= 64;
        await writeFile(file, damaged);
        const error = await read().then(
          () => undefined,
          (reason: { code: string; message: string }) => reason,
        );
        expect(error?.code, `${name}, byte ${offset}`).toMatch(/^ERR_BLOB_(CORRUPT|VERSION)$/);
        expect(error?.message).toContain(file);
        await writeFile(file, whole);
        await truncate(file, offset);
        await expect(read(), `${name}, cut at ${offset}`).rejects.toMatchObject({ code: 'ERR_BLOB_CORRUPT' });
        await writeFile(file, whole);
      }
      await read();
    }
  });
});

async function drain(chunks: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  for await (const chunk of chunks) bytes += chunk.length;
  return bytes;
}

it('removes the drafts of dead processes at opening, and no others', async () => {
  const directory = await temporaryDirectory();
  const blobs = await openFileBlobStore({ directory });
  async function* source(): AsyncGenerator<Uint8Array> {
    yield Buffer.alloc(10);
    const [own] = await readdir(path.join(directory, 'drafts'));
    await writeFile(path.join(directory, 'drafts', own.replace(/^\d+\.\d*/, '999999999.1')), 'half');
    await writeFile(path.join(directory, 'drafts', 'nonsense'), 'half');
    const second = await openFileBlobStore({ directory });
    expect(await readdir(path.join(directory, 'drafts'))).toEqual([own]);
    expect(await listAll(second)).toEqual([]);
    yield Buffer.alloc(10);
  }
  await blobs.put('a', source());
  expect(await readdir(path.join(directory, 'drafts'))).toEqual([]);
  expect(await listAll(blobs)).toEqual(['a']);
});

it('leaves no file open when a stream is left early or never read', async () => {
  const fileSystem = new FaultyFileSystem();
  const blobs = await openFileBlobStore({ directory: await temporaryDirectory(), fileSystem });
  await blobs.put('a', Buffer.alloc(2_000_000));
  for await (const _ of (await blobs.stream('a')) ?? []) break;
  await blobs.stream('a');
  expect(fileSystem.openFiles).toBe(0);
});

describe('a value that is offloaded', () => {
  it('is stored as it was at the call, though its array is filled anew at once', async () => {
    const blobs = await openFileBlobStore({ directory: await temporaryDirectory() });
    const value = noiseBytes(2_000_000, 1);
    const event = createEvent({ id: 'e', type: 't', value: new Uint8Array(value) });
    const offloaded = offloadValue(event, blobs);
    event.value.fill(0);
    expect(Buffer.from(await loadValue(await offloaded, blobs)).equals(value)).toBe(true);
  });
});

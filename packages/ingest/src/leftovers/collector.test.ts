import { setImmediate as nextTurn } from 'node:timers/promises';
import { type BlobStore, createHeaders } from '@cairn/events';
import { afterEach, describe, expect, it } from 'vitest';
import type { UploadPart } from '../port/upload-part.ts';
import { createFastClock } from '../testing/clock.ts';
import { createPorts, type House, openHouse, SECRET } from '../testing/house.ts';

const houses: House[] = [];

async function house(...options: Parameters<typeof openHouse>): Promise<House> {
  const opened = await openHouse(...options);
  houses.push(opened);
  return opened;
}

afterEach(async () => {
  await Promise.all(houses.splice(0).map(({ ingest }) => ingest.stop()));
});

const LARGE = 'x'.repeat(1_100_000);

async function uploadsIn(blobs: BlobStore): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of blobs.list('uploads/')) names.push(name);
  return names;
}

async function eventually(check: () => Promise<boolean>): Promise<void> {
  for (let turns = 0; !(await check()); turns++) {
    if (turns > 100_000) throw new Error('it did not happen');
    await nextTurn();
  }
}

/** Ports as a process left them that was killed between storing a file and saying so. */
async function afterCrash(): Promise<Awaited<ReturnType<typeof createPorts>> & { readonly kept: string[] }> {
  const ports = await createPorts();
  const opened = await openHouse(ports);
  await opened.upload({ 'a.txt': LARGE });
  const kept = await uploadsIn(ports.blobs);
  await opened.ingest.stop();
  await ports.blobs.replaceManifest('uploads/state', new TextEncoder().encode('open'));
  await ports.blobs.putContent('uploads/cut-short/', new TextEncoder().encode(LARGE));
  return { ...ports, kept };
}

describe('what a crash left of an upload', () => {
  it('is removed after the next start, and what an event refers to stays', async () => {
    const { kept, ...ports } = await afterCrash();
    expect((await uploadsIn(ports.blobs)).length).toBe(2);
    await house(ports);
    await eventually(async () => (await uploadsIn(ports.blobs)).length === 1);
    expect(await uploadsIn(ports.blobs)).toEqual(kept);
  });

  it('is not looked for after an orderly stop, which leaves nothing', async () => {
    const ports = await createPorts();
    await (await openHouse(ports)).ingest.stop();
    let lists = 0;
    const list: BlobStore['list'] = (prefix) => {
      lists++;
      return ports.blobs.list(prefix);
    };
    const blobs: BlobStore = { ...bound(ports.blobs), list };
    const opened = await openHouse({ ...ports, blobs });
    await opened.ingest.settle();
    await opened.ingest.stop();
    expect(lists).toBe(0);
  });
});

describe('collecting while an upload is under way', () => {
  it('leaves what it has stored so far', async () => {
    const { ingest, blobs } = await house();
    let goOn = (): void => {};
    const gate = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const content = async function* (text: string): AsyncGenerator<Uint8Array> {
      yield new TextEncoder().encode(text);
    };
    const parts = async function* (): AsyncGenerator<UploadPart> {
      yield { filename: 'a.txt', declaredType: undefined, content: content(LARGE) };
      await gate;
      yield { filename: 'b.txt', declaredType: undefined, content: content('small') };
    };
    const headers = createHeaders({ 'Security-Label': '*' });
    const upload = ingest.upload({ route: 'local', headers, viewer: SECRET, parts: parts() });
    await eventually(async () => (await uploadsIn(blobs)).length === 1);
    expect(await ingest.collectUploads()).toBe(0);
    goOn();
    expect((await upload).successful).toBe(true);
    expect(await ingest.collectUploads()).toBe(0);
    expect((await uploadsIn(blobs)).length).toBe(1);
  });

  it('removes later what a failed upload could not take back', async () => {
    const ports = await createPorts();
    let refusals = 1;
    const blobs: BlobStore = {
      ...bound(ports.blobs),
      delete: (name) => (refusals-- > 0 ? Promise.reject(new Error('busy')) : ports.blobs.delete(name)),
    };
    const clock = { ...createFastClock(), sleep: () => nextTurn() };
    const { ingest } = await house({ ...ports, blobs }, { clock });
    const parts = async function* (): AsyncGenerator<UploadPart> {
      const content = (async function* () {
        yield new TextEncoder().encode(LARGE);
      })();
      yield { filename: 'a.txt', declaredType: undefined, content };
      throw new Error('the client went away');
    };
    const headers = createHeaders({ 'Security-Label': '*' });
    await expect(ingest.upload({ route: 'local', headers, viewer: SECRET, parts: parts() })).rejects.toThrow('went');
    await eventually(async () => (await uploadsIn(ports.blobs)).length === 0);
  });
});

function bound(blobs: BlobStore): BlobStore {
  const names = ['put', 'putContent', 'get', 'stream', 'list', 'delete', 'readManifest', 'replaceManifest', 'close'];
  return Object.fromEntries(
    names.map((name) => [name, (blobs[name as keyof BlobStore] as () => void).bind(blobs)]),
  ) as unknown as BlobStore;
}

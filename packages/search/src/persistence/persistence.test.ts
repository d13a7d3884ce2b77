import { type BlobStore, createMemoryBlobStore, runAtOnce } from '@cairn/events';
import { asViewingBytes } from '@cairn/events/conformance';
import { createViewer } from '@cairn/security';
import { describe, expect, it } from 'vitest';
import type { SearchEngine } from '../engine/engine.ts';
import { openSearchIndex } from '../engine/open-search-index.ts';
import type { RebuildProgress } from '../engine/rebuild.ts';
import type { DocumentChange } from '../port/search-index.ts';
import { Random } from '../testing/random.ts';
import { randomDocument, VOCABULARY } from '../testing/random-corpus.ts';
import { decodeManifest, encodeManifest } from './manifest.ts';
import { decodeSectionFile, encodeSectionFile } from './section-file.ts';

const LONG = process.env['CAIRN_LONG'] === '1';
const viewer = createViewer({ attributes: { c: ['O', 'S'], o: ['A', 'B'] } });

function put(uri: string, text: string): DocumentChange {
  return { type: 'put', index: 'search', document: { uri, text, securityLabels: { defaults: '*' } } };
}

async function saved(): Promise<BlobStore> {
  const blobs = createMemoryBlobStore();
  const index = await openSearchIndex({ indices: ['search'], blobs });
  await index.apply([put('a', 'one two'), put('b', 'two three'), put('c', 'four'), put('d', 'five')], { topic: '5' });
  await index.flush();
  await index.apply([{ type: 'delete', index: 'search', id: 'a' }], { topic: '6' });
  await index.flush();
  await index.close();
  return blobs;
}

async function namesOf(blobs: BlobStore): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of blobs.list()) names.push(name);
  return names;
}

/** A store in which some bytes of one blob are changed. */
function damaged(blobs: BlobStore, name: string, at: number): BlobStore {
  return Object.assign(Object.create(blobs) as BlobStore, {
    readManifest: (manifest: string) => blobs.readManifest(manifest),
    async get(asked: string) {
      const bytes = (await blobs.get(asked))!.slice();
      if (asked === name) bytes[at % bytes.length] ^= 0x10;
      return bytes;
    },
  });
}

describe('what an index tells of itself', () => {
  it('is a copy: what a caller writes into it is not flushed', async () => {
    const blobs = createMemoryBlobStore();
    const index = await openSearchIndex({ indices: ['search'], blobs });
    await index.apply([], { topic: '5' });
    for (const told of [index.positions(), index.incomplete, index.indices]) Reflect.set(told, 'topic', '999');
    Reflect.set(index.incomplete, '0', 'search');
    await index.flush();
    const reopened = await openSearchIndex({ indices: ['search'], blobs });
    expect([reopened.positions(), reopened.incomplete]).toEqual([{ topic: '5' }, []]);
  });
});

describe('an index that joins others', () => {
  const both = { indices: ['search', 'more'] };

  it('is told to lack what they have consumed, over any number of flushes', async () => {
    const blobs = await saved();
    for (let opened = 0; opened < 3; opened++) {
      const index = await openSearchIndex({ ...both, blobs });
      expect(index.incomplete).toEqual(['more']);
      await index.apply([], { topic: `${7 + opened}` });
      await index.flush();
    }
    expect((await openSearchIndex({ indices: ['search'], blobs })).incomplete).toEqual([]);
  });

  it('lacks nothing where nothing was consumed', async () => {
    const blobs = createMemoryBlobStore();
    await (await openSearchIndex({ indices: ['search'], blobs })).flush();
    expect((await openSearchIndex({ ...both, blobs })).incomplete).toEqual([]);
  });

  it('lacks something again when it was removed and comes back', async () => {
    const blobs = createMemoryBlobStore();
    const before = await openSearchIndex({ ...both, blobs });
    await before.apply([put('a', 'one')], { topic: '1' });
    await before.flush();
    await (await openSearchIndex({ indices: ['search'], blobs })).flush();
    expect((await openSearchIndex({ ...both, blobs })).incomplete).toEqual(['more']);
  });
});

describe('a stored index', () => {
  it('is refused when it is missing though it must be there', async () => {
    const missing = openSearchIndex({ indices: ['search'], blobs: createMemoryBlobStore(), mustExist: true });
    await expect(missing).rejects.toMatchObject({ code: 'ERR_SEGMENT_CORRUPT', kind: 'corrupt' });
  });

  it('is refused when the deletions of one segment stand in the place of those of another', async () => {
    const blobs = createMemoryBlobStore();
    const index = await openSearchIndex({ indices: ['search', 'more'], blobs });
    const documents = Array.from('abcdefghijklmnopqrst', (uri) => put(uri, uri));
    await index.apply([...documents, ...documents.map((change) => ({ ...change, index: 'more' }))]);
    await index.apply([
      { type: 'delete', index: 'search', id: 'a' },
      { type: 'delete', index: 'more', id: 'b' },
    ]);
    await index.flush();
    const [first, second] = (await namesOf(blobs)).filter((name) => name.includes('/deletions-'));
    expect(second).toBeDefined();
    const swapped = Object.assign(Object.create(blobs) as BlobStore, {
      readManifest: (manifest: string) => blobs.readManifest(manifest),
      get: (asked: string) => blobs.get(asked === first ? second : asked === second ? first : asked),
    });
    await expect(openSearchIndex({ indices: ['search', 'more'], blobs: swapped })).rejects.toMatchObject({
      code: 'ERR_SEGMENT_CORRUPT',
    });
  });

  it('opens with what was flushed: documents, deletions and positions', async () => {
    const index = await openSearchIndex({ indices: ['search'], blobs: await saved() });
    expect(index.positions()).toEqual({ topic: '6' });
    expect((await index.search(viewer, { query: 'two' })).results.map(({ id }) => id)).toEqual(['b']);
    expect(index.statistics()[0]).toMatchObject({ documents: 3, segments: 1 });
  });

  it('opens from a store whose bytes are views of larger buffers, at any offset in them', async () => {
    const blobs = await saved();
    for (let offset = 1; offset < 9; offset++) {
      const shifted = (bytes: Uint8Array | undefined): Uint8Array | undefined =>
        bytes && asViewingBytes(Buffer.concat([Buffer.alloc(offset), bytes]).subarray(offset));
      const store = Object.assign(Object.create(blobs) as BlobStore, {
        readManifest: async (name: string) => shifted(await blobs.readManifest(name)),
        get: async (name: string) => shifted(await blobs.get(name)),
      });
      const index = await openSearchIndex({ indices: ['search'], blobs: store });
      expect((await index.search(viewer, { query: 'two' })).results.map(({ id }) => id)).toEqual(['b']);
    }
  });

  it('keeps only blobs that the manifest names', async () => {
    const blobs = await saved();
    expect((await namesOf(blobs)).map((name) => name.replace(/-.*/, ''))).toEqual([
      'search/deletions',
      'search/documents',
      'search/segment',
    ]);
  });

  it('refuses a damaged blob by name, wherever the damage is', async () => {
    const blobs = await saved();
    for (const name of await namesOf(blobs)) {
      const { length } = (await blobs.get(name))!;
      for (let at = 0; at < length; at += Math.max(1, Math.floor(length / (LONG ? 5000 : 60)))) {
        const opening = openSearchIndex({ indices: ['search'], blobs: damaged(blobs, name, at) });
        await expect(opening).rejects.toMatchObject({ message: expect.stringContaining(name) });
      }
    }
  });

  it('refuses a missing blob and a damaged manifest by name', async () => {
    const blobs = await saved();
    const [name] = await namesOf(blobs);
    await blobs.delete(name);
    const missing = { code: 'ERR_SEGMENT_CORRUPT', message: expect.stringContaining(name) };
    await expect(openSearchIndex({ indices: ['search'], blobs })).rejects.toMatchObject(missing);
    await blobs.replaceManifest('search', new TextEncoder().encode('cairn-search 0\n{}'));
    const corrupt = { code: 'ERR_SEGMENT_CORRUPT', message: expect.stringContaining('manifest search') };
    await expect(openSearchIndex({ indices: ['search'], blobs })).rejects.toMatchObject(corrupt);
  });

  it('refuses a newer format by name', () => {
    const bytes = runAtOnce(encodeSectionFile({ header: {}, sections: {} }));
    bytes[7] = 99;
    const decode = (): unknown => runAtOnce(decodeSectionFile({ blob: 'search/segment-x', bytes }));
    expect(decode).toThrow(/search\/segment-x has format version 99/);
  });
});

describe('a stored index of another mapping', () => {
  const asKeyword = { name: 'search', fields: { text: { type: 'keyword' } } } as const;
  const found = async (index: SearchEngine, query: string): Promise<string[]> => {
    return (await index.search(viewer, { query })).results.map(({ id }) => id);
  };

  /** Opens it so that background work waits until it is released. */
  async function openHeld(blobs: BlobStore): Promise<{ index: SearchEngine; release: () => Promise<void> }> {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const index = await openSearchIndex({ indices: [asKeyword], blobs, nextTurn: () => held });
    return {
      index,
      release: () => {
        release();
        return index.settle();
      },
    };
  }

  it('is built anew in the background, and answers as it was until all is built', async () => {
    const { index, release } = await openHeld(await saved());
    expect(await found(index, 'two')).toEqual(['b']);
    await release();
    expect(await found(index, 'two')).toEqual([]);
    expect(await found(index, 'text:"two three"')).toEqual(['b']);
  });

  it('takes in what changes meanwhile', async () => {
    const { index, release } = await openHeld(await saved());
    await index.apply([put('c', 'changed'), put('e', 'new'), { type: 'delete', index: 'search', id: 'd' }]);
    await release();
    expect(await found(index, '*')).toEqual(['b', 'c', 'e']);
    expect(await found(index, 'text:four OR text:five')).toEqual([]);
    expect(index.statistics()[0]).toMatchObject({ documents: 3 });
  });

  it('is outdated still when it was saved before all was built', async () => {
    const blobs = await saved();
    const { index } = await openHeld(blobs);
    await index.apply([put('e', 'two three')]);
    await index.flush();
    const { index: again, release } = await openHeld(blobs);
    expect(await found(again, 'two')).toEqual(['b']);
    await release();
    expect(await found(again, 'two')).toEqual([]);
    expect(await found(again, 'text:"two three"')).toEqual(['b', 'e']);
  });

  it('is built anew before it opens when the layout of its segments is another', async () => {
    const blobs = await saved();
    const manifest = decodeManifest((await blobs.readManifest('search'))!, 'search');
    for (const fingerprint of ['0a1b2c3d', '1-0a1b2c3d-0a1b2c3d']) {
      const { segments } = manifest.indices['search'];
      const older = encodeManifest({ ...manifest, indices: { search: { fingerprint, segments } } });
      await blobs.replaceManifest('search', older);
      const progress: RebuildProgress[] = [];
      const onRebuild = (step: RebuildProgress): void => void progress.push(step);
      const index = await openSearchIndex({ indices: ['search'], blobs, onRebuild });
      expect(progress).toEqual([{ index: 'search', done: 3, total: 3 }]);
      expect(await found(index, 'two')).toEqual(['b']);
    }
  });

  it('answers meanwhile when its layout differs for overlong texts alone, unless it holds one', async () => {
    for (const words of [1000, 2 ** 20 + 1000]) {
      const blobs = createMemoryBlobStore();
      const index = await openSearchIndex({ indices: ['search'], blobs });
      await index.apply([put('a', 'one two'), put('b', 'rock '.repeat(words))]);
      await index.flush();
      await index.close();
      const manifest = decodeManifest((await blobs.readManifest('search'))!, 'search');
      const { fingerprint, segments } = manifest.indices['search'];
      const older = { fingerprint: fingerprint.replace(/^\d+/, '2'), segments };
      await blobs.replaceManifest('search', encodeManifest({ ...manifest, indices: { search: older } }));
      const progress: RebuildProgress[] = [];
      let release = (): void => undefined;
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      const onRebuild = (step: RebuildProgress): void => void progress.push(step);
      const opening = openSearchIndex({ indices: ['search'], blobs, onRebuild, nextTurn: () => held });
      if (words < 2 ** 20) {
        expect(await found(await opening, 'one')).toEqual(['a']);
        expect(progress).toEqual([]);
      }
      release();
      const again = await opening;
      if (words > 2 ** 20) expect(progress).toEqual([{ index: 'search', done: 2, total: 2 }]);
      await again.settle();
      expect(progress).toEqual([{ index: 'search', done: 2, total: 2 }]);
      expect(await found(again, '"one two"')).toEqual(['a']);
    }
  }, 60_000);

  it('never answers from segments that were built for other labels: they are built anew before it opens', async () => {
    const blobs = createMemoryBlobStore();
    const index = await openSearchIndex({ indices: [{ name: 'search', defaultLabel: '*' }], blobs });
    await index.apply([{ type: 'put', index: 'search', document: { uri: 'open', text: 'two' } }, put('b', 'two')]);
    await index.flush();
    await index.close();
    const progress: RebuildProgress[] = [];
    const onRebuild = (step: RebuildProgress): void => void progress.push(step);
    const pause = (): Promise<void> => Promise.resolve();
    const again = await openSearchIndex({ indices: ['search'], blobs, onRebuild, nextTurn: pause });
    expect(await found(again, 'two')).toEqual(['b']);
    expect(progress).toEqual([{ index: 'search', done: 2, total: 2 }]);
  });
});

describe('background merges', () => {
  it('keep every document that was put, also while they are under way', async () => {
    const random = new Random(5);
    const index = await openSearchIndex({ indices: ['search'] });
    const expected = new Map<string, string>();
    for (let round = 0; round < (LONG ? 400 : 60); round++) {
      const changes = random.list(5, 60, (): DocumentChange => {
        const id = `${random.below(900)}`;
        return random.chance(0.2)
          ? { type: 'delete', index: 'search', id }
          : put(id, `word${round} ${random.pick(VOCABULARY.WORDS)}`);
      });
      for (const change of changes) {
        if (change.type === 'put') expected.set(change.document.uri, `word${round}`);
        else expected.delete(change.id);
      }
      await index.apply(changes);
      if (random.chance(0.2)) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await index.settle();
    const { documents, segments } = index.statistics()[0];
    expect(documents).toBe(expected.size);
    expect(segments).toBeLessThan(24);
    for (const [id, word] of [...expected].slice(0, 50)) {
      const { results } = await index.searchIds(viewer, { query: word, limit: 1000 });
      expect(results.map((result) => result.id)).toContain(id);
    }
  }, 600_000);

  it('let others run between slices', async () => {
    const random = new Random(6);
    let pauses = 0;
    const pause = () => {
      pauses++;
      return new Promise<void>((resolve) => setImmediate(resolve));
    };
    const index = await openSearchIndex({ indices: ['search'], nextTurn: pause });
    const batch = (): DocumentChange[] => {
      return random.list(350, 350, () => ({
        type: 'put',
        index: 'search',
        document: { ...randomDocument(random), uri: `${random.next()}` },
      }));
    };
    for (let i = 0; i < 8; i++) await index.apply(batch());
    await index.settle();
    expect(index.statistics()[0].segments).toBeLessThan(4);
    // 2,800 documents, merged several times over: every slice of the work ends in a pause, whatever the clock says.
    expect(pauses).toBeGreaterThan(20);
  }, 60_000);
});

describe('two search indexes under one name', () => {
  const of = (index: string, uri: string): DocumentChange[] => [
    { type: 'put', index, document: { uri, t: 'x', securityLabels: '*' } },
  ];
  const open = (index: string, blobs: BlobStore): Promise<SearchEngine> => openSearchIndex({ indices: [index], blobs });
  const FOREIGN = { code: 'ERR_MANIFEST_FOREIGN', kind: 'conflict', message: /search index/ };

  it('do not destroy each other: the second that flushes is refused, and nothing is removed', async () => {
    const blobs = createMemoryBlobStore();
    const [papers, people] = [await open('papers', blobs), await open('people', blobs)];
    await papers.apply(of('papers', 'p1'));
    await people.apply(of('people', 'q1'));
    const flushed = await Promise.allSettled([papers.flush(), people.flush()]);
    expect(flushed).toMatchObject([{ status: 'fulfilled' }, { status: 'rejected', reason: FOREIGN }]);
    await papers.apply(of('papers', 'p2'));
    await papers.flush();
    await expect(people.flush()).rejects.toMatchObject(FOREIGN);
    expect((await open('papers', blobs)).statistics()[0].documents).toBe(2);
    await expect(open('people', blobs)).rejects.toThrow(
      /search .*holds papers, and none of people; give .* another name/,
    );
  });

  it('are refused for the same indices, too: the one that was overtaken opens anew', async () => {
    const blobs = await saved();
    const [first, second] = [await open('search', blobs), await open('search', blobs)];
    await first.apply([put('e', 'six')]);
    await first.flush();
    await second.apply([put('f', 'seven')]);
    await expect(second.flush()).rejects.toMatchObject(FOREIGN);
    const again = await open('search', blobs);
    await again.apply([put('f', 'seven')]);
    await again.flush();
    expect((await open('search', blobs)).statistics()[0].documents).toBe(5);
  });

  it('are not taken for two where a flush has failed after it had replaced the manifest', async () => {
    const blobs = await saved();
    let failing = true;
    const shaky = Object.assign(Object.create(blobs) as BlobStore, {
      ...Object.fromEntries(
        (['readManifest', 'list', 'put', 'get', 'delete'] as const).map((name) => [name, blobs[name].bind(blobs)]),
      ),
      async replaceManifest(name: string, bytes: Uint8Array) {
        await blobs.replaceManifest(name, bytes);
        if (failing) throw new Error('the medium is away');
      },
    });
    const index = await open('search', shaky);
    for (const topic of ['7', '8']) {
      await index.apply([], { topic });
      await expect(index.flush()).rejects.toThrow('away');
    }
    failing = false;
    await index.flush();
    expect((await open('search', blobs)).positions()).toEqual({ topic: '8' });
  });
});

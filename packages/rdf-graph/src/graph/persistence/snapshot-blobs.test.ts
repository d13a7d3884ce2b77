import { type BlobStore, createMemoryBlobStore } from '@cairn/events';
import { asViewingBytes } from '@cairn/events/conformance';
import { createViewer, createViewerOfEverything } from '@cairn/security';
import { describe, expect, it } from 'vitest';
import { openGraphDataset } from '../../dataset/open.ts';
import type { StoreDataset } from '../../dataset/store-dataset.ts';
import { writeQuad } from '../../rdf/term-writer.ts';

const viewer = createViewerOfEverything();

async function update(dataset: StoreDataset, text: string, label = '*', positions = {}): Promise<void> {
  await dataset.apply([await dataset.evaluateUpdate(viewer, text, { label })], positions);
}

async function contentOf(dataset: StoreDataset): Promise<string[]> {
  const lines: string[] = [];
  for await (const { quad, label } of dataset.matchLabelled()) lines.push(`${label} ${writeQuad(quad)}`);
  return lines.sort();
}

describe('snapshots in a blob store', () => {
  it('reopen with the same quads, labels, positions and prefixes', async () => {
    const blobs = createMemoryBlobStore();
    const dataset = await openGraphDataset({ name: 'd', blobs });
    await update(
      dataset,
      'INSERT DATA { <e:a> <e:p> "007"^^<http://www.w3.org/2001/XMLSchema#integer>, "ä"@en, <<<e:a> <e:b> 1>> }',
      'a=1',
      {
        knowledge: '7',
      },
    );
    await dataset.apply([{ deletions: [], additions: [], prefixes: [{ prefix: 'e', iri: 'e:', label: 'a=1' }] }]);
    await dataset.flush();
    await update(dataset, 'INSERT DATA { GRAPH <e:g> { <e:a> <e:p> [] } } ; DELETE DATA { <e:a> <e:p> "ä"@en }', '*', {
      knowledge: '9',
    });
    await dataset.flush();
    const reopened = await openGraphDataset({ name: 'd', blobs });
    expect(await contentOf(reopened)).toEqual(await contentOf(dataset));
    expect(await contentOf(reopened)).toHaveLength(3);
    expect(reopened.positions()).toEqual({ knowledge: '9' });
    expect(await reopened.prefixes(viewer)).toEqual(await dataset.prefixes(viewer));
    expect(await reopened.prefixes(createViewer({ attributes: { a: ['1'] } }))).toEqual({ e: 'e:' });
    expect(await reopened.prefixes(createViewer({ attributes: {} }))).toEqual({});
    await update(reopened, 'INSERT DATA { <e:new> <e:p> <e:a> }');
    expect(await reopened.count(viewer, {})).toBe(4);
  });

  it('reopen from a store whose bytes are views of larger buffers, at any offset in them', async () => {
    const blobs = createMemoryBlobStore();
    const dataset = await openGraphDataset({ name: 'd', blobs });
    await update(dataset, 'INSERT DATA { <e:a> <e:p> "x", "y"@en . GRAPH <e:g> { <e:b> <e:q> 7 } }');
    await dataset.flush();
    for (let offset = 1; offset < 9; offset++) {
      const shifted = (bytes: Uint8Array | undefined): Uint8Array | undefined =>
        bytes && asViewingBytes(Buffer.concat([Buffer.alloc(offset), bytes]).subarray(offset));
      const store = Object.assign(Object.create(blobs) as BlobStore, {
        readManifest: async (name: string) => shifted(await blobs.readManifest(name)),
        get: async (name: string) => shifted(await blobs.get(name)),
      });
      expect(await contentOf(await openGraphDataset({ name: 'd', blobs: store }))).toEqual(await contentOf(dataset));
    }
  });

  it('leaves out what was not flushed', async () => {
    const blobs = createMemoryBlobStore();
    const dataset = await openGraphDataset({ name: 'd', blobs });
    await update(dataset, 'INSERT DATA { <e:a> <e:p> 1 }');
    const reopened = await openGraphDataset({ name: 'd', blobs });
    expect(await reopened.count(viewer)).toBe(0);
  });

  it('is refused where another dataset of that name was stored meanwhile, and nothing is removed', async () => {
    const blobs = createMemoryBlobStore();
    const [first, second] = [
      await openGraphDataset({ name: 'd', blobs }),
      await openGraphDataset({ name: 'd', blobs }),
    ];
    await update(first, 'INSERT DATA { <e:a> <e:p> 1 }');
    await update(second, 'INSERT DATA { <e:b> <e:p> 2 }');
    await first.flush();
    await expect(second.flush()).rejects.toMatchObject({ code: 'ERR_MANIFEST_FOREIGN', kind: 'conflict' });
    expect(await contentOf(await openGraphDataset({ name: 'd', blobs }))).toEqual(await contentOf(first));
  });

  it('keeps only the blobs that the last snapshot uses', async () => {
    const blobs = createMemoryBlobStore();
    const dataset = await openGraphDataset({ name: 'd', blobs });
    for (let i = 0; i < 40; i++) {
      await update(dataset, `INSERT DATA { <e:${i}> <e:p> ${i} }`);
      await dataset.flush();
    }
    let count = 0;
    for await (const _ of blobs.list('graph/d/')) count++;
    expect(count).toBeLessThan(32);
    const reopened = await openGraphDataset({ name: 'd', blobs });
    expect(await reopened.count(viewer)).toBe(40);
  });

  it('refuses a damaged blob, a missing one and a newer version by name', async () => {
    const blobs = createMemoryBlobStore();
    const dataset = await openGraphDataset({ name: 'd', blobs });
    await update(dataset, 'INSERT DATA { <e:a> <e:p> 1 }');
    await dataset.flush();
    const names: string[] = [];
    for await (const { name } of blobs.list('graph/d/')) names.push(name);
    for (const name of names) {
      const bytes = (await blobs.get(name))!.slice();
      bytes[bytes.length - 9] ^= 1;
      await blobs.delete(name);
      await expect(openGraphDataset({ name: 'd', blobs })).rejects.toMatchObject({ code: 'ERR_GRAPH_SNAPSHOT' });
      await blobs.put(name, bytes);
      await expect(openGraphDataset({ name: 'd', blobs })).rejects.toMatchObject({ kind: 'corrupt' });
      bytes[bytes.length - 9] ^= 1;
      await blobs.delete(name);
      await blobs.put(name, bytes);
    }
    expect(await (await openGraphDataset({ name: 'd', blobs })).count(viewer)).toBe(1);
    await blobs.replaceManifest('graph/d', new TextEncoder().encode('{"format":"cairn-graph","version":99}'));
    await expect(openGraphDataset({ name: 'd', blobs })).rejects.toMatchObject({ code: 'ERR_GRAPH_SNAPSHOT_VERSION' });
    await blobs.replaceManifest('graph/d', new TextEncoder().encode('{'));
    await expect(openGraphDataset({ name: 'd', blobs })).rejects.toMatchObject({ code: 'ERR_GRAPH_SNAPSHOT' });
  });

  it('refuses names that could not name blobs', async () => {
    for (const name of ['', '../x', 'a/b', '.x']) {
      await expect(openGraphDataset({ name, blobs: createMemoryBlobStore() })).rejects.toMatchObject({
        code: 'ERR_DATASET_NAME',
      });
    }
  });
});

import { type BlobStore, createMemoryBlobStore } from '@cairn/events';
import { describe, expect, it } from 'vitest';
import { Generations } from './generations.ts';

async function put(blobs: BlobStore, name: string): Promise<void> {
  await blobs.put(name, new TextEncoder().encode(name));
}

async function namesIn(store: BlobStore): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of store.list('')) names.push(name);
  return names.sort();
}

/** A store that cannot tell which generation of a cache is in use. */
async function storeWithDamagedRecord(): Promise<BlobStore> {
  const store = createMemoryBlobStore();
  await put((await new Generations(store).current('search')).blobs, 'old');
  await store.replaceManifest('caches/search/generation', new TextEncoder().encode('no JSON'));
  return store;
}

describe('the generations of a cache', () => {
  it('are rebuilt in steps of what is stored after the record of them was lost', async () => {
    const store = await storeWithDamagedRecord();
    const generations = new Generations(store);
    const renewed = await generations.renew('search');
    await put(renewed.blobs, 'renewed');
    await renewed.adopt();
    const next = await generations.next('search');
    await put(next.blobs, 'rebuilt');
    await next.adopt();
    expect(await namesIn(store)).toEqual([expect.stringMatching(/^caches\/search\/\d+\/rebuilt$/)]);
  }, 20_000);

  it('leave those of other caches and later ones alone when one takes its place', async () => {
    const store = createMemoryBlobStore();
    const generations = new Generations(store);
    await put((await generations.current('search')).blobs, 'first');
    await put((await generations.current('searching')).blobs, 'other');
    const second = await generations.next('search');
    await put(second.blobs, 'second');
    const third = await generations.next('search');
    await put(third.blobs, 'third');
    await second.adopt();
    expect(await namesIn(store)).toEqual([
      'caches/search/1/second',
      'caches/search/2/third',
      'caches/searching/0/other',
    ]);
  });
});

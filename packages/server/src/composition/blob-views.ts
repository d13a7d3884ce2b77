import type { BlobInfo, BlobStore } from '@cairn/events';

/** A part of a blob store under a prefix, with names of its own. Closing it leaves the store open. */
export function scopedBlobs(store: BlobStore, prefix: string): BlobStore {
  const outside = (name: string): string => `${prefix}${name}`;
  const inside = (info: BlobInfo): BlobInfo => ({ ...info, name: info.name.slice(prefix.length) });
  return {
    put: async (name, source, options) => inside(await store.put(outside(name), source, options)),
    putContent: async (start, source, options) => inside(await store.putContent(outside(start), source, options)),
    get: (name, range) => store.get(outside(name), range),
    stream: (name, range) => store.stream(outside(name), range),
    async *list(start = '') {
      for await (const info of store.list(outside(start))) yield inside(info);
    },
    delete: (name) => store.delete(outside(name)),
    readManifest: (name) => store.readManifest(outside(name)),
    replaceManifest: (name, bytes) => store.replaceManifest(outside(name), bytes),
    close: async () => undefined,
  };
}

/** A store that does some things in a way of its own, and all others as another does. */
export function blobsWith(blobs: BlobStore, own: Partial<BlobStore>): BlobStore {
  return {
    put: (name, source, options) => blobs.put(name, source, options),
    putContent: (start, source, options) => blobs.putContent(start, source, options),
    get: (name, range) => blobs.get(name, range),
    stream: (name, range) => blobs.stream(name, range),
    list: (prefix) => blobs.list(prefix),
    delete: (name) => blobs.delete(name),
    readManifest: (name) => blobs.readManifest(name),
    replaceManifest: (name, bytes) => blobs.replaceManifest(name, bytes),
    close: () => blobs.close(),
    ...own,
  };
}

import { type BlobStore, createMemoryBlobStore } from '@cairn/events';

/** A store in memory that holds these blobs and manifests. */
export async function createBlobsOf(
  blobs: Readonly<Record<string, Uint8Array>>,
  manifests: Readonly<Record<string, Uint8Array>>,
): Promise<BlobStore> {
  const store = createMemoryBlobStore();
  for (const [name, bytes] of Object.entries(blobs)) await store.put(name, bytes);
  for (const [name, bytes] of Object.entries(manifests)) await store.replaceManifest(name, bytes);
  return store;
}

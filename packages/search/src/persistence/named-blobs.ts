import { checkPort, checkText } from '@cairn/errors';
import type { BlobStore } from '@cairn/events';
import { decodeManifest, type Manifest } from './manifest.ts';

export function namedBlobs({ indices }: Manifest): Set<string> {
  const named = new Set<string>();
  for (const { segments } of Object.values(indices)) {
    for (const { segment, documents, deletions } of segments) {
      named.add(segment).add(documents);
      if (deletions !== undefined) named.add(deletions);
    }
  }
  return named;
}

/**
 * The names of the blobs that a stored index consists of by now; `undefined` when nothing is stored. Reads its manifest
 * alone.
 * @param name of the manifest; default `search`
 * @throws `ERR_SEGMENT_CORRUPT` (corrupt), `ERR_SEGMENT_VERSION` (unsupported) for the manifest;
 *   `ERR_ARGUMENT` (invalid) for what is no blob store
 */
export async function listIndexBlobs(blobs: BlobStore, name: string = 'search'): Promise<string[] | undefined> {
  checkPort(blobs, 'readManifest', 'the blob store');
  checkText(name, 'the name of the manifest');
  const bytes = await blobs.readManifest(name);
  return bytes && [...namedBlobs(decodeManifest(bytes, name))];
}

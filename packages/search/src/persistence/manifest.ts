import { checkPort, checkText } from '@cairn/errors';
import type { BlobStore, TopicPositions } from '@cairn/events';
import { isObject } from '../port/arguments.ts';
import { checksum } from './checksum.ts';
import { corruptBlob, FORMAT_VERSION, newerFormat } from './section-file.ts';

export interface SegmentEntry {
  readonly segment: string;
  readonly documents: string;
  readonly deletions?: string;
  /** The checksums that the blobs carry, so that none passes for another; absent in manifests of earlier releases. */
  readonly segmentChecksum?: number;
  readonly deletionsChecksum?: number;
}

/** Segments of a search index, and how far it has consumed its topics. */
export interface Manifest {
  readonly version: number;
  readonly positions: TopicPositions;
  readonly indices: Readonly<
    Record<string, { readonly fingerprint: string; readonly segments: readonly SegmentEntry[] }>
  >;
  /** Names of indices that lack what was consumed before they were configured. Absent when there are none. */
  readonly incomplete?: readonly string[];
}

export function encodeManifest(manifest: Manifest): Uint8Array {
  const body = new TextEncoder().encode(JSON.stringify(manifest));
  const head = new TextEncoder().encode(`cairn-search ${checksum(body).toString(16)}\n`);
  const bytes = new Uint8Array(head.length + body.length);
  bytes.set(head);
  bytes.set(body, head.length);
  return bytes;
}

/**
 * Decodes a manifest.
 * @throws `ERR_SEGMENT_CORRUPT` (corrupt) or `ERR_SEGMENT_VERSION` (unsupported), naming the manifest.
 */
export function decodeManifest(bytes: Uint8Array, name: string): Manifest {
  const end = bytes.indexOf(10);
  const [magic, sum] = new TextDecoder().decode(bytes.subarray(0, Math.max(end, 0))).split(' ');
  const body = new Uint8Array(bytes.subarray(end + 1));
  if (magic !== 'cairn-search' || checksum(body).toString(16) !== sum) {
    throw corruptBlob(`manifest ${name}`, 'its checksum differs');
  }
  const manifest = parseManifest(body, name);
  if (manifest.version !== undefined && manifest.version > FORMAT_VERSION)
    throw newerFormat(`manifest ${name}`, manifest.version);
  if (!isManifest(manifest)) throw corruptBlob(`manifest ${name}`, 'it does not name segments');
  return manifest;
}

function parseManifest(body: Uint8Array, name: string): Partial<Manifest> {
  try {
    const manifest: Partial<Manifest> | null = JSON.parse(new TextDecoder().decode(body));
    if (isObject(manifest)) return manifest;
  } catch (error) {
    throw corruptBlob(`manifest ${name}`, 'it is no JSON', error);
  }
  throw corruptBlob(`manifest ${name}`, 'it is no JSON object');
}

function isManifest(manifest: Partial<Manifest>): manifest is Manifest {
  const { version, positions, indices, incomplete = [] } = manifest;
  if (!Array.isArray(incomplete)) return false;
  if (typeof version !== 'number' || !isObject(positions) || !isObject(indices)) return false;
  return Object.values(indices).every((index: unknown) => {
    if (!isObject(index) || typeof index['fingerprint'] !== 'string') return false;
    return Array.isArray(index['segments']) && index['segments'].every(isEntry);
  });
}

function isEntry(entry: unknown): boolean {
  if (!isObject(entry) || typeof entry['segment'] !== 'string' || typeof entry['documents'] !== 'string') return false;
  return entry['deletions'] === undefined || typeof entry['deletions'] === 'string';
}

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

import { isCodedError } from '@cairn/errors';
import type { BlobStore } from '@cairn/events';

/** What an erasure that was begun is about. */
export interface UnfinishedErasure {
  /** Documents of which values were erased, or may have been. */
  readonly uris: readonly string[];
  /** Blobs that held values of theirs: once those are erased, no event tells of them. */
  readonly blobs: readonly string[];
}

const MANIFEST = 'erasure';
const NOTHING: UnfinishedErasure = { uris: [], blobs: [] };

/**
 * The erasure that a process began and did not live to end; empty when there is none. A note that is damaged tells of
 * nothing.
 * @throws what the store throws that is worth another try
 */
export async function readUnfinishedErasure(blobs: BlobStore): Promise<UnfinishedErasure> {
  try {
    const bytes = await blobs.readManifest(MANIFEST);
    return bytes === undefined ? NOTHING : (JSON.parse(new TextDecoder().decode(bytes)) as UnfinishedErasure);
  } catch (error) {
    if (isCodedError(error) && error.retryable) throw error;
    return NOTHING;
  }
}

/** Takes note of an erasure before its first step. */
export function noteErasure(erasure: UnfinishedErasure, blobs: BlobStore): Promise<void> {
  return blobs.replaceManifest(MANIFEST, new TextEncoder().encode(JSON.stringify(erasure)));
}

/** Takes documents off the note, after the last step. Another erasure may have begun meanwhile: its documents stay. */
export async function endErasure(uris: Iterable<string>, blobs: BlobStore): Promise<void> {
  const ended = new Set(uris);
  const noted = await readUnfinishedErasure(blobs);
  const left = noted.uris.filter((uri) => !ended.has(uri));
  await noteErasure(left.length === 0 ? NOTHING : { uris: left, blobs: noted.blobs }, blobs);
}

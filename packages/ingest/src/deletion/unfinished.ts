import type { BlobStore } from '@cairn/events';
import { readNote, writeNote } from '../work/note.ts';

export interface UnfinishedErasure {
  /** Documents of which values were erased, or may have been. */
  readonly uris: readonly string[];
  /** Blobs that held values of theirs: once those are erased, no event tells of them. */
  readonly blobs: readonly string[];
}

const NOTE = 'erasure';
const NOTHING: UnfinishedErasure = { uris: [], blobs: [] };

/**
 * The erasure that a process began and did not live to end; empty when there is none. A note that is damaged tells of
 * nothing.
 * @throws what the store throws that is worth another try
 */
export function readUnfinishedErasure(blobs: BlobStore): Promise<UnfinishedErasure> {
  return readNote<UnfinishedErasure>(
    blobs,
    NOTE,
    (text) => (text === undefined ? NOTHING : JSON.parse(text)),
    () => NOTHING,
  );
}

export function noteErasure(erasure: UnfinishedErasure, blobs: BlobStore): Promise<void> {
  return writeNote(blobs, NOTE, JSON.stringify(erasure));
}

/** Takes documents off the note, after the last step. Another erasure may have begun meanwhile: its documents stay. */
export async function endErasure(uris: Iterable<string>, blobs: BlobStore): Promise<void> {
  const ended = new Set(uris);
  const noted = await readUnfinishedErasure(blobs);
  const left = noted.uris.filter((uri) => !ended.has(uri));
  await noteErasure(left.length === 0 ? NOTHING : { uris: left, blobs: noted.blobs }, blobs);
}

import type { BlobStore } from '@cairn/events';
import { noteName, readNote, writeNote } from '../work/note.ts';

/**
 * Notes that values of events of a topic are about to be erased because they are lost. The stages that write to it make
 * what is whole at their source again when they start next. To be called first: a process that ends in between then has
 * them look in vain, and nothing is forgotten.
 *
 * @param noteId another one each time
 * @throws what the store throws
 */
export function noteGivenUpValues(blobs: BlobStore, topic: string, noteId: string): Promise<void> {
  return writeNote(blobs, nameOf(topic), noteId);
}

/** The id of the last note about a topic; `undefined` when there is none. A damaged one is a note of its own. */
export function readGivenUpNote(blobs: BlobStore, topic: string): Promise<string | undefined> {
  return readNote<string | undefined>(
    blobs,
    nameOf(topic),
    (id) => id,
    () => 'damaged',
  );
}

function nameOf(topic: string): string {
  return noteName(`given-up/${topic}`);
}

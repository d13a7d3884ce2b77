import { isCodedError } from '@cairn/errors';
import type { BlobStore } from '@cairn/events';

/**
 * Notes that values of events of a topic are about to be erased because they are lost. The stages that write to it make
 * what is whole at their source again when they start next. To be called first: a process that ends in between then has
 * them look in vain, and nothing is forgotten.
 *
 * @param noteId another one each time
 * @throws what the store throws
 */
export async function noteGivenUpValues(blobs: BlobStore, topic: string, noteId: string): Promise<void> {
  await blobs.replaceManifest(manifestOf(topic), new TextEncoder().encode(noteId));
}

/** The id of the last note about a topic; `undefined` when there is none. A damaged one is a note of its own. */
export async function readGivenUpNote(blobs: BlobStore, topic: string): Promise<string | undefined> {
  try {
    const bytes = await blobs.readManifest(manifestOf(topic));
    return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
  } catch (error) {
    if (isCodedError(error) && error.retryable) throw error;
    return 'damaged';
  }
}

function manifestOf(topic: string): string {
  return `given-up/${topic}`.replace(/[^A-Za-z0-9._/-]/g, '_');
}

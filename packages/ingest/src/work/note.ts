import { isCodedError } from '@cairn/errors';
import type { BlobStore } from '@cairn/events';

/** The name of a note, of which some parts are the names of others. */
export function noteName(name: string): string {
  return name.replace(/[^A-Za-z0-9._/-]/g, '_');
}

/**
 * Reads a note that stands in a manifest. One that is damaged says what `damaged` makes of the error: what it tells is told
 * by others, or done again.
 * @param read what the text says, `undefined` where there is none; an error of it is damage
 * @throws what the store throws that is worth another try
 */
export async function readNote<Note>(
  blobs: BlobStore,
  name: string,
  read: (text: string | undefined) => Note,
  damaged: (error: unknown) => Note,
): Promise<Note> {
  try {
    const bytes = await blobs.readManifest(name);
    return read(bytes && new TextDecoder().decode(bytes));
  } catch (error) {
    if (isCodedError(error) && error.retryable) throw error;
    return damaged(error);
  }
}

/** Writes a note in the place of the one before. */
export function writeNote(blobs: BlobStore, name: string, text: string): Promise<void> {
  return blobs.replaceManifest(name, new TextEncoder().encode(text));
}

import type { Readable } from 'node:stream';
import { toMultipartError } from './multipart-error.ts';

/**
 * The bytes of one file, once.
 *
 * A consumer that stops early has the rest discarded, so that the parts behind it still arrive.
 *
 * @throws `ERR_MULTIPART` in the middle when the upload ends before the file does.
 */
export async function* readPartContent(file: Readable): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* file.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw toMultipartError(error);
  } finally {
    file.resume();
  }
}

import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { CodedError, isCodedError, throwIfAborted } from '@cairn/errors';
import { abortable, type BlobSource, checkChunk } from '@cairn/events';
import { type FileSystem, type OpenFile, reasonOf } from '../files/file-system.ts';
import { BLOB_HEADER_BYTES, createBlobHeader } from './blob-file.ts';
import { WriteBehind } from './write-behind.ts';

export interface WrittenBlob {
  readonly sizeBytes: number;
  /** SHA-256 of the content, lower-case hex; empty unless asked for. */
  readonly sha256: string;
}

/**
 * Writes a source to a new file, durably, while hashing it. Removes the file when the source fails or is aborted.
 * @param source whose array, if it is one, nobody else writes to any more
 */
export async function writeDraft(
  fs: FileSystem,
  draft: string,
  source: BlobSource,
  options: { readonly hash: boolean; readonly signal: AbortSignal | undefined },
): Promise<WrittenBlob> {
  throwIfAborted(options.signal);
  const handle = await refusing(() => fs.open(draft, 'create'));
  try {
    return await fill(handle, source, options).finally(() => handle.close());
  } catch (error) {
    await fs.remove(draft).catch(() => undefined);
    throw error;
  }
}

/** Runs a step. @throws `ERR_BLOB_WRITE` (unavailable) when the medium refuses */
export async function refusing<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (isCodedError(error)) throw error;
    const message = `could not write a blob: ${reasonOf(error)}`;
    throw new CodedError({ code: 'ERR_BLOB_WRITE', kind: 'unavailable', message, cause: error });
  }
}

async function fill(
  handle: OpenFile,
  source: BlobSource,
  { hash, signal }: { readonly hash: boolean; readonly signal: AbortSignal | undefined },
): Promise<WrittenBlob> {
  const sha = hash ? createHash('sha256') : undefined;
  let sizeBytes = 0;
  let contentCrc = 0;
  // Hashes the buffer that is written, not the chunk: name and checksum must be those of the stored bytes.
  const output = new WriteBehind(handle, BLOB_HEADER_BYTES, (bytes) => {
    sha?.update(bytes);
    contentCrc = crc32(bytes, contentCrc);
    sizeBytes += bytes.length;
  });
  const parts = source instanceof Uint8Array ? slicesOf(source) : source;
  try {
    for await (const part of abortable(parts, signal)) {
      checkChunk(part, 'a blob');
      await refusing(() => output.add(part));
    }
  } finally {
    // Even when the source has failed: the file must not be closed under a write.
    await refusing(() => output.end());
  }
  throwIfAborted(signal);
  const header = createBlobHeader({ sizeBytes, contentCrc });
  await refusing(() => handle.write(header, 0));
  await refusing(() => handle.sync());
  return { sizeBytes, sha256: sha?.digest('hex') ?? '' };
}

const PART_BYTES = 1024 * 1024;

async function* slicesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += PART_BYTES) yield bytes.subarray(start, start + PART_BYTES);
}

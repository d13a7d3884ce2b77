import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { throwIfAborted } from '@cairn/errors';
import type { FileSystem } from '@cairn/storage-fs';
import { nodeFileSystem } from '@cairn/storage-fs/experimental';
import { naming } from '../operations/file-access.ts';

/** Size and hash of a file. */
export interface FileSum {
  readonly sizeBytes: number;
  /** SHA-256 of its bytes, lower-case hex. */
  readonly sha256: string;
}

export interface FileCopyOptions {
  /** How many bytes from the start. Default all. */
  readonly sizeBytes?: number;
  /** True when the copy has the permissions and time of the file. Default false: its owner may read and write it. */
  readonly keepsMode?: boolean;
  readonly signal?: AbortSignal;
  /** Where the copy is written. Default the file system of the machine. */
  readonly fileSystem?: FileSystem;
}

/**
 * Copies a file to a place where none is, durably but for its name, and makes the folders above. Returns the sum of what
 * was copied.
 * @throws `ERR_FILE_READ`, `ERR_FILE_WRITE` (unavailable) naming the file that cannot be read or written
 */
export async function copyFile(from: string, to: string, options: FileCopyOptions = {}): Promise<FileSum> {
  const { sizeBytes: limit, keepsMode = false, signal, fileSystem = nodeFileSystem } = options;
  const hash = createHash('sha256');
  let sizeBytes = 0;
  await naming('write', to, () => fileSystem.makeDirectory(path.dirname(to)));
  const target = await naming('write', to, () => fileSystem.open(to, 'create'));
  try {
    for await (const chunk of limit === 0 ? [] : chunksOf(from, limit)) {
      throwIfAborted(signal);
      await naming('write', to, () => target.write(chunk, sizeBytes));
      hash.update(chunk);
      sizeBytes += chunk.length;
    }
    await naming('write', to, () => target.sync());
  } finally {
    await target.close();
  }
  if (keepsMode) await naming('write', to, () => keepMode(from, to));
  return { sizeBytes, sha256: hash.digest('hex') };
}

async function* chunksOf(file: string, limit: number | undefined): AsyncGenerator<Buffer> {
  const range = limit === undefined ? {} : { end: limit - 1 };
  const chunks = createReadStream(file, { ...range, highWaterMark: 1_048_576 })[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await naming('read', file, () => chunks.next());
      if (done === true) return;
      yield value;
    }
  } finally {
    await chunks.return?.();
  }
}

async function keepMode(from: string, to: string): Promise<void> {
  const { mode, atime, mtime } = await stat(from);
  await chmod(to, mode & 0o777);
  await utimes(to, atime, mtime);
}

/** Size and SHA-256 of a file. @throws what the medium throws */
export async function hashFile(file: string): Promise<FileSum> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const chunk of createReadStream(file, { highWaterMark: 1_048_576 }) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    sizeBytes += chunk.length;
  }
  return { sizeBytes, sha256: hash.digest('hex') };
}

import { createHash } from 'node:crypto';
import path from 'node:path';
import { isCodedError, readableOnce } from '@cairn/errors';
import { readWholeFile } from '../files/durable-file.ts';
import { openEnvelope } from '../files/envelope.ts';
import { checkStorageOptions, type FileSystem, nodeFileSystem } from '../files/file-system.ts';
import { fromSafePath, toSafePath } from '../files/safe-name.ts';
import { MANIFEST, readingFile } from './blob-file.ts';
import { streamBlob } from './blob-reader.ts';

/** Result of reading one stored file to its end. */
export interface CheckedBlob {
  readonly kind: 'blob' | 'manifest';
  readonly name: string;
  /** Relative to the store. */
  readonly file: string;
  /** Size of the content; 0 when it is damaged. */
  readonly sizeBytes: number;
  /** Description of the damage; `undefined` when the file is as it was written. */
  readonly damage: string | undefined;
}

/** Options of {@link checkBlobFiles}. */
export interface BlobCheckOptions {
  /** The folder of the store. */
  readonly directory: string;
  /** File system to use. Default that of the machine. */
  readonly fileSystem?: FileSystem;
}

const FOLDERS = { blob: 'blobs', manifest: 'manifests' } as const;
const CONTENT_NAME = /\/([0-9a-f]{64})$/;

/**
 * Reads every blob and manifest of a store and compares it with its checksum and, for content-derived names, with its
 * name. Changes nothing; the store may be in use. Cost: reads everything.
 * @throws `ERR_ARGUMENT` (invalid) for options that are none; whatever the medium throws
 */
export function checkBlobFiles(options: BlobCheckOptions): AsyncGenerator<CheckedBlob> {
  return readableOnce(checkFiles(options));
}

async function* checkFiles(options: BlobCheckOptions): AsyncGenerator<CheckedBlob> {
  checkStorageOptions(options, 'the options of checkBlobFiles');
  const { directory, fileSystem: fs = nodeFileSystem } = options;
  for (const kind of ['blob', 'manifest'] as const) {
    const root = path.join(directory, FOLDERS[kind]);
    for await (const safePath of filesBelow(root, '', fs)) {
      const name = fromSafePath(safePath);
      if (name === undefined) continue;
      const file = path.join(root, safePath);
      const checked = await (kind === 'blob' ? checkBlob(file, name, fs) : checkManifest(file, fs));
      if (checked !== undefined) yield { kind, name, file: `${FOLDERS[kind]}/${safePath}`, ...checked };
    }
  }
}

export function blobFile(name: string): string {
  return `${FOLDERS.blob}/${toSafePath(name)}`;
}

/** The paths of the files in a folder and those in it, relative to it. */
export async function* filesBelow(root: string, below: string, fs: FileSystem): AsyncGenerator<string> {
  const entries = await fs.list(path.join(root, below));
  for (const { name, isDirectory } of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (isDirectory) yield* filesBelow(root, `${below}${name}/`, fs);
    else yield `${below}${name}`;
  }
}

type Checked = Pick<CheckedBlob, 'sizeBytes' | 'damage'>;

/** Reads the file of a blob to its end; `undefined` when there is none. @throws whatever the medium throws */
export async function checkBlob(file: string, name: string, fs: FileSystem): Promise<Checked | undefined> {
  const expected = CONTENT_NAME.exec(name)?.[1];
  const hash = createHash('sha256');
  let sizeBytes = 0;
  try {
    const chunks = await streamBlob(fs, file);
    if (chunks === undefined) return undefined;
    for await (const chunk of chunks) {
      sizeBytes += chunk.length;
      if (expected !== undefined) hash.update(chunk);
    }
  } catch (error) {
    return toDamage(error);
  }
  const isOther = expected !== undefined && hash.digest('hex') !== expected;
  return { sizeBytes, damage: isOther ? 'its content is not the one that it is named after' : undefined };
}

async function checkManifest(file: string, fs: FileSystem): Promise<Checked | undefined> {
  try {
    const bytes = await readingFile(file, () => readWholeFile(fs, file));
    return bytes && { sizeBytes: openEnvelope(MANIFEST, bytes, file).length, damage: undefined };
  } catch (error) {
    return toDamage(error);
  }
}

function toDamage(error: unknown): Checked | undefined {
  if (isCodedError(error)) return { sizeBytes: 0, damage: error.message };
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return undefined;
  if (code === 'EIO') return { sizeBytes: 0, damage: 'the medium cannot read it' };
  throw error;
}

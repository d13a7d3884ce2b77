import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { badArgument, CodedError, checkText, isCodedError, readableOnce } from '@cairn/errors';
import {
  type BlobInfo,
  type BlobSource,
  type BlobStore,
  type ByteRange,
  blobsClosed,
  checkBlobName,
  clampRange,
  type PutOptions,
} from '@cairn/events';
import { checkPutOptions, toOwnSource } from '@cairn/events/experimental';
import { linkIfAbsent, makeDurableDirectory, readWholeFile, replaceFile } from '../files/durable-file.ts';
import { openEnvelope, sealEnvelope } from '../files/envelope.ts';
import { checkStorageOptions, type FileSystem, nodeFileSystem, reasonOf } from '../files/file-system.ts';
import { currentProcess, isAlive } from '../files/process-identity.ts';
import { fromSafePath, toSafePath } from '../files/safe-name.ts';
import { MANIFEST, readingFile } from './blob-file.ts';
import { blobSize, readBlob, streamBlob } from './blob-reader.ts';
import { refusing, writeDraft } from './blob-writer.ts';
import { checkBlob, filesBelow } from './check.ts';

/** Options of {@link openFileBlobStore}. */
export interface FileBlobStoreOptions {
  /** The folder that holds the store and nothing else. Made when missing. */
  readonly directory: string;
  /** File system to use. Default that of the machine. */
  readonly fileSystem?: FileSystem;
  /** True to make and remove nothing at opening, for reading where nobody may write. Default false. */
  readonly isReadOnly?: boolean;
}

/** A {@link BlobStore} in a folder. */
export interface FileBlobStore extends BlobStore {
  /**
   * Moves a blob, a manifest, and all whose names continue it after a `/`, out of the store, damaged or not, into
   * `damaged/AS` of its folder, replacing what was moved there before under the same name. Returns the path of that
   * folder; `undefined` when there was nothing to move. None of it may be in use.
   */
  setAside(name: string, as: string): Promise<string | undefined>;
  /** Removes everything that was moved aside. Returns the number of names. @throws whatever the medium throws */
  removeSetAside(): Promise<number>;
}

/**
 * Opens the {@link FileBlobStore} in a folder and removes the unfinished files of processes that have died.
 * @throws `ERR_BLOB_OPEN` (unavailable) when the medium refuses, or the folder is a file; `ERR_ARGUMENT` (invalid) for
 *   malformed options
 */
export async function openFileBlobStore(options: FileBlobStoreOptions): Promise<FileBlobStore> {
  checkStorageOptions(options, 'the options of a blob store');
  const fs = options.fileSystem ?? nodeFileSystem;
  const store = new DirectoryBlobStore(options.directory, fs);
  try {
    if (options.isReadOnly !== true) await store.prepare();
    return store;
  } catch (error) {
    if (isCodedError(error)) throw error;
    const message = `could not open the blob store in ${options.directory}: ${reasonOf(error)}`;
    throw new CodedError({ code: 'ERR_BLOB_OPEN', kind: 'unavailable', message, cause: error });
  }
}

class DirectoryBlobStore implements FileBlobStore {
  readonly #fs: FileSystem;
  readonly #blobs: string;
  readonly #manifests: string;
  readonly #drafts: string;
  readonly #damaged: string;
  #isClosed = false;

  constructor(directory: string, fs: FileSystem) {
    this.#fs = fs;
    this.#blobs = path.join(directory, 'blobs');
    this.#manifests = path.join(directory, 'manifests');
    this.#drafts = path.join(directory, 'drafts');
    this.#damaged = path.join(directory, 'damaged');
  }

  async prepare(): Promise<void> {
    for (const directory of [this.#blobs, this.#manifests, this.#drafts]) {
      await makeDurableDirectory(this.#fs, directory);
    }
    for (const { name } of await this.#fs.list(this.#drafts)) {
      const [pid = '', started = '', boot = ''] = name.split('.');
      if (!isAlive({ pid: Number(pid), started, boot })) await this.#fs.remove(path.join(this.#drafts, name));
    }
  }

  async put(name: string, source: BlobSource, options: PutOptions = {}): Promise<BlobInfo> {
    this.#check(name);
    checkPutOptions(options);
    // Before the first wait: afterwards the bytes are the caller's again.
    const own = toOwnSource(source);
    const known = await refusing(() => checkBlob(this.#blobFile(name), name, this.#fs));
    if (known !== undefined && known.damage === undefined) {
      if (!(own instanceof Uint8Array)) await own[Symbol.asyncIterator]().return?.();
      // Whoever stored it may not have synced the folder yet.
      await refusing(() => this.#fs.syncDirectory(path.dirname(this.#blobFile(name))));
      return { name, sizeBytes: known.sizeBytes };
    }
    const draft = this.#draft();
    await writeDraft(this.#fs, draft, own, { hash: false, signal: options.signal });
    return this.#publish(draft, name, known === undefined ? 'keep' : 'replace');
  }

  async putContent(prefix: string, source: BlobSource, options: PutOptions = {}): Promise<BlobInfo> {
    checkText(prefix, 'the prefix of a blob');
    this.#check(`${prefix}${'0'.repeat(64)}`);
    checkPutOptions(options);
    const own = toOwnSource(source);
    const draft = this.#draft();
    const { sha256 } = await writeDraft(this.#fs, draft, own, { hash: true, signal: options.signal });
    // What is there already is the same, or damaged.
    return this.#publish(draft, `${prefix}${sha256}`, 'replace');
  }

  async get(name: string, range?: ByteRange): Promise<Uint8Array | undefined> {
    this.#check(name);
    clampRange(range, 0);
    return readBlob(this.#fs, this.#blobFile(name), range);
  }

  async stream(name: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined> {
    this.#check(name);
    clampRange(range, 0);
    return streamBlob(this.#fs, this.#blobFile(name), range);
  }

  list(prefix = ''): AsyncGenerator<BlobInfo> {
    return readableOnce(this.#list(prefix));
  }

  async *#list(prefix: string): AsyncGenerator<BlobInfo> {
    this.#checkOpen();
    checkText(prefix, 'the prefix of a list');
    const names: string[] = [];
    for await (const safePath of filesBelow(this.#blobs, '', this.#fs)) {
      const name = fromSafePath(safePath);
      if (name?.startsWith(prefix)) names.push(name);
    }
    for (const name of names.sort()) {
      const sizeBytes = await blobSize(this.#fs, this.#blobFile(name));
      if (sizeBytes !== undefined) yield { name, sizeBytes };
    }
  }

  async delete(name: string): Promise<void> {
    this.#check(name);
    const file = this.#blobFile(name);
    if ((await blobSize(this.#fs, file)) === undefined) return;
    await this.#fs.remove(file);
    await this.#fs.syncDirectory(path.dirname(file));
  }

  async readManifest(name: string): Promise<Uint8Array | undefined> {
    this.#check(name);
    const file = path.join(this.#manifests, toSafePath(name));
    const bytes = await readingFile(file, () => readWholeFile(this.#fs, file));
    return bytes === undefined ? undefined : new Uint8Array(openEnvelope(MANIFEST, bytes, file));
  }

  async replaceManifest(name: string, bytes: Uint8Array): Promise<void> {
    this.#check(name);
    const file = path.join(this.#manifests, toSafePath(name));
    if (!(bytes instanceof Uint8Array)) throw badArgument('a manifest', 'bytes', bytes);
    const sealed = sealEnvelope(MANIFEST, bytes);
    await refusing(async () => {
      await makeDurableDirectory(this.#fs, path.dirname(file));
      await replaceFile(this.#fs, file, this.#draft(), sealed);
    });
  }

  async setAside(name: string, as: string): Promise<string | undefined> {
    this.#check(name);
    checkText(as, 'the name of what is moved aside');
    const target = path.join(this.#damaged, toSafePath(as));
    await removeTree(this.#fs, target);
    const moved = await Promise.all(
      [this.#blobs, this.#manifests].map((root) => this.#moveAll(root, toSafePath(name), target)),
    );
    return moved.some(Boolean) ? target : undefined;
  }

  async removeSetAside(): Promise<number> {
    this.#checkOpen();
    const { length } = await this.#fs.list(this.#damaged);
    await removeTree(this.#fs, this.#damaged);
    return length;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }

  /** Moves a file and the folder of the names that continue its own. Returns true if either existed. */
  async #moveAll(root: string, safePath: string, target: string): Promise<boolean> {
    const folder = path.join(target, path.basename(root));
    const below = path.dirname(path.join(root, safePath));
    const base = path.basename(safePath);
    const found = (await this.#fs.list(below)).filter(({ name }) => name === base || name === `${base}=`);
    if (found.length === 0) return false;
    await makeDurableDirectory(this.#fs, folder);
    for (const { name } of found) await this.#fs.rename(path.join(below, name), path.join(folder, name));
    await this.#fs.syncDirectory(folder);
    await this.#fs.syncDirectory(below);
    return true;
  }

  /** Gives a finished draft its name. A blob of that name is kept, or replaced in one step. */
  async #publish(draft: string, name: string, present: 'keep' | 'replace'): Promise<BlobInfo> {
    const file = this.#blobFile(name);
    try {
      this.#checkOpen();
      await refusing(async () => {
        await makeDurableDirectory(this.#fs, path.dirname(file));
        if (present === 'replace') await this.#fs.rename(draft, file);
        else await linkIfAbsent(this.#fs, draft, file);
        await this.#fs.syncDirectory(path.dirname(file));
      });
    } finally {
      await this.#fs.remove(draft).catch(() => undefined);
    }
    return { name, sizeBytes: (await blobSize(this.#fs, file)) ?? 0 };
  }

  #blobFile(name: string): string {
    return path.join(this.#blobs, toSafePath(name));
  }

  /** Named after the process, so that opening the store elsewhere can tell leftovers from drafts still being written. */
  #draft(): string {
    const { pid, started, boot } = currentProcess();
    return path.join(this.#drafts, `${pid}.${started}.${boot}.${randomUUID()}`);
  }

  #check(name: string): void {
    this.#checkOpen();
    checkBlobName(name);
  }

  #checkOpen(): void {
    if (this.#isClosed) throw blobsClosed();
  }
}

async function removeTree(fs: FileSystem, directory: string): Promise<void> {
  for (const { name, isDirectory } of await fs.list(directory)) {
    const inside = path.join(directory, name);
    if (isDirectory) await removeTree(fs, inside);
    else await fs.remove(inside);
  }
  await fs.removeDirectory(directory);
}

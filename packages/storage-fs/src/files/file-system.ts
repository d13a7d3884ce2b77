import { constants } from 'node:fs';
import { type FileHandle, link, mkdir, open, readdir, rename, rmdir, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { badArgument, checkObject, checkPort } from '@cairn/errors';

/** An open file. Positions and sizes are bytes. */
export interface OpenFile {
  /** Fills a buffer from a position; returns the number of bytes read, fewer only at the end of the file. */
  read(buffer: Uint8Array, position: number): Promise<number>;
  /** Writes all bytes at a position. @throws the system's error, perhaps after writing some of them */
  write(bytes: Uint8Array, position: number): Promise<void>;
  /** Makes data and size durable. */
  sync(): Promise<void>;
  truncate(sizeBytes: number): Promise<void>;
  size(): Promise<number>;
  close(): Promise<void>;
}

/** The file system as the log and the blob store use it: a seam where tests inject faults. */
export interface FileSystem {
  /**
   * `read` needs an existing file; `write` makes a missing one; `create` refuses an existing one. What is no file, such as
   * a folder or a pipe, is refused with `EISDIR` or `ENXIO`, and never waited for.
   */
  open(path: string, mode: 'read' | 'write' | 'create'): Promise<OpenFile>;
  rename(from: string, to: string): Promise<void>;
  link(existing: string, path: string): Promise<void>;
  /** Removes a file; a missing one is no error. */
  remove(path: string): Promise<void>;
  /** Removes an empty folder; a missing one is no error. */
  removeDirectory(directory: string): Promise<void>;
  /** Lists names of files and folders, unsorted; none when the folder is missing. */
  list(directory: string): Promise<{ readonly name: string; readonly isDirectory: boolean }[]>;
  /** Returns the size of a file; `undefined` when there is none. */
  sizeOf(path: string): Promise<number | undefined>;
  /** Makes a folder and those above it. Returns the topmost new one, if any. @throws the system's error */
  makeDirectory(directory: string): Promise<string | undefined>;
  /** Makes the names in a folder durable. */
  syncDirectory(directory: string): Promise<void>;
}

const FLAGS = {
  read: constants.O_RDONLY,
  write: constants.O_RDWR | constants.O_CREAT,
  create: constants.O_RDWR | constants.O_CREAT | constants.O_EXCL,
} as const;

export const nodeFileSystem: FileSystem = Object.freeze<FileSystem>({
  open: async (file, mode) => new NodeFile(await openFile(file, mode)),
  rename,
  link,
  remove: (file) => unlink(file).catch(ignoreMissing),
  removeDirectory: (directory) => rmdir(directory).catch(ignoreMissing),
  async list(directory) {
    const entries = (await readdir(directory, { withFileTypes: true }).catch(ignoreMissing)) ?? [];
    return entries.map((entry) => ({ name: entry.name, isDirectory: entry.isDirectory() }));
  },
  sizeOf: async (file) => (await stat(file).catch(ignoreMissing))?.size,
  makeDirectory,
  async syncDirectory(directory) {
    const handle = await open(directory, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  },
});

/**
 * Opens a regular file. Whoever opens a pipe would wait for its other end, so opening does not wait.
 * @throws the system's error; `EISDIR` for a folder and `ENXIO` for anything else that is no file
 */
async function openFile(file: string, mode: keyof typeof FLAGS): Promise<FileHandle> {
  // Windows has no such flag, nor pipes among files.
  const handle = await open(file, FLAGS[mode] | (constants.O_NONBLOCK ?? 0), 0o600);
  const found = await handle.stat().catch(() => undefined);
  if (found?.isFile()) return handle;
  await handle.close();
  const code = found?.isDirectory() ? 'EISDIR' : 'ENXIO';
  throw Object.assign(new Error(`${code}: it is no file, open '${file}'`), { code, syscall: 'open', path: file });
}

/** How the system says that something else is in the place of a file, or of a folder above it. */
const NO_FILE = new Set(['EISDIR', 'ELOOP', 'ENOTDIR', 'ENXIO']);

/** Returns true if an error says that there is no file at a path, but something that is none. */
export function isNoFile(error: unknown): boolean {
  return NO_FILE.has((error as NodeJS.ErrnoException).code ?? '');
}

/**
 * Closes what a caller dropped without a word, such as an iterator that was never returned: Node ends the process when
 * a handle is collected open. The registry holds the handle, and must not hold the file.
 */
const dropped = new FinalizationRegistry<FileHandle>((handle) => void handle.close().catch(() => undefined));

class NodeFile implements OpenFile {
  readonly #handle: FileHandle;

  constructor(handle: FileHandle) {
    this.#handle = handle;
    dropped.register(this, handle, this);
  }

  async read(buffer: Uint8Array, position: number): Promise<number> {
    let filled = 0;
    while (filled < buffer.length) {
      const { bytesRead } = await this.#handle.read(buffer, filled, buffer.length - filled, position + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return filled;
  }

  async write(bytes: Uint8Array, position: number): Promise<void> {
    let written = 0;
    while (written < bytes.length) {
      const { bytesWritten } = await this.#handle.write(bytes, written, bytes.length - written, position + written);
      if (bytesWritten === 0) throw new Error(`short write: ${written} of ${bytes.length} bytes`);
      written += bytesWritten;
    }
  }

  sync(): Promise<void> {
    return this.#handle.datasync();
  }

  truncate(sizeBytes: number): Promise<void> {
    return this.#handle.truncate(sizeBytes);
  }

  async size(): Promise<number> {
    return (await this.#handle.stat()).size;
  }

  close(): Promise<void> {
    dropped.unregister(this);
    return this.#handle.close();
  }
}

/**
 * Refuses a missing folder name: the empty text would be the current directory of the process.
 * @throws `ERR_ARGUMENT` (invalid)
 */
export function checkStorageOptions(
  options: { readonly directory: string; readonly fileSystem?: FileSystem },
  what: string,
): void {
  checkObject(options, what);
  const { directory, fileSystem } = options;
  if (typeof directory !== 'string' || directory === '')
    throw badArgument('the directory', 'the path of a folder', directory);
  if (fileSystem !== undefined) checkPort(fileSystem, 'syncDirectory', 'the file system');
}

/**
 * At most two calls of mkdir for each part of the path. Node's own recursive one repeats without end where the system
 * knows no such entry in a folder that is there, as in `/proc`, and holds the main thread.
 */
async function makeDirectory(directory: string): Promise<string | undefined> {
  try {
    return await makeOne(directory);
  } catch (error) {
    const parent = path.dirname(directory);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === directory) throw error;
    const topmost = await makeDirectory(parent);
    const made = await makeOne(directory);
    return topmost ?? made;
  }
}

/** Returns the folder when it is new. */
async function makeOne(directory: string): Promise<string | undefined> {
  try {
    await mkdir(directory, { mode: 0o700 });
    return directory;
  } catch (error) {
    const found = await stat(directory).catch((unseen: unknown) => {
      // Where a link leads nowhere, that it leads nowhere says more than that it is there.
      throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? unseen : error;
    });
    if (found.isDirectory()) return undefined;
    throw error;
  }
}

/** Returns true if a write was refused for lack of room: on the disk, or for its owner. */
export function isNoRoom(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/** The words of an error, for a message. */
export function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw error;
}

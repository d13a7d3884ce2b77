import { constants } from 'node:fs';
import { type FileHandle, link, mkdir, open, readdir, rename, rmdir, stat, unlink } from 'node:fs/promises';

/** An open file. Positions and sizes are bytes. */
export interface OpenFile {
  /** Fills a buffer from a position; returns how many bytes there were, fewer only at the end of the file. */
  read(buffer: Uint8Array, position: number): Promise<number>;
  /** Writes all bytes at a position. @throws what the system says, when perhaps some of them were written */
  write(bytes: Uint8Array, position: number): Promise<void>;
  /** Makes data and size durable. */
  sync(): Promise<void>;
  truncate(sizeBytes: number): Promise<void>;
  size(): Promise<number>;
  close(): Promise<void>;
}

/** What the log and the blob store need of a file system: a seam where tests put faults. */
export interface FileSystem {
  /** `read` needs the file to be there; `write` makes it when it is not; `create` refuses one that is there. */
  open(path: string, mode: 'read' | 'write' | 'create'): Promise<OpenFile>;
  rename(from: string, to: string): Promise<void>;
  link(existing: string, path: string): Promise<void>;
  /** Removes a file; one that is not there is no error. */
  remove(path: string): Promise<void>;
  /** Removes an empty folder; one that is not there is no error. */
  removeDirectory(directory: string): Promise<void>;
  /** Names of files and folders, unsorted; none when the folder is not there. */
  list(directory: string): Promise<{ readonly name: string; readonly isDirectory: boolean }[]>;
  /** The size of a file; `undefined` when there is none. */
  sizeOf(path: string): Promise<number | undefined>;
  /** Makes a folder and those above it. Returns the topmost that was new, if any. */
  makeDirectory(directory: string): Promise<string | undefined>;
  /** Makes the names in a folder durable. */
  syncDirectory(directory: string): Promise<void>;
}

const FLAGS = {
  read: constants.O_RDONLY,
  write: constants.O_RDWR | constants.O_CREAT,
  create: constants.O_RDWR | constants.O_CREAT | constants.O_EXCL,
} as const;

/** The file system of the machine. */
export const nodeFileSystem: FileSystem = {
  open: async (path, mode) => new NodeFile(await open(path, FLAGS[mode], 0o600)),
  rename,
  link,
  remove: (path) => unlink(path).catch(ignoreMissing),
  removeDirectory: (directory) => rmdir(directory).catch(ignoreMissing),
  async list(directory) {
    const entries = (await readdir(directory, { withFileTypes: true }).catch(ignoreMissing)) ?? [];
    return entries.map((entry) => ({ name: entry.name, isDirectory: entry.isDirectory() }));
  },
  sizeOf: async (path) => (await stat(path).catch(ignoreMissing))?.size,
  makeDirectory: (directory) => mkdir(directory, { recursive: true, mode: 0o700 }),
  async syncDirectory(directory) {
    const handle = await open(directory, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  },
};

class NodeFile implements OpenFile {
  readonly #handle: FileHandle;

  constructor(handle: FileHandle) {
    this.#handle = handle;
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
    return this.#handle.close();
  }
}

/** Whether a medium refused a write because there is no room: on the disk, or for its owner. */
export function isNoRoom(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT';
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw error;
}

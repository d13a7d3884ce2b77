import path from 'node:path';
import { type FileSystem, nodeFileSystem, type OpenFile } from './file-system.ts';

/** Suffix of unfinished files, which are removed at opening. */
export const DRAFT_SUFFIX = '.tmp';

/** Removes the unfinished files in a folder whose names match. */
export async function removeDrafts(fs: FileSystem, directory: string, pattern: RegExp = /^/): Promise<void> {
  for (const { name } of await fs.list(directory)) {
    if (name.endsWith(DRAFT_SUFFIX) && pattern.test(name)) await fs.remove(path.join(directory, name));
  }
}

/**
 * Replaces a file as a whole: write beside it, fsync, rename, fsync of the folder. After a crash it has the old bytes
 * or the new ones.
 */
export async function replaceFile(fs: FileSystem, file: string, draft: string, bytes: Uint8Array): Promise<void> {
  try {
    await writeNewFile(fs, draft, bytes);
    await fs.rename(draft, file);
  } catch (error) {
    await fs.remove(draft).catch(() => undefined);
    throw error;
  }
  await fs.syncDirectory(path.dirname(file));
}

/** Reads a file whole; `undefined` when there is none. */
export async function readWholeFile(fs: FileSystem, file: string): Promise<Buffer | undefined> {
  return withFile(fs, file, async (handle) => {
    const buffer = Buffer.allocUnsafe(await handle.size());
    return buffer.subarray(0, await handle.read(buffer, 0));
  });
}

type Use<T> = (handle: OpenFile) => Promise<T>;

/** Opens a file for reading, passes it to `use` and closes it; `undefined` when there is none. */
export async function withFile<T>(fs: FileSystem, file: string, use: Use<T>): Promise<T | undefined> {
  const handle = await openIfThere(fs, file);
  return handle && closing(handle, use);
}

/** Passes an open file to `use` and closes it. */
export async function closing<T>(handle: OpenFile, use: Use<T>): Promise<T> {
  try {
    return await use(handle);
  } finally {
    await handle.close();
  }
}

async function openIfThere(fs: FileSystem, file: string): Promise<OpenFile | undefined> {
  try {
    return await fs.open(file, 'read');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Gives a file a second name. Returns false if there is one of that name. */
export async function linkIfAbsent(fs: FileSystem, existing: string, file: string): Promise<boolean> {
  try {
    await fs.link(existing, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Makes a folder, and makes its name and those of the new folders above it durable. */
export async function makeDurableDirectory(fs: FileSystem, directory: string): Promise<void> {
  await syncMadeFolders(directory, await fs.makeDirectory(directory), fs);
}

/**
 * Makes the names of a folder and of the new ones above it durable.
 * @param topmost the topmost new one; `undefined` when none was new
 */
export async function syncMadeFolders(
  directory: string,
  topmost: string | undefined,
  fs: FileSystem = nodeFileSystem,
): Promise<void> {
  if (topmost === undefined) return;
  const stop = path.dirname(path.resolve(topmost));
  for (let made = path.resolve(directory); made !== stop; made = path.dirname(made)) {
    await fs.syncDirectory(path.dirname(made));
  }
}

/** Writes a new file durably, except for its name. */
export async function writeNewFile(fs: FileSystem, file: string, bytes: Uint8Array): Promise<void> {
  await closing(await fs.open(file, 'create'), async (handle) => {
    await handle.write(bytes, 0);
    await handle.sync();
  });
}

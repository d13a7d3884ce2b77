import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { makeDurableDirectory } from '../files/durable-file.ts';
import type { FileSystem, OpenFile } from '../files/file-system.ts';

export const ASIDE_FOLDER = 'set-aside';

const CHUNK_BYTES = 4 * 1024 * 1024;

/** Keeps bytes that a log cannot use, so that nothing is destroyed. */
export class SetAside {
  readonly #directory: string;
  readonly #fs: FileSystem;

  constructor(directory: string, fs: FileSystem) {
    this.#directory = path.join(directory, ASIDE_FOLDER);
    this.#fs = fs;
  }

  /** Copies bytes of an open file. Returns the place, relative to the log, once they are durable there. */
  async copyRange(handle: OpenFile, start: number, end: number, name: string): Promise<string> {
    const file = await this.reserve(name);
    const copy = await this.#fs.open(this.#pathOf(file), 'create');
    try {
      const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, end - start));
      for (let at = start; at < end; ) {
        const count = await handle.read(buffer.subarray(0, Math.min(buffer.length, end - at)), at);
        if (count === 0) break;
        await copy.write(buffer.subarray(0, count), at - start);
        at += count;
      }
      await copy.sync();
    } catch (error) {
      await this.remove(file);
      throw error;
    } finally {
      await copy.close();
    }
    await this.#fs.syncDirectory(this.#directory);
    return file;
  }

  async moveFile(from: string, reserved: string): Promise<void> {
    await this.#fs.rename(from, this.#pathOf(reserved));
    await this.#fs.syncDirectory(this.#directory);
    await this.#fs.syncDirectory(path.dirname(from));
  }

  remove(file: string): Promise<void> {
    return this.#fs.remove(this.#pathOf(file)).catch(() => undefined);
  }

  async clear(): Promise<number> {
    const files = await this.#fs.list(this.#directory);
    for (const { name } of files) await this.#fs.remove(path.join(this.#directory, name));
    if (files.length > 0) await this.#fs.syncDirectory(this.#directory);
    return files.length;
  }

  /** Returns an unused place, relative to the log. */
  async reserve(name: string): Promise<string> {
    await makeDurableDirectory(this.#fs, this.#directory);
    return `${ASIDE_FOLDER}/${name}.${randomUUID().slice(0, 8)}`;
  }

  #pathOf(reserved: string): string {
    return path.join(this.#directory, path.basename(reserved));
  }
}

import { setTimeout as later } from 'node:timers/promises';
import type { Random } from '@cairn/events/conformance';
import { type FileSystem, nodeFileSystem, type OpenFile } from '../files/file-system.ts';

/**
 * Returns the machine's file system on a busy disk: reads and writes begin some milliseconds after they were asked for.
 */
export function lateFileSystem(random: Random): FileSystem {
  const late = async <T>(step: () => Promise<T>): Promise<T> => {
    await later(random() * 3);
    return step();
  };
  const wrap = (file: OpenFile): OpenFile => ({
    read: (buffer, position) => late(() => file.read(buffer, position)),
    write: (bytes, position) => late(() => file.write(bytes, position)),
    sync: () => late(() => file.sync()),
    truncate: (sizeBytes) => file.truncate(sizeBytes),
    size: () => file.size(),
    close: () => file.close(),
  });
  return { ...nodeFileSystem, open: async (path, mode) => wrap(await nodeFileSystem.open(path, mode)) };
}

import type { FileSystem, OpenFile } from '@cairn/storage-fs';
import { nodeFileSystem } from '@cairn/storage-fs/experimental';

export interface FullDisk extends FileSystem {
  full: boolean;
}

/** The file system of the machine, with a disk that is full while `full` is true. */
export function createFullDisk(): FullDisk {
  const disk: FullDisk = {
    ...nodeFileSystem,
    full: false,
    async open(path, mode) {
      const file = await nodeFileSystem.open(path, mode);
      return limited(file, () => disk.full);
    },
  };
  return disk;
}

function limited(file: OpenFile, isFull: () => boolean): OpenFile {
  return {
    read: (buffer, position) => file.read(buffer, position),
    async write(bytes, position) {
      if (isFull()) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      await file.write(bytes, position);
    },
    sync: () => file.sync(),
    truncate: (sizeBytes) => file.truncate(sizeBytes),
    size: () => file.size(),
    close: () => file.close(),
  };
}

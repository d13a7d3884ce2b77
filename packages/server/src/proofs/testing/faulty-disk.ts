import type { FileSystem, OpenFile } from '@cairn/storage-fs';
import { nodeFileSystem } from '@cairn/storage-fs/experimental';

export interface DiskFault {
  readonly step: 'write' | 'sync' | 'open' | 'read';
  readonly code: 'ENOSPC' | 'EIO' | 'EMFILE';
  /** For `write`: how many bytes are written before the error. Default 0. */
  readonly writesBytes?: number;
  /** For `read` and `sync`: a part of the names of the files that are refused. Default: all. */
  readonly below?: string;
}

/** The file system of the machine with a fault that a test sets and takes away, and a count of open files. */
export interface FaultyDisk extends FileSystem {
  fault: DiskFault | undefined;
  openFiles: number;
}

/** A disk without a fault. Opening for reading never fails: reads go on. */
export function createFaultyDisk(): FaultyDisk {
  const disk: FaultyDisk = {
    ...nodeFileSystem,
    fault: undefined,
    openFiles: 0,
    async open(path, mode) {
      if (mode !== 'read') failAt(disk, 'open');
      const file = await nodeFileSystem.open(path, mode);
      disk.openFiles += 1;
      return toFaulty(file, path, disk);
    },
  };
  return disk;
}

function toFaulty(file: OpenFile, path: string, disk: FaultyDisk): OpenFile {
  return {
    async read(buffer, position) {
      failAt(disk, 'read', path);
      return file.read(buffer, position);
    },
    async write(bytes, position) {
      const { fault } = disk;
      if (fault?.step !== 'write') return file.write(bytes, position);
      await file.write(bytes.subarray(0, fault.writesBytes ?? 0), position);
      throw systemError(fault);
    },
    async sync() {
      failAt(disk, 'sync', path);
      await file.sync();
    },
    truncate: (sizeBytes) => file.truncate(sizeBytes),
    size: () => file.size(),
    async close() {
      disk.openFiles -= 1;
      await file.close();
    },
  };
}

function failAt({ fault }: FaultyDisk, step: DiskFault['step'], path = ''): void {
  if (fault?.step === step && path.includes(fault.below ?? '')) throw systemError(fault);
}

function systemError({ code, step }: DiskFault): Error {
  return Object.assign(new Error(`${code}: the disk refuses`), { code, syscall: step });
}

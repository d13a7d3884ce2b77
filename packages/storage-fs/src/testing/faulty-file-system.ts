import { type FileSystem, nodeFileSystem, type OpenFile } from '../files/file-system.ts';

export type FaultyStep = 'open' | 'write' | 'sync' | 'truncate' | 'rename' | 'syncDirectory' | 'read' | 'remove';

/** A fault: the step, the files and the system error. */
export interface Fault {
  readonly step: FaultyStep;
  readonly code: 'ENOSPC' | 'EIO' | 'EMFILE';
  /** Part of the path of the files that fail. Default every file. */
  readonly file?: string;
  /** For `write`: number of bytes written before the error. Default 0. */
  readonly writesBytes?: number;
}

/** The machine's file system with faults that a test turns on and off, and a count of open files. */
export class FaultyFileSystem implements FileSystem {
  readonly faults: Set<Fault> = new Set<Fault>();
  openFiles = 0;
  syncs = 0;
  /** Every step with its file, in order. */
  readonly journal: string[] = [];

  readonly link: FileSystem['link'] = nodeFileSystem.link;
  readonly removeDirectory: FileSystem['removeDirectory'] = nodeFileSystem.removeDirectory;
  readonly list: FileSystem['list'] = nodeFileSystem.list;
  readonly sizeOf: FileSystem['sizeOf'] = nodeFileSystem.sizeOf;
  readonly makeDirectory: FileSystem['makeDirectory'] = nodeFileSystem.makeDirectory;

  /** Makes a step fail from now on. Returns what ends it. */
  inject(fault: Fault): () => void {
    this.faults.add(fault);
    return () => void this.faults.delete(fault);
  }

  async open(path: string, mode: 'read' | 'write' | 'create'): Promise<OpenFile> {
    this.#check('open', path);
    const file = await nodeFileSystem.open(path, mode);
    this.openFiles++;
    return this.#wrap(file, path);
  }

  async rename(from: string, to: string): Promise<void> {
    this.#check('rename', to);
    await nodeFileSystem.rename(from, to);
  }

  async remove(path: string): Promise<void> {
    this.#check('remove', path);
    await nodeFileSystem.remove(path);
  }

  async syncDirectory(directory: string): Promise<void> {
    this.#check('syncDirectory', directory);
    await nodeFileSystem.syncDirectory(directory);
  }

  #wrap(file: OpenFile, path: string): OpenFile {
    return {
      read: async (buffer, position) => {
        this.#check('read', path);
        return file.read(buffer, position);
      },
      write: async (bytes, position) => {
        const fault = this.#find('write', path);
        if (fault === undefined) return file.write(bytes, position);
        await file.write(bytes.subarray(0, fault.writesBytes ?? 0), position);
        throw systemError(fault.code);
      },
      sync: async () => {
        this.#check('sync', path);
        this.syncs++;
        await file.sync();
      },
      truncate: async (sizeBytes) => {
        this.#check('truncate', path);
        await file.truncate(sizeBytes);
      },
      size: () => file.size(),
      close: async () => {
        this.openFiles--;
        await file.close();
      },
    };
  }

  #find(step: FaultyStep, path: string): Fault | undefined {
    return [...this.faults].find((fault) => fault.step === step && path.includes(fault.file ?? ''));
  }

  #check(step: FaultyStep, path: string): void {
    this.journal.push(`${step} ${path}`);
    const fault = this.#find(step, path);
    if (fault !== undefined) throw systemError(fault.code);
  }
}

function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: injected`), { code });
}

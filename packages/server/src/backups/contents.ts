import { createHash, type Hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { CodedError } from '@cairn/errors';
import type { FileSystem, OpenFile } from '@cairn/storage-fs';
import { nodeFileSystem } from '@cairn/storage-fs/experimental';
import { type FileSum, hashFile } from './file-copy.ts';

/**
 * The file of a backup that lists all others. It is made empty before anything is copied, and filled when all was copied
 * and read back: one that is not whole is that of a backup which did not end.
 */
export const CONTENTS_FILE = 'contents';

/** Files by their paths in the backup, parts joined with `/`, in order. */
export type Contents = ReadonlyMap<string, FileSum>;

export interface Difference {
  /** Relative to the backup, parts joined with `/`. */
  readonly file: string;
  /** In words. */
  readonly reason: string;
}

const VERSION = 1;
const FIRST_LINE = `cairn-backup ${VERSION}`;
const BUFFERED_CHARACTERS = 262_144;
const ROW = /^([0-9a-f]{64}) (\d{1,16}) (.+)$/;

/** Returns true if a folder is a backup of a release that lists their files, whole or not. */
export function isBackup(directory: string): boolean {
  return existsSync(path.join(directory, CONTENTS_FILE));
}

/** @throws `ERR_BACKUP_IN_PLACE` (conflict) for a folder that is a backup, which nothing may write to. */
export function refuseBackup(directory: string): void {
  if (!isBackup(directory)) return;
  const message = `${directory} is a backup (it has a file ${CONTENTS_FILE}); cairn restore copies it into a data directory`;
  throw new CodedError({ code: 'ERR_BACKUP_IN_PLACE', kind: 'conflict', message });
}

/** Says durably that a folder is a backup which did not end yet. */
export async function beginContents(directory: string, fs: FileSystem): Promise<void> {
  const file = await fs.open(path.join(directory, CONTENTS_FILE), 'create');
  await file.sync().finally(() => file.close());
  await fs.syncDirectory(directory);
}

/**
 * Lists every file under a folder in its file {@link CONTENTS_FILE}, durably: a line with the version, one for each
 * file with its SHA-256, size and path, and one with their number and the SHA-256 of all lines before. Cost: reads
 * everything.
 */
export async function endContents(directory: string, fs: FileSystem): Promise<void> {
  const handle = await fs.open(path.join(directory, CONTENTS_FILE), 'write');
  const lines = new LineWriter(handle);
  try {
    await lines.write(FIRST_LINE);
    let count = 0;
    for (const file of await filesBelow(directory)) {
      if (file === CONTENTS_FILE) continue;
      const { sizeBytes, sha256 } = await hashFile(path.join(directory, file));
      await lines.write(`${sha256} ${sizeBytes} ${file}`);
      count++;
    }
    await lines.end((sha256) => lastLine(count, sha256));
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Reads the list of a backup; `undefined` when it has none, as those of earlier releases.
 * @throws `ERR_BACKUP_INCOMPLETE` (corrupt) when the list is not whole; `ERR_BACKUP_VERSION` (unsupported) when a later
 *   release made it
 */
export async function readContents(directory: string): Promise<Contents | undefined> {
  const file = path.join(directory, CONTENTS_FILE);
  if (!existsSync(file)) return undefined;
  const bytes = await readFile(file);
  const [, version] = /^cairn-backup (\d{1,9})\n/.exec(bytes.toString('latin1', 0, 30)) ?? [];
  if (Number(version) > VERSION) throw newer(file, Number(version));
  const end = bytes.lastIndexOf(10, -2) + 1;
  const lines = [...linesOf(bytes.subarray(0, end))];
  const expected = lastLine(lines.length - 1, createHash('sha256').update(bytes.subarray(0, end)).digest('hex'));
  if (lines[0] !== FIRST_LINE || bytes.toString('utf8', end) !== `${expected}\n`) throw notWhole(file);
  return new Map(lines.slice(1).map((line) => toRow(line, file)));
}

/** Files that are missing or have another size than a backup lists, in order. Cost: looks at each, and reads none. */
export async function findMissing(directory: string, contents: Contents): Promise<Difference[]> {
  const found: Difference[] = [];
  for (const [file, { sizeBytes }] of contents) {
    const size = await nodeFileSystem.sizeOf(path.join(directory, file));
    if (size !== sizeBytes) found.push({ file, reason: sizeReason(size, sizeBytes) });
  }
  return found;
}

/** Files that are not as a backup lists them, in order. Cost: reads everything. */
export async function* checkContents(directory: string, contents: Contents): AsyncGenerator<Difference> {
  const missing = new Map((await findMissing(directory, contents)).map((one) => [one.file, one]));
  for (const [file, listed] of contents) {
    const known = missing.get(file);
    const difference = known ?? compareFile(file, listed, await hashFile(path.join(directory, file)));
    if (difference !== undefined) yield difference;
  }
}

/** How a file that was read differs from what is listed, if it does. */
export function compareFile(file: string, listed: FileSum, found: FileSum): Difference | undefined {
  if (found.sizeBytes !== listed.sizeBytes) return { file, reason: sizeReason(found.sizeBytes, listed.sizeBytes) };
  return found.sha256 === listed.sha256
    ? undefined
    : { file, reason: 'it is not what was backed up: its checksum differs' };
}

/** Paths of all files under a folder, parts joined with `/`, in order. */
export async function filesBelow(directory: string, below = ''): Promise<string[]> {
  const entries = await nodeFileSystem.list(path.join(directory, below));
  const files: string[] = [];
  for (const { name, isDirectory } of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const file = `${below}${name}`;
    if (isDirectory) files.push(...(await filesBelow(directory, `${file}/`)));
    else files.push(file);
  }
  return files;
}

/** Writes lines through a buffer, and hashes them. */
class LineWriter {
  readonly #file: OpenFile;
  readonly #hash: Hash = createHash('sha256');
  #text = '';
  #position = 0;

  constructor(file: OpenFile) {
    this.#file = file;
  }

  async write(line: string): Promise<void> {
    this.#text += `${line}\n`;
    if (this.#text.length > BUFFERED_CHARACTERS) await this.#flush();
  }

  /** The last line, made of the hash of those before. */
  async end(toLine: (sha256: string) => string): Promise<void> {
    await this.#flush();
    this.#text = `${toLine(this.#hash.copy().digest('hex'))}\n`;
    await this.#flush();
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.from(this.#text);
    this.#text = '';
    this.#hash.update(bytes);
    await this.#file.write(bytes, this.#position);
    this.#position += bytes.length;
  }
}

function lastLine(count: number, sha256: string): string {
  return `end ${count} ${sha256}`;
}

function* linesOf(bytes: Buffer): Generator<string> {
  for (let start = 0, end = 0; start < bytes.length; start = end + 1) {
    end = bytes.indexOf(10, start);
    yield bytes.toString('utf8', start, end);
  }
}

/** Names lead nowhere but below the backup, whoever wrote them. */
function toRow(line: string, contentsFile: string): [string, FileSum] {
  const [, sha256 = '', size, file = ''] = ROW.exec(line) ?? [];
  const isBelow = file !== '' && file.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
  if (!isBelow) throw notWhole(contentsFile);
  return [file, { sizeBytes: Number(size), sha256 }];
}

function sizeReason(found: number | undefined, listed: number): string {
  return found === undefined ? 'it is missing' : `it has ${found} bytes, and ${listed} were backed up`;
}

function notWhole(file: string): CodedError {
  const message = `${file}, the list of the files of the backup, is damaged, or the backup did not end`;
  return new CodedError({ code: 'ERR_BACKUP_INCOMPLETE', kind: 'corrupt', message });
}

function newer(file: string, version: number): CodedError {
  const message = `${file} has format version ${version}; this release reads up to version ${VERSION}`;
  return new CodedError({ code: 'ERR_BACKUP_VERSION', kind: 'unsupported', message });
}

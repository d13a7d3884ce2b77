import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CodedError, isCodedError } from '@cairn/errors';
import { blobFile, openFileBlobStore } from '@cairn/storage-fs';
import { SIGNING_KEY_FILE } from '../auth/keys.ts';
import { beginContents, type Difference, endContents } from '../backups/contents.ts';
import { verifyCopy } from '../backups/copy-verification.ts';
import { copyFile, naming } from '../backups/file-copy.ts';
import type { Service } from '../composition/service.ts';
import { damaged } from '../verification/finding.ts';
import { makeCopyDurable } from './durable-copy.ts';
import type { Operation, OperationArguments, OperationLine } from './operation.ts';

/** `backup`: a copy of the log, its blobs, the keys and the configuration. Caches are left out: the log rebuilds them. */
export const backup: Operation = { name: 'backup', run: copyData };

/** Blobs that events refer to; all others belong to caches. */
const VALUE_PREFIXES = ['uploads/', 'values/'];
/** Files that are replaced as a whole rather than appended to, and are taken at once. */
const WHOLE_FILES: readonly string[] = ['offsets', 'cuts', 'segments'];

interface LogFile {
  readonly file: string;
  /** Appended files are copied up to the size they had at the moment of the backup. */
  readonly sizeBytes: number;
  /** Content of a file that is replaced as a whole. */
  readonly content: Buffer | undefined;
}

async function* copyData(
  service: Service,
  args: OperationArguments,
  signal: AbortSignal,
): AsyncGenerator<OperationLine> {
  const source = service.storage.dataDirectory;
  if (source === undefined) throw refusal('there is no data directory to back up: everything is in memory');
  const target = path.resolve(String(args['directory']));
  const topmost = makeEmpty(target, source);
  const { fileSystem } = service.storage;
  await naming('write', target, () => beginContents(target, fileSystem));
  const files = listLog(path.join(source, 'log'), service);
  let bytes = 0;
  for (const file of files)
    bytes += await copyLogFile(file, path.join(source, 'log'), path.join(target, 'log'), signal);
  yield { type: 'progress', text: `log: ${files.length} files, ${bytes} bytes` };
  const blobs = await copyBlobs(service, path.join(target, 'blobs'), signal);
  yield { type: 'progress', text: `values: ${blobs.count} blobs, ${blobs.bytes} bytes` };
  for (const kept of [SIGNING_KEY_FILE, 'cairn.yaml']) await copyKept(path.join(source, kept), path.join(target, kept));
  // Files are durable when they are closed, their names only now.
  await makeCopyDurable(target, { topmost, fileSystem });
  let damages = 0;
  for await (const { text, isDamage } of verifyCopy(target, blobs.damaged)) {
    if (isDamage) damages++;
    yield { type: 'progress', text };
  }
  await naming('write', target, () => endContents(target, fileSystem));
  if (damages > 0) throw damaged(damages, 'the backup');
  yield { type: 'result', text: `backed up ${bytes + blobs.bytes} bytes to ${target}` };
}

/**
 * Every file of the log with what is durable of it now. Nothing else of this process runs meanwhile, so no event in the
 * list was made from one that is not in it.
 */
function listLog(directory: string, { storage }: Service): LogFile[] {
  const whole = WHOLE_FILES.filter((file) => existsSync(path.join(directory, file))).map((file) => {
    const content = readFileSync(path.join(directory, file));
    return { file, sizeBytes: content.length, content };
  });
  const segments = storage.fileLog?.segmentFiles() ?? [];
  return [...whole, ...segments.map((segment) => ({ ...segment, content: undefined }))];
}

async function copyLogFile(
  { file, sizeBytes, content }: LogFile,
  source: string,
  target: string,
  signal: AbortSignal,
): Promise<number> {
  const destination = path.join(target, file);
  if (content === undefined) await copyFile(path.join(source, file), destination, { sizeBytes, signal });
  else await naming('write', destination, async () => writeWhole(destination, content));
  return sizeBytes;
}

function writeWhole(file: string, content: Buffer): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, content, { mode: 0o600, flush: true });
}

async function copyBlobs(
  { storage }: Service,
  directory: string,
  signal: AbortSignal,
): Promise<{ readonly count: number; readonly bytes: number; readonly damaged: readonly Difference[] }> {
  const target = await openFileBlobStore({ directory });
  const damaged: Difference[] = [];
  let [count, bytes] = [0, 0];
  for (const prefix of VALUE_PREFIXES) {
    for await (const { name, sizeBytes } of storage.blobs.list(prefix)) {
      try {
        const content = await storage.blobs.stream(name);
        if (content === undefined) continue;
        await target.put(name, content, { signal });
        count += 1;
        bytes += sizeBytes;
      } catch (error) {
        // The others are worth a copy all the more.
        if (!isCodedError(error) || error.kind !== 'corrupt') throw error;
        damaged.push({ file: `blobs/${blobFile(name)}`, reason: error.message });
      }
    }
  }
  await target.close();
  return { count, bytes, damaged };
}

async function copyKept(source: string, target: string): Promise<void> {
  if (existsSync(source)) await copyFile(source, target, { keepsMode: true });
}

/** Makes a folder that is not there. Returns the topmost that was made, if any. */
function makeEmpty(target: string, source: string): string | undefined {
  if (`${target}${path.sep}`.startsWith(`${path.resolve(source)}${path.sep}`))
    throw refusal(`${target} is inside the data directory`);
  if (existsSync(target) && readdirSync(target).length > 0) throw refusal(`${target} is not empty`);
  return mkdirSync(target, { recursive: true, mode: 0o700 });
}

function refusal(message: string): CodedError {
  return new CodedError({ code: 'ERR_USAGE', kind: 'invalid', message });
}

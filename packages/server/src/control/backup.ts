import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CodedError, isCodedError } from '@cairn/errors';
import { openFileBlobStore } from '@cairn/storage-fs';
import type { Service } from '../composition/service.ts';
import { createVerifiedData, verifyStoredData } from '../verification/stored-data.ts';
import { makeCopyDurable } from './durable-copy.ts';
import type { Operation, OperationArguments, OperationLine } from './operation.ts';
import { damaged } from './verify.ts';

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
  const files = listLog(path.join(source, 'log'), service);
  let bytes = 0;
  for (const file of files)
    bytes += await copyLogFile(file, path.join(source, 'log'), path.join(target, 'log'), signal);
  yield { type: 'progress', text: `log: ${files.length} files, ${bytes} bytes` };
  const blobs = await copyBlobs(service, path.join(target, 'blobs'), signal);
  yield { type: 'progress', text: `values: ${blobs.count} blobs, ${blobs.bytes} bytes` };
  for (const kept of ['keys/signing-key.json', 'cairn.yaml'])
    copyKept(path.join(source, kept), path.join(target, kept));
  // Files are durable when they are closed, their names only now.
  await makeCopyDurable(target, { topmost, fileSystem });
  yield* verifyCopy(target, 'the backup', blobs.damaged);
  yield { type: 'result', text: `backed up ${bytes + blobs.bytes} bytes to ${target}` };
}

/**
 * Reads a copy whole, and names what is wrong with it.
 * @throws `ERR_DAMAGED` (corrupt) when anything is, or when `known` damage could not be copied
 */
export async function* verifyCopy(
  directory: string,
  what: string,
  known: readonly string[] = [],
): AsyncGenerator<OperationLine> {
  let count = 0;
  const tell = (text: string): OperationLine => {
    count++;
    return { type: 'progress', text: `damaged: ${text}` };
  };
  for (const text of known) yield tell(text);
  const verified = createVerifiedData();
  for await (const { area, what: file, reason } of verifyStoredData({ directory }, verified)) {
    if (area !== 'cut') yield tell(`${file}: ${reason}`);
  }
  if (count > 0) throw damaged(count, what);
  yield { type: 'progress', text: `verified: ${verified.events} events and ${verified.blobs} values` };
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
  mkdirSync(path.dirname(destination), { recursive: true });
  if (content !== undefined) writeFileSync(destination, content, { flush: true });
  else if (sizeBytes === 0) writeFileSync(destination, '', { flush: true });
  else {
    const prefix = createReadStream(path.join(source, file), { end: sizeBytes - 1 });
    await pipeline(prefix, createWriteStream(destination, { flush: true }), { signal });
  }
  return sizeBytes;
}

async function copyBlobs(
  { storage }: Service,
  directory: string,
  signal: AbortSignal,
): Promise<{ readonly count: number; readonly bytes: number; readonly damaged: readonly string[] }> {
  const target = await openFileBlobStore({ directory });
  const damaged: string[] = [];
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
        damaged.push(error.message);
      }
    }
  }
  await target.close();
  return { count, bytes, damaged };
}

function copyKept(source: string, target: string): void {
  if (!existsSync(source)) return;
  mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 });
  writeFileSync(target, readFileSync(source), { mode: statSync(source).mode & 0o777, flush: true });
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

import path from 'node:path';
import { CodedError } from '@cairn/errors';
import { type BlobStore, createMemoryBlobStore, createMemoryEventLog, type EventLog } from '@cairn/events';
import type { EraseValues } from '@cairn/ingest';
import {
  type FileEventLog,
  type FileEventLogOptions,
  type FileSystem,
  openFileBlobStore,
  openFileEventLog,
} from '@cairn/storage-fs';
import { nodeFileSystem } from '@cairn/storage-fs/experimental';
import { createSigningKey, openSigningKey, type SigningKey } from '../auth/keys.ts';
import { refuseBackup } from '../backups/contents.ts';
import { refuseUnfinishedRestore } from '../backups/marker.ts';
import { controlSocketPath, isListening } from '../control/socket-path.ts';
import { causeOf, isForbidden, naming, toFileError } from '../operations/file-access.ts';
import type { Adapters } from './adapters.ts';
import type { SetAside } from './generations.ts';

/** The log in use: the one in files, the one in memory, or an adapter. */
export type EventSource = 'file' | 'memory' | 'custom';

/** Where events and blobs are, and the key pair of local users. */
export interface Storage {
  readonly log: EventLog;
  readonly blobs: BlobStore;
  readonly signingKey: SigningKey;
  /** `undefined` when there is none. */
  readonly dataDirectory: string | undefined;
  /** Where files are, those of backups too. */
  readonly fileSystem: FileSystem;
  /** The name of the log in version-info. */
  readonly eventSource: EventSource;
  /** Why events cannot be written at the moment; `undefined` when they can. Tries anew after a failure. */
  writeError(): Promise<CodedError | undefined>;
  /** The log in files; `undefined` for any other. */
  readonly fileLog: FileEventLog | undefined;
  /** Erases values of events from the files of the log; `undefined` for any other log. */
  readonly eraseValues: EraseValues | undefined;
  /** Moves damaged blobs and manifests aside; `undefined` where that cannot be done. */
  readonly setAside: SetAside | undefined;
  /** Removes what of the log and the blobs was set aside as damaged. Returns how many files and caches that were. */
  removeSetAside(): Promise<number>;
  /** Bytes on disk by topic; empty for any other log. */
  topicBytes(): Readonly<Record<string, number>>;
  close(): Promise<void>;
}

type LogParts = Pick<Storage, 'log' | 'fileLog' | 'eventSource' | 'eraseValues' | 'writeError' | 'topicBytes'>;

/**
 * Storage in a data directory, made when it is not there, with adapters in place of its log or its blobs.
 * @param onLockLost told when the lock of its log is lost, from when on nothing is written there
 * @throws `ERR_LOG_LOCKED` (conflict) when it is in use, also without its lock; `ERR_RESTORE_UNFINISHED` (corrupt) when it was not restored to
 *   its end; `ERR_BACKUP_IN_PLACE` (conflict) when it is a backup; `ERR_FILE_WRITE` (unavailable) when this user may not
 *   write to it, or nobody may.
 */
export async function openDirectoryStorage(
  dataDirectory: string,
  adapters: Adapters = {},
  onLockLost?: (error: CodedError) => void,
): Promise<Storage> {
  refuseUnfinishedRestore(dataDirectory);
  refuseBackup(dataDirectory);
  const { fileSystem } = adapters;
  await refuseServed(dataDirectory);
  await naming('write', dataDirectory, () => (fileSystem ?? nodeFileSystem).makeDirectory(dataDirectory));
  const files = fileSystem === undefined ? {} : { fileSystem };
  const parts =
    adapters.log === undefined
      ? await mayWrite(dataDirectory, () =>
          openLog(path.join(dataDirectory, 'log'), { ...files, ...(onLockLost && { onLockLost }) }),
        )
      : partsOf(adapters.log, 'custom');
  try {
    const directory = path.join(dataDirectory, 'blobs');
    const blobs =
      adapters.blobs === undefined
        ? await mayWrite(dataDirectory, () => openBlobs(directory, files))
        : partsOfBlobs(adapters.blobs);
    const signingKey = await mayWrite(dataDirectory, () => openSigningKey(dataDirectory));
    return toStorage(parts, blobs, { signingKey, dataDirectory, fileSystem: fileSystem ?? nodeFileSystem });
  } catch (error) {
    await parts.log.close();
    throw error;
  }
}

/** A lock can be removed by hand; who listens on the control socket lives. @throws `ERR_LOG_LOCKED` (conflict) */
async function refuseServed(dataDirectory: string): Promise<void> {
  const socketPath = controlSocketPath(dataDirectory);
  if (!(await isListening(socketPath))) return;
  const message = `a server uses ${dataDirectory}: it listens on ${socketPath}; stop it first`;
  throw new CodedError({ code: 'ERR_LOG_LOCKED', kind: 'conflict', message });
}

async function mayWrite<T>(directory: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw isForbidden(error) ? toFileError('write', directory, causeOf(error)) : error;
  }
}

/** Storage that lives as long as the process, with adapters handed in where there are any. */
export async function openMemoryStorage({ log, blobs = createMemoryBlobStore() }: Adapters): Promise<Storage> {
  const parts =
    log === undefined ? partsOf(createMemoryEventLog({ nowMs: Date.now }), 'memory') : partsOf(log, 'custom');
  const signingKey = await createSigningKey();
  const where = { dataDirectory: undefined, fileSystem: nodeFileSystem };
  return toStorage(parts, partsOfBlobs(blobs), { signingKey, ...where });
}

function toStorage(
  log: LogParts,
  { removeDamaged, ...blobs }: BlobParts,
  others: Pick<Storage, 'signingKey' | 'dataDirectory' | 'fileSystem'>,
): Storage {
  return {
    ...log,
    ...blobs,
    ...others,
    removeSetAside: async () => ((await log.fileLog?.removeSetAside()) ?? 0) + (await removeDamaged()),
    async close() {
      await blobs.blobs.close();
      await log.log.close();
    },
  };
}

interface BlobParts extends Pick<Storage, 'blobs' | 'setAside'> {
  readonly removeDamaged: () => Promise<number>;
}

async function openBlobs(directory: string, files: { readonly fileSystem?: FileSystem }): Promise<BlobParts> {
  const blobs = await openFileBlobStore({ directory, ...files });
  return { blobs, setAside: (name, as) => blobs.setAside(name, as), removeDamaged: () => blobs.removeSetAside() };
}

function partsOfBlobs(blobs: BlobStore): BlobParts {
  return { blobs, setAside: undefined, removeDamaged: async () => 0 };
}

async function openLog(
  directory: string,
  options: Pick<FileEventLogOptions, 'fileSystem' | 'onLockLost'>,
): Promise<LogParts> {
  const log = await openFileEventLog({ directory, ...options });
  return {
    log,
    fileLog: log,
    eventSource: 'file',
    eraseValues: (topic, picks) => log.eraseValues(topic, picks),
    writeError: async () => (log.writeError === undefined ? undefined : log.checkWritable()),
    topicBytes: () => Object.fromEntries(log.stats().map(({ topic, sizeBytes }) => [topic, sizeBytes])),
  };
}

function partsOf(log: EventLog, eventSource: EventSource): LogParts {
  const parts = { fileLog: undefined, eraseValues: undefined, writeError: async () => undefined };
  return { log, eventSource, ...parts, topicBytes: () => ({}) };
}

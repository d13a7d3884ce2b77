import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { CodedError } from '@cairn/errors';
import { type BlobStore, createMemoryBlobStore, createMemoryEventLog, type EventLog } from '@cairn/events';
import type { EraseValues } from '@cairn/ingest';
import { type FileSystem, openFileBlobStore, openFileEventLog } from '@cairn/storage-fs';
import { createSigningKey, openSigningKey, type SigningKey } from '../auth/keys.ts';

/** Where events and blobs are, and the key pair of local users. */
export interface Storage {
  readonly log: EventLog;
  readonly blobs: BlobStore;
  readonly signingKey: SigningKey;
  /** `undefined` when everything is in memory. */
  readonly dataDirectory: string | undefined;
  /** The name of the log in version-info. */
  readonly eventSource: 'file' | 'memory';
  /** Why events cannot be written at the moment; `undefined` when they can. Tries anew after a failure. */
  writeError(): Promise<CodedError | undefined>;
  /** Erases values of events from the files of the log; `undefined` in memory. */
  readonly eraseValues: EraseValues | undefined;
  /** Bytes on disk by topic; empty in memory. */
  topicBytes(): Readonly<Record<string, number>>;
  close(): Promise<void>;
}

/** Storage in a data directory, made when it is not there. @throws `ERR_LOG_LOCKED` (conflict) when it is in use. */
export async function openDirectoryStorage(dataDirectory: string, fileSystem?: FileSystem): Promise<Storage> {
  mkdirSync(dataDirectory, { recursive: true });
  const files = fileSystem === undefined ? {} : { fileSystem };
  const log = await openFileEventLog({ directory: path.join(dataDirectory, 'log'), ...files });
  try {
    const blobs = await openFileBlobStore({ directory: path.join(dataDirectory, 'blobs'), ...files });
    const signingKey = await openSigningKey(dataDirectory);
    return {
      log,
      blobs,
      signingKey,
      dataDirectory,
      eventSource: 'file',
      eraseValues: (topic, picks) => log.eraseValues(topic, picks),
      writeError: async () => (log.writeError === undefined ? undefined : log.checkWritable()),
      topicBytes: () => Object.fromEntries(log.stats().map(({ topic, sizeBytes }) => [topic, sizeBytes])),
      close: closeAll(blobs, log),
    };
  } catch (error) {
    await log.close();
    throw error;
  }
}

/** Storage that lives as long as the process, with adapters handed in where there are any. */
export async function openMemoryStorage(adapters: {
  readonly log?: EventLog;
  readonly blobs?: BlobStore;
}): Promise<Storage> {
  const log = adapters.log ?? createMemoryEventLog({ now: Date.now });
  const blobs = adapters.blobs ?? createMemoryBlobStore();
  const signingKey = await createSigningKey();
  return {
    log,
    blobs,
    signingKey,
    dataDirectory: undefined,
    eventSource: 'memory',
    eraseValues: undefined,
    writeError: async () => undefined,
    topicBytes: () => ({}),
    close: closeAll(blobs, log),
  };
}

function closeAll(blobs: BlobStore, log: EventLog): () => Promise<void> {
  return async () => {
    await blobs.close();
    await log.close();
  };
}

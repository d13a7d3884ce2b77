import { throwIfAborted } from '@cairn/errors';
import { type BlobStore, type EventLog, valueBlob } from '@cairn/events';

/** Where uploaded content over 1 MiB is stored. */
export const UPLOAD_BLOB_PREFIX = 'uploads/';

export interface CollectOptions {
  readonly log: EventLog;
  readonly blobs: BlobStore;
  /** Returns true if a blob is of an upload whose events are not appended yet. */
  readonly isUnderWay: (name: string) => boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Removes the blobs under `uploads/` that no event refers to: what an upload that was cut by a crash left behind.
 * Returns how many. Uploads may run meanwhile. Cost: reads every topic, unless there is no such blob at all.
 */
export async function collectUploads({ log, blobs, isUnderWay, signal }: CollectOptions): Promise<number> {
  const orphans = new Set<string>();
  for await (const { name } of blobs.list(UPLOAD_BLOB_PREFIX)) orphans.add(name);
  // In this order: an upload that is over by now has its events where they are found below.
  for (const name of orphans) if (isUnderWay(name)) orphans.delete(name);
  for (const topic of orphans.size === 0 ? [] : await log.topics()) {
    for await (const batch of log.read(topic)) {
      throwIfAborted(signal);
      for (const event of batch) orphans.delete(valueBlob(event)?.name ?? '');
    }
  }
  for (const name of orphans) {
    throwIfAborted(signal);
    await blobs.delete(name);
  }
  return orphans.size;
}

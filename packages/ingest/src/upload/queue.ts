import { CodedError } from '@cairn/errors';

/** Bounds on the uploads in work. */
export interface UploadQueueOptions {
  /** Most uploads at once; further ones are refused. Default 64. */
  readonly maxUploads?: number;
  /** Most bytes of small files that wait in memory for the log, over all uploads. Default 64 MiB. */
  readonly maxPendingBytes?: number;
}

/** Counts the uploads in work and refuses more than it may hold. */
export class UploadQueue {
  readonly #maxUploads: number;
  readonly #maxPendingBytes: number;
  #uploads = 0;
  #pendingBytes = 0;
  readonly #prefixes = new Set<string>();

  /** Told when an upload that failed could not remove what it had stored. */
  onLeftover: () => void = () => {};

  constructor({ maxUploads = 64, maxPendingBytes = 64 * 1024 * 1024 }: UploadQueueOptions = {}) {
    this.#maxUploads = maxUploads;
    this.#maxPendingBytes = maxPendingBytes;
  }

  /** Uploads in work. */
  get uploads(): number {
    return this.#uploads;
  }

  /**
   * Runs an upload that stores its blobs under a prefix of its own.
   * @throws `ERR_UPLOAD_QUEUE_FULL` (overloaded)
   */
  async run<Result>(prefix: string, upload: () => Promise<Result>): Promise<Result> {
    if (this.#uploads >= this.#maxUploads) throw full(this.#maxUploads);
    this.#uploads++;
    this.#prefixes.add(prefix);
    try {
      return await upload();
    } finally {
      this.#uploads--;
      this.#prefixes.delete(prefix);
    }
  }

  /** Whether a blob is of an upload in work: its event may be yet to come. */
  holds(blob: string): boolean {
    return this.#prefixes.has(blob.slice(0, blob.lastIndexOf('/') + 1));
  }

  /** Whether so many bytes may wait in memory; when they may, they count until {@link UploadQueue.release}. */
  tryHold(bytes: number): boolean {
    if (this.#pendingBytes + bytes > this.#maxPendingBytes) return false;
    this.#pendingBytes += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#pendingBytes -= bytes;
  }
}

function full(maxUploads: number): CodedError {
  return new CodedError({
    code: 'ERR_UPLOAD_QUEUE_FULL',
    kind: 'overloaded',
    message: `at most ${maxUploads} uploads run at once; try again later`,
  });
}

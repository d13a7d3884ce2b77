import { CodedError, checkObject, resolveLimits } from '@cairn/errors';

/** Bounds on the uploads in work. */
export interface UploadQueueOptions {
  /** Most uploads at once; further ones are refused. Default 64. */
  readonly maxUploads?: number;
  /** Most uploads at once of one sender; further ones are refused. Default as many as of all. */
  readonly maxUploadsPerSender?: number;
  /** Most bytes of small files that wait in memory for the log, over all uploads. Default 64 MiB. */
  readonly maxPendingBytes?: number;
}

/** Where uploaded content over 1 MiB is stored. */
export const UPLOAD_BLOB_PREFIX = 'uploads/';

const DEFAULTS = { maxUploads: 64, maxPendingBytes: 64 * 1024 * 1024 };

/** Counts the uploads in work and refuses more than it may hold. */
export class UploadQueue {
  readonly #limits: Required<UploadQueueOptions>;
  #uploads = 0;
  /** Uploads in work by sender; a sender without any has no entry. */
  readonly #bySender = new Map<string, number>();
  #pendingBytes = 0;
  readonly #prefixes = new Set<string>();
  /** Of uploads whose events may or may not be in the log. */
  readonly #inDoubt = new Set<string>();

  /** Told when an upload that failed could not remove what it had stored. */
  onLeftover: () => void = () => {};

  /** @throws `ERR_ARGUMENT` (invalid) for a bound that is none: nothing is greater than NaN */
  constructor(options: UploadQueueOptions = {}) {
    checkObject(options, 'the bounds of the uploads');
    this.#limits = resolveLimits(options, {
      ...DEFAULTS,
      maxUploadsPerSender: options.maxUploads ?? DEFAULTS.maxUploads,
    });
  }

  /** Uploads in work. */
  get uploads(): number {
    return this.#uploads;
  }

  /** Runs an upload with a prefix of its own. @throws `ERR_UPLOAD_QUEUE_FULL`, `ERR_UPLOAD_SHARE` (overloaded) */
  async run<Result>(prefix: string, sender: string, upload: () => Promise<Result>): Promise<Result> {
    const { maxUploads, maxUploadsPerSender: maxOwn } = this.#limits;
    const own = this.#bySender.get(sender) ?? 0;
    if (this.#uploads >= maxUploads) {
      const message = `at most ${maxUploads} uploads run at once; try again later`;
      throw new CodedError({ code: 'ERR_UPLOAD_QUEUE_FULL', kind: 'overloaded', message });
    }
    if (own >= maxOwn) {
      const message = `at most ${maxOwn} uploads of one sender run at once; try again when one of them is done`;
      throw new CodedError({ code: 'ERR_UPLOAD_SHARE', kind: 'overloaded', message });
    }
    this.#uploads++;
    this.#bySender.set(sender, own + 1);
    this.#prefixes.add(prefix);
    try {
      return await upload();
    } finally {
      this.#uploads--;
      const left = (this.#bySender.get(sender) ?? 1) - 1;
      if (left === 0) this.#bySender.delete(sender);
      else this.#bySender.set(sender, left);
      this.#prefixes.delete(prefix);
    }
  }

  /** Keeps what is stored under a prefix: whether an event refers to it shows when the log is opened again. */
  doubt(prefix: string): void {
    this.#inDoubt.add(prefix);
  }

  /** Returns true if something was stored that perhaps no event refers to. */
  get isInDoubt(): boolean {
    return this.#inDoubt.size > 0;
  }

  /** Returns true if a blob is of an upload in work or in doubt: its event may be yet to come. */
  holds(blob: string): boolean {
    const prefix = blob.slice(0, blob.lastIndexOf('/') + 1);
    return this.#prefixes.has(prefix) || this.#inDoubt.has(prefix);
  }

  /** Returns true if so many bytes may wait in memory; when they may, they count until {@link UploadQueue.release}. */
  tryHold(bytes: number): boolean {
    if (this.#pendingBytes + bytes > this.#limits.maxPendingBytes) return false;
    this.#pendingBytes += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#pendingBytes -= bytes;
  }
}

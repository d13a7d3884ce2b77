import { throwIfAborted } from '@cairn/errors';
import { type BlobStore, type EventLog, valueBlob } from '@cairn/events';
import type { Clock } from '../port/clock.ts';
import { UPLOAD_BLOB_PREFIX, type UploadQueue } from '../upload/queue.ts';
import { readNote, writeNote } from '../work/note.ts';

export interface LeftoverOptions {
  readonly log: EventLog;
  readonly blobs: BlobStore;
  readonly queue: UploadQueue;
  readonly clock: Clock;
  /** Is told when the note of how the last process ended was damaged. */
  readonly onDamage?: ((what: string, error: unknown) => void) | undefined;
}

const NOTE = 'uploads/state';
const CLEAN = 'clean';
const RETRY_MS = 60_000;

/** Removes in the background what uploads left: after a disorderly end, and when one could not take it back. */
export class LeftoverCollector {
  readonly #options: LeftoverOptions;
  #stopping = new AbortController();
  #run: Promise<void> | undefined;
  /** True when the note of last time was replaced: a later start then looks for what this one leaves. */
  #isNoted = false;
  #isClean = false;

  constructor(options: LeftoverOptions) {
    this.#options = options;
    options.queue.onLeftover = () => this.#later();
  }

  /** Reads how the last process ended. Resolves before anything is collected. */
  async start(): Promise<void> {
    const { blobs, onDamage } = this.#options;
    // Damaged, it is as if there were none: then leftovers are looked for.
    const damaged = (error: unknown): boolean => {
      onDamage?.(`the note of how uploads ended, ${NOTE}`, error);
      return false;
    };
    this.#isClean = await readNote(blobs, NOTE, (state) => state === CLEAN, damaged);
    this.#stopping = new AbortController();
    // Without room for the note the server serves reads all the same; it is made as soon as there is some.
    const noted = this.#note('open').then(() => true);
    this.#isNoted = await noted.catch(() => false);
    if (!this.#isNoted) this.#later();
    else if (!this.#isClean) this.#run = this.#collectUntilClean(0);
  }

  /** Ends what is in work, and notes whether anything may be left. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#run;
    this.#run = undefined;
    const { uploads, isInDoubt } = this.#options.queue;
    if (this.#isClean && uploads === 0 && !isInDoubt) await this.#note(CLEAN);
  }

  /**
   * Removes the blobs under `uploads/` that no event refers to: what an upload that was cut by a crash left behind.
   * Returns how many. Uploads may run meanwhile. Cost: reads every topic, unless there is no such blob at all.
   */
  async collect(signal?: AbortSignal): Promise<number> {
    const { log, blobs, queue } = this.#options;
    const orphans = new Set<string>();
    for await (const { name } of blobs.list(UPLOAD_BLOB_PREFIX)) orphans.add(name);
    // In this order: an upload that is over by now has its events where they are found below.
    for (const name of orphans) if (queue.holds(name)) orphans.delete(name);
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

  #later(): void {
    this.#isClean = false;
    this.#run ??= this.#collectUntilClean(RETRY_MS);
  }

  async #collectUntilClean(afterMs: number): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#stopping;
    for (let pauseMs = afterMs; !signal.aborted && !this.#isClean; pauseMs = RETRY_MS) {
      await clock.sleep(pauseMs, signal);
      if (signal.aborted) break;
      this.#isClean = true;
      // What the storage cannot do now it may do later; those who write hear of it.
      try {
        if (!this.#isNoted) await this.#note('open');
        this.#isNoted = true;
        await this.collect(signal);
      } catch {
        this.#isClean = false;
      }
    }
    this.#run = undefined;
  }

  #note(state: string): Promise<void> {
    return writeNote(this.#options.blobs, NOTE, state);
  }
}

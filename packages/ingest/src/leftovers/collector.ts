import type { BlobStore, EventLog } from '@cairn/events';
import type { Clock } from '../port/clock.ts';
import type { UploadQueue } from '../upload/queue.ts';
import { readNote, writeNote } from '../work/note.ts';
import { collectUploads } from './collect.ts';

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

/**
 * Removes in the background what uploads have left: after a start that follows no orderly stop, and a minute after an
 * upload could not take back what it had stored.
 */
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
    const state = await this.#lastNote();
    this.#stopping = new AbortController();
    this.#isClean = state === CLEAN;
    // Without room for the note the server serves reads all the same; it is made as soon as there is some.
    this.#isNoted = await this.#note('open').then(
      () => true,
      () => false,
    );
    if (!this.#isNoted) this.#later();
    else if (!this.#isClean) this.#run = this.#collect(0);
  }

  /** Ends what is in work, and notes whether anything may be left. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#run;
    this.#run = undefined;
    const { uploads, isInDoubt } = this.#options.queue;
    if (this.#isClean && uploads === 0 && !isInDoubt) await this.#note(CLEAN);
  }

  /** Damaged, it is as if there were none: then leftovers are looked for. */
  #lastNote(): Promise<string | undefined> {
    const { blobs, onDamage } = this.#options;
    return readNote<string | undefined>(
      blobs,
      NOTE,
      (state) => state,
      (error) => {
        onDamage?.(`the note of how uploads ended, ${NOTE}`, error);
        return undefined;
      },
    );
  }

  #later(): void {
    this.#isClean = false;
    this.#run ??= this.#collect(RETRY_MS);
  }

  async #collect(afterMs: number): Promise<void> {
    const { log, blobs, queue, clock } = this.#options;
    const { signal } = this.#stopping;
    for (let pauseMs = afterMs; !signal.aborted && !this.#isClean; pauseMs = RETRY_MS) {
      await clock.sleep(pauseMs, signal);
      if (signal.aborted) break;
      this.#isClean = true;
      // What the storage cannot do now it may do later; those who write hear of it.
      try {
        if (!this.#isNoted) await this.#note('open');
        this.#isNoted = true;
        await collectUploads({ log, blobs, isUnderWay: (name) => queue.holds(name), signal });
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

import type { Pause } from '../plan/work-budget.ts';
import type { IndexStore, MergeInProgress } from './index-store.ts';

/** Merges up to this many documents are done at once, larger ones between other work. */
const MAX_INLINE_DOCUMENTS = 64;
/** How long a background merge works before it lets others run, in milliseconds. */
const SLICE_MS = 3;

/** Keeps the segments of an index few: small merges at once, larger ones in the background. */
export class Maintenance {
  private readonly now: () => number;
  private readonly pause: Pause;
  private running: Promise<void> | undefined;
  private isStopped = false;
  /** Merges that were done since the index was opened. */
  mergeCount = 0;

  constructor(now: () => number, pause: Pause) {
    this.now = now;
    this.pause = pause;
  }

  /** Merges what is small now and sees to the rest in the background. */
  afterChange(store: IndexStore): void {
    let merge = store.startMerge();
    while (merge !== undefined && merge.documentCount <= MAX_INLINE_DOCUMENTS) {
      this.finish(store, merge);
      merge = store.startMerge();
    }
    if (merge !== undefined && this.running === undefined) {
      this.running = this.runInBackground(store).finally(() => {
        this.running = undefined;
      });
    }
  }

  /** Resolves when no merge is under way or due. */
  async settle(stores: Iterable<IndexStore>): Promise<void> {
    for (const store of stores) {
      while (!this.isStopped) {
        await this.running;
        if (store.startMerge() === undefined) break;
        this.afterChange(store);
      }
    }
  }

  /** Merges all segments of an index into one. */
  async compact(store: IndexStore): Promise<void> {
    await this.running;
    const merge = store.startMerge(true);
    if (merge !== undefined) await this.finishInSlices(store, merge);
  }

  /** Ends background work; what it has not finished is left undone. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await this.running;
  }

  private async runInBackground(store: IndexStore): Promise<void> {
    await this.pause();
    for (let merge = store.startMerge(); merge !== undefined; merge = store.startMerge()) {
      await this.finishInSlices(store, merge);
      if (this.isStopped) return;
    }
  }

  private async finishInSlices(store: IndexStore, merge: MergeInProgress): Promise<void> {
    let sliceStarted = this.now();
    let step = merge.work.next();
    while (!step.done) {
      if (this.now() - sliceStarted >= SLICE_MS) {
        await this.pause();
        if (this.isStopped) return;
        sliceStarted = this.now();
      }
      step = merge.work.next();
    }
    store.installMerge(merge, step.value);
    this.mergeCount++;
  }

  private finish(store: IndexStore, merge: MergeInProgress): void {
    let step = merge.work.next();
    while (!step.done) step = merge.work.next();
    store.installMerge(merge, step.value);
    this.mergeCount++;
  }
}

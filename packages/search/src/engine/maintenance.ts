import { runAtOnce, type Turns, WorkGuard } from '@cairn/events';
import type { IndexStore, MergeInProgress } from './index-store.ts';
import type { RebuildReport } from './rebuild.ts';

/** Keeps the segments of an index few: small merges at once, larger ones in the background. */
export class Maintenance {
  readonly #turns: Turns;
  readonly #onFailure: (error: unknown) => void;
  #running: Promise<void> | undefined;
  #isStopped = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(turns: Turns, onFailure: (error: unknown) => void) {
    this.#turns = turns;
    this.#onFailure = onFailure;
  }

  /** Merges what is small now and sees to the rest in the background. */
  afterChange(store: IndexStore): void {
    let merge = store.startMerge();
    while (merge?.isSmall === true) {
      store.installMerge(merge, runAtOnce(merge.work));
      merge = store.startMerge();
    }
    if (merge !== undefined && this.#running === undefined)
      this.#runNext(() => this.#finishAll(store, () => store.startMerge()));
  }

  /** Builds the outdated segments of an index anew in the background; they answer until all are built. */
  rebuild(store: IndexStore, report: RebuildReport): void {
    this.#runNext(async () => {
      const parts = await this.#stepInSlices(store.rebuild(report));
      const prepared = parts && (await this.#stepInSlices(store.prepareRebuilt(parts)));
      if (parts === undefined || prepared === undefined) return;
      store.installRebuilt(parts, prepared);
      await this.#finishAll(store, () => store.startMerge());
    });
  }

  /** Resolves when no merge is under way or due. Rejects when one has failed since the last call. */
  async settle(stores: Iterable<IndexStore>): Promise<void> {
    for (const store of stores) {
      while (!this.#isStopped) {
        await this.#running;
        const failure = this.#failure;
        this.#failure = undefined;
        if (failure !== undefined) throw failure.error;
        if (store.startMerge() === undefined) break;
        this.afterChange(store);
      }
    }
  }

  /** Merges all segments of an index into one, or into as few as hold them. */
  async compact(store: IndexStore): Promise<void> {
    await this.#running;
    for (const merge of store.startCompaction()) await this.#finishInSlices(store, merge);
  }

  /** Writes the segments of an index anew that hold deleted documents, one after the other. */
  async purge(store: IndexStore): Promise<void> {
    await this.#running;
    await this.#finishAll(store, () => store.startPurge());
  }

  /** Ends background work; what it has not finished is left undone. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  /** Runs work in the background, after what is under way there. */
  #runNext(work: () => Promise<void>): void {
    const done: Promise<void> = (this.#running ?? Promise.resolve())
      .then(() => new WorkGuard(this.#turns).pause())
      .then(work)
      .catch((error: unknown) => {
        this.#failure ??= { error };
        this.#onFailure(error);
      })
      .finally(() => {
        if (this.#running === done) this.#running = undefined;
      });
    this.#running = done;
  }

  async #finishAll(store: IndexStore, start: () => MergeInProgress | undefined): Promise<void> {
    for (let merge = start(); merge !== undefined && !this.#isStopped; merge = start()) {
      await this.#finishInSlices(store, merge);
    }
  }

  async #finishInSlices(store: IndexStore, merge: MergeInProgress): Promise<void> {
    const merged = await this.#stepInSlices(merge.work);
    const prepared = merged && (await this.#stepInSlices(store.prepareInstall(merge, merged)));
    if (merged === undefined || prepared === undefined) return;
    store.installMerge(merge, merged, prepared);
  }

  /** Runs work to its end, or until the engine is closed: then gives `undefined`. */
  async #stepInSlices<T>(work: Generator<void, T>): Promise<T | undefined> {
    const guard = new WorkGuard(this.#turns);
    for (let step = work.next(); ; step = work.next()) {
      if (step.done) return step.value;
      if (guard.isPauseDue()) await guard.pause();
      if (this.#isStopped) return undefined;
    }
  }
}

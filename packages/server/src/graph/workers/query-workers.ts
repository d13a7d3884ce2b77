import { existsSync } from 'node:fs';
import { CodedError, isCodedError, throwIfAborted } from '@cairn/errors';
import { LRUCache } from 'lru-cache';
import type { Evaluated } from '../result-answer.ts';
import type { Task } from './protocol.ts';
import { QueryThread } from './query-thread.ts';

export interface QueryWorkersOptions {
  /** Threads at most, at least 1; each is started when it is first needed. */
  readonly workers: number;
  /** JavaScript heap of one worker in MiB. */
  readonly memoryMb: number;
  /** Queries that all workers together are at, at most. */
  readonly maxQueries: number;
  /** Is told what tasks over a dataset have failed with, as their callers are. */
  readonly onFailure?: ((dataset: string, error: unknown) => void) | undefined;
  /** The code of a worker. Default: the one beside this module. */
  readonly workerUrl?: URL | undefined;
}

/** Longer texts are not remembered, in UTF-16 units. */
const MAX_TEXT_LENGTH = 8_192;
const MAX_TEXTS = 1_000;

/** Queries that took long the last time, by text: there is no need to try those on the main thread again. */
export class LongTexts {
  readonly #texts = new LRUCache<string, true>({ max: MAX_TEXTS });

  has(text: string): boolean {
    return this.#texts.has(text);
  }

  /** Notes whether a query was long this time. */
  note(text: string, isLong: boolean): void {
    if (!isLong) this.#texts.delete(text);
    else if (text.length <= MAX_TEXT_LENGTH) this.#texts.set(text, true);
  }
}

/** Worker threads that evaluate queries over shared memory, each several of them by turns. */
export class QueryWorkers {
  readonly longTexts: LongTexts = new LongTexts();
  readonly #options: QueryWorkersOptions;
  readonly #url: URL;
  readonly #threads = new Set<QueryThread>();
  /** Threads with a query that may take all of their memory, and so shall have no other. */
  readonly #lone = new Set<QueryThread>();
  #lastId = 0;
  #isClosed = false;

  /** No thread is started yet. @throws `ERR_WORKER_MISSING` (internal) when the package was not built. */
  constructor(options: QueryWorkersOptions) {
    this.#options = options;
    this.#url = options.workerUrl ?? locateWorker();
  }

  get running(): number {
    return [...this.#threads].reduce((sum, { load }) => sum + load, 0);
  }

  /**
   * Evaluates a query in the thread that has the fewest. When that thread has to be ended for another query's sake, it
   * begins anew elsewhere unless a piece of its answer was taken already.
   * @throws what the evaluation throws; `ERR_QUERY_WORKERS_BUSY` (overloaded), `ERR_QUERY_MEMORY` (exhausted, or
   *   unavailable when it ran beside others that took it, and a piece of its answer was taken),
   *   `ERR_QUERY_WORKER` (internal; unavailable when another query was at fault), `ERR_CANCELLED`
   */
  async answer(task: Task, signal: AbortSignal): Promise<Evaluated> {
    throwIfAborted(signal);
    const { maxQueries } = this.#options;
    if (this.#isClosed || this.running >= maxQueries) throw busy(maxQueries);
    const run = await this.#begin(task, signal, MAX_ATTEMPTS, false);
    return { headers: run.headers, body: this.#pieces(run, task, signal) };
  }

  /** Begins a query, in another thread when its own had to be ended; `attempts` is how often at most. */
  async #begin(task: Task, signal: AbortSignal, attempts: number, isAlone: boolean): Promise<Run> {
    throwIfAborted(signal);
    const thread = isAlone ? this.#emptyThread() : this.#leastLoaded();
    if (isAlone) this.#lone.add(thread);
    this.#lastId += 1;
    const id = this.#lastId;
    const leave = (): void => thread.cancel(id, cancelled());
    signal.addEventListener('abort', leave, { once: true });
    const settle = (): void => {
      signal.removeEventListener('abort', leave);
      this.#lone.delete(thread);
    };
    try {
      return { thread, id, headers: await thread.start(id, task), attempts: attempts - 1, settle };
    } catch (error) {
      settle();
      this.#options.onFailure?.(task.dataset, error);
      if (attempts <= 1 || !isElsewherePossible(error)) throw error;
      return this.#begin(task, signal, attempts - 1, isOutOfMemory(error));
    }
  }

  /** The body of an answer. Whoever stops taking it ends the query. */
  async *#pieces(first: Run, task: Task, signal: AbortSignal): AsyncGenerator<string> {
    let run = first;
    let isAlone = false;
    let isTaken = false;
    try {
      for (let isLast = false; !isLast; ) {
        const piece = await run.thread.pull(run.id).catch((error: unknown) => {
          this.#options.onFailure?.(task.dataset, error);
          if (isTaken || run.attempts === 0 || !isElsewherePossible(error)) throw error;
          isAlone = isOutOfMemory(error);
        });
        if (piece === undefined) {
          run.settle();
          run = await this.#begin(task, signal, run.attempts, isAlone);
          continue;
        }
        isLast = piece.isLast;
        if (piece.text === '') continue;
        isTaken = true;
        yield piece.text;
      }
    } finally {
      run.thread.cancel(run.id, cancelled());
      run.settle();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#threads].map((thread) => thread.stop(cancelled())));
  }

  #leastLoaded(): QueryThread {
    const { workers } = this.#options;
    const usable = [...this.#threads].filter(({ isUsable }) => isUsable).sort((a, b) => a.load - b.load);
    // One that sticks is as good as gone: another takes its place already. One that may run out of memory is left alone.
    const speaking = usable.filter((thread) => !thread.isSilent && !this.#lone.has(thread));
    const [least = usable[0]] = speaking;
    const isFull = speaking.length >= workers || usable.length >= 2 * workers;
    if (least !== undefined && (isFull || (least.load === 0 && speaking.length > 0))) return least;
    return this.#newThread();
  }

  /** A thread that has nothing, for a query that may have taken the memory of one: there it harms nobody. */
  #emptyThread(): QueryThread {
    const usable = [...this.#threads].filter(({ isUsable }) => isUsable);
    const empty = usable.find((thread) => thread.load === 0 && !thread.isSilent && !this.#lone.has(thread));
    if (empty !== undefined) return empty;
    return usable.length < 2 * this.#options.workers ? this.#newThread() : this.#leastLoaded();
  }

  #newThread(): QueryThread {
    const { memoryMb } = this.#options;
    const thread = new QueryThread({ url: this.#url, memoryMb, onExit: (gone) => void this.#threads.delete(gone) });
    this.#threads.add(thread);
    return thread;
  }
}

interface Run {
  readonly thread: QueryThread;
  readonly id: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly attempts: number;
  settle(): void;
}

/** How often a query begins at most. */
const MAX_ATTEMPTS = 3;

/** Returns true if a query failed only because of another one in its thread. */
function isElsewherePossible(error: unknown): boolean {
  if (!isCodedError(error) || error.kind !== 'unavailable') return false;
  return error.code === 'ERR_QUERY_WORKER' || isOutOfMemory(error);
}

/** Returns true if the memory of a thread was full; of a query that was alone there it is known that it took it. */
function isOutOfMemory(error: unknown): boolean {
  return isCodedError(error) && error.code === 'ERR_QUERY_MEMORY';
}

/** A thread cannot load TypeScript on every supported Node, so the source too uses the built file. */
function locateWorker(): URL {
  const folder = import.meta.url.endsWith('.ts') ? '../../../dist/' : './';
  const url = new URL(`${folder}graph/workers/worker.js`, import.meta.url);
  if (existsSync(url)) return url;
  const message = 'the worker file dist/graph/workers/worker.js is missing: build the package @cairn/server first';
  throw new CodedError({ code: 'ERR_WORKER_MISSING', kind: 'internal', message });
}

function busy(maxQueries: number): CodedError {
  const message = `at most ${maxQueries} heavy queries are evaluated at a time`;
  return new CodedError({ code: 'ERR_QUERY_WORKERS_BUSY', kind: 'overloaded', message });
}

function cancelled(): CodedError {
  return new CodedError({ code: 'ERR_CANCELLED', kind: 'cancelled', message: 'the query was ended' });
}

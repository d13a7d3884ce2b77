import { existsSync } from 'node:fs';
import { CodedError, isCodedError, throwIfAborted } from '@cairn/errors';
import { LRUCache } from 'lru-cache';
import type { Evaluated } from '../result-answer.ts';
import type { Task } from './protocol.ts';
import { QueryThread } from './query-thread.ts';
import { UserQueue } from './user-queue.ts';

export interface QueryWorkersOptions {
  /** Threads for queries at most, at least 1, and one more for validations; each is started when it is first needed. */
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

/** Part of the places that one user has at most; those who hold some share it. */
const USER_SHARE = 3 / 4;

/** Part of the places that is left for users who hold none. */
const NEWCOMERS_SHARE = 1 / 8;

/**
 * Worker threads that evaluate queries over shared memory, each several of them by turns, user by user. A validation has
 * a thread of its own while it lasts, for it pauses only between two focus nodes: no query ever waits for one.
 */
export class QueryWorkers {
  readonly longTexts: LongTexts = new LongTexts();
  readonly #options: QueryWorkersOptions;
  readonly #url: URL;
  readonly #threads = new Set<QueryThread>();
  readonly #validationThreads = new Set<QueryThread>();
  /** Validations that wait for a thread. */
  readonly #validations = new UserQueue();
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
    return this.#users().length;
  }

  /** The user of each query and validation, those that wait included. */
  #users(): string[] {
    const threads = [...this.#threads, ...this.#validationThreads];
    return [...threads.flatMap(({ users }) => users), ...this.#validations.users];
  }

  /** @throws `ERR_QUERY_WORKERS_BUSY` and `ERR_USER_BUSY` (overloaded) */
  #requirePlace(user: string): void {
    const { maxQueries } = this.#options;
    const users = this.#users();
    if (this.#isClosed || users.length >= maxQueries) throw busy(maxQueries);
    const own = users.filter((one) => one === user).length;
    if (own === 0) return;
    const share = Math.ceil((maxQueries * USER_SHARE) / new Set(users).size);
    const shared = maxQueries - Math.ceil(maxQueries * NEWCOMERS_SHARE);
    if (own >= share || users.length >= shared) throw overShare(own);
  }

  /**
   * Evaluates a query in the thread where its user waits for the fewest others. When that thread has to be ended for
   * another query's sake, it begins anew elsewhere unless a piece of its answer was taken already.
   * @throws what the evaluation throws; `ERR_QUERY_WORKERS_BUSY` and `ERR_USER_BUSY` (overloaded), `ERR_QUERY_MEMORY`
   *   (exhausted, or unavailable when it ran beside others that took it, and a piece of its answer was taken),
   *   `ERR_QUERY_WORKER` (internal; unavailable when another query was at fault), `ERR_CANCELLED`
   */
  async answer(task: Task, signal: AbortSignal): Promise<Evaluated> {
    throwIfAborted(signal);
    this.#requirePlace(task.user);
    const begin = (): Promise<Run> => this.#begin(task, signal, MAX_ATTEMPTS, false);
    const run = await (task.kind === 'shacl' ? this.#inTurn(task, signal, begin) : begin());
    return { headers: run.headers, body: this.#pieces(run, task, signal) };
  }

  /** Begins a validation when a thread is free for its user. @throws `ERR_QUERY_WORKERS_BUSY` (overloaded) after its time limit */
  #inTurn({ user, timeLimitMs }: Task, signal: AbortSignal, begin: () => Promise<Run>): Promise<Run> {
    return new Promise((resolve, reject) => {
      const settle = (outcome: () => void): void => {
        leaveQueue();
        clearTimeout(timer);
        signal.removeEventListener('abort', leave);
        outcome();
      };
      // Begun in the same turn: the thread must not look free to another one meanwhile.
      const leaveQueue = this.#validations.add(user, () => settle(() => resolve(begin())));
      const leave = (): void => settle(() => reject(cancelled()));
      signal.addEventListener('abort', leave, { once: true });
      const timer = setTimeout(() => settle(() => reject(noThread(timeLimitMs))), timeLimitMs);
      this.#beginValidations();
    });
  }

  #beginValidations(): void {
    const { workers } = this.#options;
    for (;;) {
      const users = [...this.#validationThreads].flatMap((thread) => thread.users);
      // The last thread is for a user who holds none.
      const begin = this.#validations.take((user) => users.length < (users.includes(user) ? workers : workers + 1));
      if (begin === undefined) return;
      begin();
    }
  }

  /** Begins a query, in another thread when its own had to be ended; `attempts` is how often at most. */
  async #begin(task: Task, signal: AbortSignal, attempts: number, isAlone: boolean): Promise<Run> {
    throwIfAborted(signal);
    if (this.#isClosed) throw cancelled();
    const thread = this.#threadFor(task, isAlone);
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
    // Those that wait find that it is closed.
    for (let begin = this.#validations.take(() => true); begin; begin = this.#validations.take(() => true)) begin();
    const threads = [...this.#threads, ...this.#validationThreads];
    await Promise.all(threads.map((thread) => thread.stop(cancelled())));
  }

  #threadFor({ kind, user }: Task, isAlone: boolean): QueryThread {
    if (kind === 'shacl') return this.#restingThread();
    return isAlone ? this.#emptyThread(user) : this.#leastLoaded(user);
  }

  /** A thread that is at nothing; places keep their number small, as those that stick in what was cancelled soon end. */
  #restingThread(): QueryThread {
    const usable = [...this.#validationThreads].filter(({ isUsable }) => isUsable);
    const resting = usable.find(({ isAtRest }) => isAtRest);
    if (resting !== undefined) return resting;
    const isFull = usable.length >= 2 * (this.#options.workers + 1);
    const least = usable.sort((a, b) => a.load - b.load)[0];
    return isFull && least !== undefined ? least : this.#newThread(this.#validationThreads);
  }

  /** The thread where a query of this user takes turns with the fewest. */
  #leastLoaded(user: string): QueryThread {
    const { workers } = this.#options;
    const usable = [...this.#threads]
      .filter(({ isUsable }) => isUsable)
      .sort((a, b) => a.turnsFor(user) - b.turnsFor(user) || a.load - b.load);
    // One that sticks is as good as gone: another takes its place already. One that may run out of memory is left alone.
    const speaking = usable.filter((thread) => !thread.isSilent && !this.#lone.has(thread));
    const [least = usable[0]] = speaking;
    const isFull = speaking.length >= workers || usable.length >= 2 * workers;
    if (least !== undefined && (isFull || (least.load === 0 && speaking.length > 0))) return least;
    return this.#newThread();
  }

  /** A thread that has nothing, for a query that may have taken the memory of one: there it harms nobody. */
  #emptyThread(user: string): QueryThread {
    const usable = [...this.#threads].filter(({ isUsable }) => isUsable);
    const empty = usable.find((thread) => thread.load === 0 && !thread.isSilent && !this.#lone.has(thread));
    if (empty !== undefined) return empty;
    return usable.length < 2 * this.#options.workers ? this.#newThread() : this.#leastLoaded(user);
  }

  #newThread(threads: Set<QueryThread> = this.#threads): QueryThread {
    const { memoryMb } = this.#options;
    const onRelease = (): void => this.#beginValidations();
    const onExit = (gone: QueryThread): void => {
      threads.delete(gone);
      this.#beginValidations();
    };
    const thread = new QueryThread({ url: this.#url, memoryMb, onExit, onRelease });
    threads.add(thread);
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

function overShare(own: number): CodedError {
  const message = `${own} heavy queries of this user are evaluated, which is a share; try again when one of them is done`;
  return new CodedError({ code: 'ERR_USER_BUSY', kind: 'overloaded', message });
}

function noThread(timeLimitMs: number): CodedError {
  const message = `no thread was free for the validation within ${timeLimitMs} ms`;
  return new CodedError({ code: 'ERR_QUERY_WORKERS_BUSY', kind: 'overloaded', message });
}

function cancelled(): CodedError {
  return new CodedError({ code: 'ERR_CANCELLED', kind: 'cancelled', message: 'the query was ended' });
}

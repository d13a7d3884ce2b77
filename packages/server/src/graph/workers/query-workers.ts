import { existsSync } from 'node:fs';
import { CodedError, throwIfAborted } from '@cairn/errors';
import { LongTexts } from './long-texts.ts';
import type { Task } from './protocol.ts';
import { QueryThread } from './query-thread.ts';

/** An answer that is evaluated in another thread while it is taken. */
export interface WorkerAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<string>;
}

/** How the workers are made. */
export interface QueryWorkersOptions {
  /** Threads at most, at least 1; each is started when it is first needed. */
  readonly workers: number;
  /** JavaScript heap of one worker in MiB. */
  readonly memoryMb: number;
  /** Queries that all workers together are at, at most. */
  readonly maxQueries: number;
}

/** Worker threads that evaluate queries over shared memory, each several of them by turns. */
export interface QueryWorkers {
  readonly longTexts: LongTexts;
  /** Queries that are evaluated now. */
  readonly running: number;
  /**
   * Evaluates a query in the thread that has the fewest.
   * @throws what the evaluation throws; `ERR_QUERY_WORKERS_BUSY` (overloaded), `ERR_QUERY_MEMORY` (exhausted, or
   *   unavailable when other queries ran there, too),
   *   `ERR_QUERY_WORKER` (internal), `ERR_CANCELLED`
   */
  answer(task: Task, signal: AbortSignal): Promise<WorkerAnswer>;
  /** Ends every thread. */
  close(): Promise<void>;
}

/** Makes the workers; no thread is started yet. @throws `ERR_WORKER_MISSING` (internal) when the package was not built. */
export function createQueryWorkers(options: QueryWorkersOptions): QueryWorkers {
  return new Workers(options, locateWorker());
}

class Workers implements QueryWorkers {
  readonly longTexts: LongTexts = new LongTexts();
  readonly #options: QueryWorkersOptions;
  readonly #url: URL;
  readonly #threads = new Set<QueryThread>();
  #lastId = 0;
  #isClosed = false;

  constructor(options: QueryWorkersOptions, url: URL) {
    this.#options = options;
    this.#url = url;
  }

  get running(): number {
    return [...this.#threads].reduce((sum, { load }) => sum + load, 0);
  }

  async answer(task: Task, signal: AbortSignal): Promise<WorkerAnswer> {
    throwIfAborted(signal);
    const { maxQueries } = this.#options;
    if (this.#isClosed || this.running >= maxQueries) throw busy(maxQueries);
    const thread = this.#leastLoaded();
    this.#lastId += 1;
    const id = this.#lastId;
    const leave = (): void => thread.cancel(id, cancelled());
    signal.addEventListener('abort', leave, { once: true });
    try {
      return { headers: await thread.start(id, task), body: pieces(thread, id, () => forget(signal, leave)) };
    } catch (error) {
      forget(signal, leave);
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#threads].map((thread) => thread.stop(cancelled())));
  }

  #leastLoaded(): QueryThread {
    const usable = [...this.#threads].filter(({ isUsable }) => isUsable).sort((a, b) => a.load - b.load);
    const [least] = usable;
    if (least !== undefined && (least.load === 0 || usable.length >= this.#options.workers)) return least;
    const { memoryMb } = this.#options;
    const thread = new QueryThread({ url: this.#url, memoryMb, onExit: (gone) => void this.#threads.delete(gone) });
    this.#threads.add(thread);
    return thread;
  }
}

/** The body of an answer. Whoever stops taking it ends the query. */
async function* pieces(thread: QueryThread, id: number, settled: () => void): AsyncGenerator<string> {
  try {
    for (let isLast = false; !isLast; ) {
      const piece = await thread.pull(id);
      isLast = piece.isLast;
      if (piece.text !== '') yield piece.text;
    }
  } finally {
    thread.cancel(id, cancelled());
    settled();
  }
}

function forget(signal: AbortSignal, listener: () => void): void {
  signal.removeEventListener('abort', listener);
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

import { availableParallelism } from 'node:os';
import type { TransferListItem } from 'node:worker_threads';
import { CodedError, checkSignal, resolveLimits, throwIfAborted } from '@cairn/errors';
import { onAbort } from '../cancellation/on-abort.ts';
import { checkLimit } from '../limits/limit-values.ts';
import { type Job, WorkerThread } from './worker-thread.ts';

export interface WorkerPoolOptions {
  /** The worker's file: JavaScript that calls `serveTasks`. */
  readonly url: URL;
  /** Threads at most; each is started when first needed. Default: the processors less one, at least 1. */
  readonly workers?: number | undefined;
  /** JavaScript heap of one worker in MiB, without typed arrays and buffers. Default 256. */
  readonly memoryMb?: number | undefined;
  /** For one task, once its worker has started, in milliseconds. Default 30000. */
  readonly timeLimitMs?: number | undefined;
  /** Tasks that may wait for a worker. Default 1000. */
  readonly maxQueued?: number | undefined;
  readonly workerData?: unknown;
}

export interface RunOptions {
  /** Withdraws the task; a worker that is at it is terminated. */
  readonly signal?: AbortSignal | undefined;
  /** Objects to move to the worker rather than copy. */
  readonly transfer?: readonly TransferListItem[] | undefined;
  /** Replaces the pool's time limit for this task. */
  readonly timeLimitMs?: number | undefined;
}

const DEFAULTS = { timeLimitMs: 30_000, maxQueued: 1000 };

/**
 * Runs tasks in worker threads, each under limits of time and memory. It starts no thread before the first task, and an
 * idle pool does not keep the process alive.
 */
export class WorkerPool<Task, Result> {
  readonly #options: WorkerPoolOptions;
  readonly #limits: Readonly<typeof DEFAULTS>;
  readonly #sizes: { readonly workers: number; readonly memoryMb: number };
  readonly #threads = new Set<WorkerThread>();
  readonly #free: WorkerThread[] = [];
  readonly #queue: Job[] = [];
  #closed = false;

  /** @throws `ERR_CONFIGURATION` (invalid) for a limit that is none, such as no workers at all */
  constructor(options: WorkerPoolOptions) {
    const sizes = { workers: Math.max(1, availableParallelism() - 1), memoryMb: 256 };
    this.#options = options;
    this.#sizes = resolveLimits(options, sizes, (value, name) => checkLimit(value, name, 1));
    this.#limits = resolveLimits(options, DEFAULTS, checkLimit);
  }

  /**
   * Hands a task to the next free worker, in the order of the calls.
   * @throws what the worker threw; `ERR_WORKER_TIME` (timeout), `ERR_WORKER_MEMORY` (exhausted) or `ERR_WORKER_DIED`
   *   (internal), after which the worker is replaced; `ERR_WORKER_START` (unavailable) when none could be had; `ERR_WORKER_QUEUE` (overloaded); `ERR_WORKER_CLOSED`
   *   (unavailable); `ERR_CANCELLED` when the signal is aborted.
   */
  async run(task: Task, { signal, transfer = [], ...given }: RunOptions = {}): Promise<Result> {
    checkSignal(signal);
    throwIfAborted(signal);
    if (this.#closed) throw closedError();
    const { timeLimitMs } = resolveLimits(given, { timeLimitMs: this.#limits.timeLimitMs }, checkLimit);
    const { maxQueued } = this.#limits;
    if (this.#queue.length >= maxQueued && !this.#hasRoom()) {
      const message = `at most ${maxQueued} tasks may wait for a worker`;
      throw new CodedError({ code: 'ERR_WORKER_QUEUE', kind: 'overloaded', message });
    }
    let stopListening = (): void => {};
    const answer = new Promise<unknown>((resolve, reject) => {
      const job: Job = { task, transfer, timeLimitMs, resolve, reject };
      stopListening = onAbort(signal, (error) => this.#withdraw(job, error));
      this.#queue.push(job);
      this.#dispatch();
    });
    return answer.finally(stopListening) as Promise<Result>;
  }

  /** Fails what is queued or running and resolves when every thread is gone. May be called again. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const job of this.#queue.splice(0)) job.reject(closedError());
    await Promise.all([...this.#threads].map((thread) => thread.stop(closedError())));
  }

  #hasRoom(): boolean {
    return this.#free.length > 0 || this.#threads.size < this.#sizes.workers;
  }

  #dispatch(): void {
    while (this.#queue.length > 0 && this.#hasRoom()) {
      const thread = this.#free.pop() ?? this.#startThread();
      thread.start(this.#queue.shift() as Job);
    }
  }

  #startThread(): WorkerThread {
    const { url, workerData } = this.#options;
    const thread = new WorkerThread({
      url,
      memoryMb: this.#sizes.memoryMb,
      workerData,
      onFree: (free) => {
        this.#free.push(free);
        this.#dispatch();
      },
      onExit: (gone) => {
        this.#threads.delete(gone);
        const index = this.#free.indexOf(gone);
        if (index >= 0) this.#free.splice(index, 1);
        this.#dispatch();
      },
    });
    this.#threads.add(thread);
    return thread;
  }

  #withdraw(job: Job, error: unknown): void {
    const index = this.#queue.indexOf(job);
    if (index >= 0) this.#queue.splice(index, 1);
    for (const thread of this.#threads) if (thread.has(job)) void thread.stop(error);
    job.reject(error);
  }
}

function closedError(): CodedError {
  return new CodedError({ code: 'ERR_WORKER_CLOSED', kind: 'unavailable', message: 'the worker pool is closed' });
}

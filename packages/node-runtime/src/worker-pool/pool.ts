import { availableParallelism } from 'node:os';
import { badArgument, checkObject, checkSignal, resolveLimits, throwIfAborted } from '@cairn/errors';
import { checkLimit } from '../limits/limit-values.ts';
import { Job, type RunOptions } from './job.ts';
import { closedError, queueError } from './worker-error.ts';
import { WorkerThread } from './worker-thread.ts';

/** Options of {@link createWorkerPool}. */
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
  /** The `workerData` of each worker. */
  readonly workerData?: unknown;
}

/** Runs tasks in worker threads, each under limits of time and memory. */
export interface WorkerPool<Task, Result> {
  /** Tasks that wait for a worker. */
  readonly queued: number;
  /** Tasks that a worker is at. */
  readonly running: number;
  /**
   * Hands a task to the next free worker, in the order of the calls.
   *
   * @throws what the worker threw; `ERR_WORKER_TIME` (timeout), `ERR_WORKER_MEMORY` (exhausted) or `ERR_WORKER_DIED`
   *   (internal), after which the worker is replaced; `ERR_WORKER_QUEUE` (overloaded); `ERR_WORKER_CLOSED`
   *   (unavailable); `ERR_CANCELLED` when the signal is aborted.
   */
  run(task: Task, options?: RunOptions): Promise<Result>;
  /** Fails what is queued or running and resolves when every thread is gone. May be called again. */
  close(): Promise<void>;
}

/**
 * Creates a pool. It starts no thread before the first task, and an idle pool does not keep the process alive.
 * @throws `ERR_CONFIGURATION` (invalid) for a limit that is none, such as no workers at all
 */
export function createWorkerPool<Task, Result>(options: WorkerPoolOptions): WorkerPool<Task, Result> {
  checkObject(options, 'the options of a pool');
  if (!(options.url instanceof URL)) throw badArgument("the worker's file", 'a URL', options.url);
  return new Pool<Task, Result>(options);
}

const DEFAULTS = { timeLimitMs: 30_000, maxQueued: 1000 };

class Pool<Task, Result> implements WorkerPool<Task, Result> {
  readonly #options: WorkerPoolOptions;
  readonly #limits: Readonly<typeof DEFAULTS>;
  readonly #memoryMb: number;
  readonly #maxWorkers: number;
  readonly #threads = new Set<WorkerThread>();
  readonly #free: WorkerThread[] = [];
  readonly #queue: Job<Task, Result>[] = [];
  #closed = false;

  constructor(options: WorkerPoolOptions) {
    const sizes = { workers: Math.max(1, availableParallelism() - 1), memoryMb: 256 };
    const { workers, memoryMb } = resolveLimits(options, sizes, (value, name) => checkLimit(value, name, 1));
    this.#options = options;
    this.#limits = resolveLimits(options, DEFAULTS, checkLimit);
    this.#memoryMb = memoryMb;
    this.#maxWorkers = workers;
  }

  get queued(): number {
    return this.#queue.length;
  }

  get running(): number {
    return this.#threads.size - this.#free.length;
  }

  async run(task: Task, options: RunOptions = {}): Promise<Result> {
    checkObject(options, 'the options of a task');
    checkSignal(options.signal);
    throwIfAborted(options.signal);
    if (this.#closed) throw closedError();
    const { timeLimitMs } = resolveLimits(options, { timeLimitMs: this.#limits.timeLimitMs }, checkLimit);
    const { maxQueued } = this.#limits;
    if (this.#queue.length >= maxQueued && !this.#hasRoom()) throw queueError(maxQueued);
    const job = new Job<Task, Result>(task, timeLimitMs, options.transfer);
    job.onAbort(options.signal, (error) => this.#withdraw(job, error));
    this.#queue.push(job);
    this.#dispatch();
    return job.promise;
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const job of this.#queue.splice(0)) job.reject(closedError());
    await Promise.all([...this.#threads].map((thread) => thread.stop(closedError())));
  }

  #hasRoom(): boolean {
    return this.#free.length > 0 || this.#threads.size < this.#maxWorkers;
  }

  #dispatch(): void {
    while (this.#queue.length > 0 && this.#hasRoom()) {
      const thread = this.#free.pop() ?? this.#startThread();
      thread.start(this.#queue.shift() as Job<unknown, unknown>);
    }
  }

  #startThread(): WorkerThread {
    const { url, workerData } = this.#options;
    const thread = new WorkerThread({
      url,
      memoryMb: this.#memoryMb,
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

  #withdraw(job: Job<Task, Result>, error: unknown): void {
    const index = this.#queue.indexOf(job);
    if (index >= 0) this.#queue.splice(index, 1);
    for (const thread of this.#threads) if (thread.has(job)) void thread.stop(error);
    job.reject(error);
  }
}

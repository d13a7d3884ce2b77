import { type TransferListItem, Worker } from 'node:worker_threads';
import { CodedError } from '@cairn/errors';
import { timerMs } from '../limits/limit-values.ts';
import type { WorkerMessage } from './serve.ts';

/** One task on its way to an answer. Only the first settling counts. */
export interface Job {
  readonly task: unknown;
  readonly transfer: readonly TransferListItem[];
  readonly timeLimitMs: number;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export interface WorkerThreadOptions {
  readonly url: URL;
  readonly memoryMb: number;
  readonly workerData: unknown;
  /** The thread has answered and can take another job. */
  readonly onFree: (thread: WorkerThread) => void;
  readonly onExit: (thread: WorkerThread) => void;
}

/** How long a new worker may take to load its code; the time limit of a task starts after that. */
const START_LIMIT_MS = 60_000;

/**
 * One worker and the job it is at. It keeps the process alive only while it has a job.
 *
 * A worker gets its job once it is ready: what fails before is no fault of the job, which nobody has looked at.
 */
export class WorkerThread {
  readonly #options: WorkerThreadOptions;
  readonly #worker: Worker;
  #job: Job | undefined;
  #ready = false;
  #stopped = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: WorkerThreadOptions) {
    this.#options = options;
    const { url, memoryMb, workerData } = options;
    this.#worker = new Worker(url, {
      workerData,
      // Nothing of the process is handed down: no environment with its secrets, no loader.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    });
    this.#worker.on('message', (message: WorkerMessage) => this.#receive(message));
    this.#worker.on('error', (error) => this.#fail(this.#toError(error)));
    this.#worker.on('exit', () => {
      this.#fail(this.#toError(undefined));
      options.onExit(this);
    });
    this.#worker.unref();
  }

  has(job: Job): boolean {
    return this.#job === job;
  }

  /** Starts a job. The thread must be free. */
  start(job: Job): void {
    this.#job = job;
    this.#worker.ref();
    if (this.#ready) this.#hand(job);
    else this.#startTimer(START_LIMIT_MS);
  }

  #hand(job: Job): void {
    this.#startTimer(job.timeLimitMs);
    try {
      this.#worker.postMessage(job.task, job.transfer);
    } catch (error) {
      this.#settle((failed) => failed.reject(error));
    }
  }

  /** Fails the job, if there is one, and ends the thread, in the middle of a computation too. */
  async stop(error: unknown): Promise<void> {
    this.#fail(error);
    await this.#worker.terminate();
  }

  #receive(message: WorkerMessage): void {
    if (message.type === 'ready') {
      this.#ready = true;
      if (this.#job !== undefined) this.#hand(this.#job);
    } else if (message.type === 'result') {
      this.#settle((job) => job.resolve(message.result));
    } else {
      this.#settle((job) => job.reject(new CodedError(message.error)));
    }
  }

  #startTimer(limitMs: number): void {
    clearTimeout(this.#timer);
    const message = `the time limit of ${limitMs} ms was reached`;
    const error = this.#ready
      ? new CodedError({ code: 'ERR_WORKER_TIME', kind: 'timeout', message })
      : startError(new Error(message));
    this.#timer = setTimeout(() => void this.stop(error), timerMs(limitMs));
  }

  #settle(settle: (job: Job) => void): void {
    const job = this.#takeJob();
    if (job === undefined || this.#stopped) return;
    this.#worker.unref();
    settle(job);
    this.#options.onFree(this);
  }

  #fail(error: unknown): void {
    this.#stopped = true;
    this.#takeJob()?.reject(error);
  }

  #takeJob(): Job | undefined {
    const job = this.#job;
    this.#job = undefined;
    clearTimeout(this.#timer);
    return job;
  }

  #toError(error: unknown): Error {
    if (!this.#ready) return startError(error);
    const outOfMemory = (error as { code?: unknown } | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY';
    if (!outOfMemory) return diedError(error);
    const message = `the memory limit of ${this.#options.memoryMb} MiB was reached`;
    return new CodedError({ code: 'ERR_WORKER_MEMORY', kind: 'exhausted', message, cause: error });
  }
}

/** No worker came to be, so that nothing is known of the task. */
function startError(cause: unknown): CodedError {
  const message = `the worker thread did not start: ${reasonOf(cause)}`;
  return new CodedError({ code: 'ERR_WORKER_START', kind: 'unavailable', message, cause });
}

function diedError(cause: unknown): CodedError {
  const message = `the worker thread died: ${reasonOf(cause)}`;
  return new CodedError({ code: 'ERR_WORKER_DIED', kind: 'internal', message, cause });
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? `${cause.name}: ${cause.message}` : 'it ended without an answer';
}

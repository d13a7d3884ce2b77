import type { TransferListItem } from 'node:worker_threads';
import { checkArray, throwIfAborted } from '@cairn/errors';

/** Options of one task. */
export interface RunOptions {
  /** Withdraws the task; a worker that is at it is terminated. */
  readonly signal?: AbortSignal | undefined;
  /** Objects to move to the worker rather than copy. */
  readonly transfer?: readonly TransferListItem[] | undefined;
  /** Replaces the pool's time limit for this task. */
  readonly timeLimitMs?: number | undefined;
}

/** One task on its way to an answer. Only the first settling counts. */
export class Job<Task, Result> {
  readonly task: Task;
  readonly transfer: readonly TransferListItem[];
  readonly timeLimitMs: number;
  readonly promise: Promise<Result>;
  #resolve!: (result: Result) => void;
  #reject!: (error: unknown) => void;
  #stopListening: () => void = () => {};

  constructor(task: Task, timeLimitMs: number, transfer: RunOptions['transfer'] = []) {
    checkArray(transfer, 'what is transferred');
    this.task = task;
    this.transfer = transfer;
    this.timeLimitMs = timeLimitMs;
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Calls back once with the error to fail with when the signal is aborted before the job is settled. */
  onAbort(signal: AbortSignal | undefined, withdraw: (error: unknown) => void): void {
    if (signal === undefined) return;
    const listener = (): void => {
      try {
        throwIfAborted(signal);
      } catch (error) {
        withdraw(error);
      }
    };
    signal.addEventListener('abort', listener, { once: true });
    this.#stopListening = () => signal.removeEventListener('abort', listener);
  }

  resolve(result: Result): void {
    this.#stopListening();
    this.#resolve(result);
  }

  reject(error: unknown): void {
    this.#stopListening();
    this.#reject(error);
  }
}

import { checkObject } from '@cairn/errors';
import type { ShaclTask, ShaclTaskResult } from '@cairn/rdf-graph/shacl';
import type { RunOptions } from '../worker-pool/job.ts';
import { createWorkerPool } from '../worker-pool/pool.ts';
import { locateWorkerFile } from '../worker-pool/worker-file.ts';

/** How a pool of validators is made. */
export interface ShaclPoolOptions {
  /** Threads at most. Default: the processors less one, at least 1. */
  readonly workers?: number | undefined;
  /** JavaScript heap of one worker, in MiB. Default 1024. */
  readonly memoryMb?: number | undefined;
  /** For one validation, reading and writing included, in milliseconds. Default 30000. */
  readonly timeLimitMs?: number | undefined;
  /** Validations that may wait for a worker; more are refused with `ERR_WORKER_QUEUE`. Default 100. */
  readonly maxQueued?: number | undefined;
}

/** Validates in worker threads that are stopped when their time or memory is over. */
export interface ShaclPool {
  /**
   * Runs one validation. The bytes of the task are copied.
   *
   * @throws what `runShaclTask` throws; `ERR_WORKER_TIME` (timeout), `ERR_WORKER_MEMORY` (exhausted),
   *   `ERR_WORKER_QUEUE` (overloaded), `ERR_CANCELLED`
   */
  run(task: ShaclTask, options?: Pick<RunOptions, 'signal' | 'timeLimitMs'>): Promise<ShaclTaskResult>;
  /** Fails what is queued or running and resolves when every thread is gone. */
  close(): Promise<void>;
}

/**
 * Creates a pool of validators. It starts no thread before the first task, and an idle pool does not keep the process
 * alive.
 *
 * @throws `ERR_WORKER_MISSING` when the package was not built.
 */
export function createShaclPool(options: ShaclPoolOptions = {}): ShaclPool {
  checkObject(options, 'the options of a pool');
  const pool = createWorkerPool<ShaclTask, ShaclTaskResult>({
    url: locateWorkerFile('shacl/worker.js'),
    workers: options.workers,
    memoryMb: options.memoryMb ?? 1024,
    timeLimitMs: options.timeLimitMs,
    maxQueued: options.maxQueued ?? 100,
  });
  return {
    run: (task, runOptions) => pool.run(task, runOptions),
    close: () => pool.close(),
  };
}

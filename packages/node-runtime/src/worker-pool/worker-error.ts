import { CodedError, type ErrorCode, type ErrorKind } from '@cairn/errors';

/** A task was not finished, or not begun, because of the pool and not because of its own answer. */
export function workerError(code: ErrorCode, kind: ErrorKind, message: string, cause?: unknown): CodedError {
  return new CodedError({ code, kind, message, cause });
}

/** `ERR_WORKER_TIME`: the time limit of one task ran out. */
export function timeError(timeLimitMs: number): CodedError {
  return workerError('ERR_WORKER_TIME', 'timeout', `the time limit of ${timeLimitMs} ms was reached`);
}

/** `ERR_WORKER_MEMORY`: the worker's heap was full. */
export function memoryError(memoryMb: number, cause: unknown): CodedError {
  return workerError('ERR_WORKER_MEMORY', 'exhausted', `the memory limit of ${memoryMb} MiB was reached`, cause);
}

/** `ERR_WORKER_DIED`: the worker ended while it had a task. */
export function diedError(cause: unknown): CodedError {
  const detail = cause instanceof Error ? `${cause.name}: ${cause.message}` : 'it ended without an answer';
  return workerError('ERR_WORKER_DIED', 'internal', `the worker thread died: ${detail}`, cause);
}

/** `ERR_WORKER_QUEUE`: too many tasks wait already. */
export function queueError(maxQueued: number): CodedError {
  return workerError('ERR_WORKER_QUEUE', 'overloaded', `at most ${maxQueued} tasks may wait for a worker`);
}

/** `ERR_WORKER_CLOSED`: the pool was closed. */
export function closedError(): CodedError {
  return workerError('ERR_WORKER_CLOSED', 'unavailable', 'the worker pool is closed');
}

import { parentPort } from 'node:worker_threads';
import { type CodedErrorOptions, toErrorOptions } from '@cairn/errors';

export type WorkerMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'result'; readonly result: unknown }
  | { readonly type: 'error'; readonly error: CodedErrorOptions };

/**
 * Makes the current worker thread answer the tasks of its pool, one at a time.
 *
 * To be called once, at the top of the worker's file. What the handler throws reaches the caller of the pool: a
 * `CodedError` as it is, anything else as `ERR_WORKER_TASK` (internal).
 */
export function serveTasks<Task, Result>(handle: (task: Task) => Result | Promise<Result>): void {
  const port = parentPort;
  if (port === null) throw new Error('serveTasks must be called in a worker thread');
  const send = (message: WorkerMessage): void => port.postMessage(message);
  port.on('message', async (task: Task) => {
    try {
      send({ type: 'result', result: await handle(task) });
    } catch (error) {
      send({ type: 'error', error: toErrorOptions(error, 'ERR_WORKER_TASK', 'the task failed') });
    }
  });
  send({ type: 'ready' });
}

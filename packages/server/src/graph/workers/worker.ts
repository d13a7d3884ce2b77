import { parentPort } from 'node:worker_threads';
import { toErrorOptions } from '@cairn/errors';
import { evaluate } from './evaluate.ts';
import type { FromWorker, Task, ToWorker } from './protocol.ts';

// Libraries print what they make of data; a log must never hold what only some may see.
for (const method of ['debug', 'error', 'info', 'log', 'warn'] as const) console[method] = () => {};

/** How much text goes to the main thread at once, in UTF-16 units. */
const PIECE_UNITS = 1 << 16;

/** One query that this thread is at. Others go on while it pauses. */
interface Running {
  readonly stop: AbortController;
  readonly body: AsyncIterator<string>;
}

const running = new Map<number, Running>();
const waiting = new Map<number, AbortController>();

function send(message: FromWorker): void {
  parentPort?.postMessage(message);
}

function fail(id: number, error: unknown): void {
  send({ type: 'failed', id, error: toErrorOptions(error, 'ERR_QUERY_WORKER', 'the evaluation failed') });
}

async function start(id: number, task: Task): Promise<void> {
  const stop = new AbortController();
  waiting.set(id, stop);
  try {
    const { headers, body } = await evaluate(task, stop.signal);
    if (stop.signal.aborted) return;
    running.set(id, { stop, body: body[Symbol.asyncIterator]() });
    send({ type: 'begun', id, headers });
  } catch (error) {
    if (!stop.signal.aborted) fail(id, error);
  } finally {
    waiting.delete(id);
  }
}

async function pull(id: number): Promise<void> {
  const query = running.get(id);
  if (query === undefined) return;
  try {
    let text = '';
    let isLast = false;
    while (!isLast && text.length < PIECE_UNITS) {
      const { done, value } = await query.body.next();
      isLast = done === true;
      if (!isLast) text += value;
    }
    if (isLast) running.delete(id);
    send({ type: 'piece', id, text, isLast });
  } catch (error) {
    running.delete(id);
    if (!query.stop.signal.aborted) fail(id, error);
  }
}

function cancel(id: number): void {
  waiting.get(id)?.abort();
  const query = running.get(id);
  running.delete(id);
  query?.stop.abort();
  void query?.body.return?.();
}

parentPort?.on('message', (message: ToWorker) => {
  if (message.type === 'start') void start(message.id, message.task);
  else if (message.type === 'pull') void pull(message.id);
  else if (message.type === 'cancel') cancel(message.id);
  else send({ type: 'pong' });
});

import { Worker } from 'node:worker_threads';
import { CodedError } from '@cairn/errors';
import type { FromWorker, Task, TaskMessage, ToWorker } from './protocol.ts';

/** How long beyond its time limit a query may keep its thread from answering before the thread is ended. */
const GRACE_MS = 5_000;

/** How long after a query was cancelled its thread may be silent before it is ended. */
const CANCEL_GRACE_MS = 1_000;

/** A thread that has been silent for longer gets no new queries. */
const SILENT_MS = 250;

/** How often a thread is asked whether it is there. */
const PING_INTERVAL_MS = 200;

/** How long a thread without queries is kept: it holds memory, and what it has read of datasets since. */
const IDLE_MS = 30_000;

interface Waiting {
  resolve(message: TaskMessage): void;
  reject(error: unknown): void;
  readonly timer: NodeJS.Timeout;
}

export interface QueryThreadOptions {
  readonly url: URL;
  /** JavaScript heap in MiB. */
  readonly memoryMb: number;
  readonly onExit: (thread: QueryThread) => void;
  /** Is told when a query has ended. */
  readonly onRelease?: () => void;
}

interface Open {
  readonly user: string;
  readonly limitMs: number;
}

/** One worker thread and the queries it is at, by turns. It keeps the process alive only while it has one. */
export class QueryThread {
  readonly #worker: Worker;
  readonly #memoryMb: number;
  readonly #waiting = new Map<number, Waiting>();
  readonly #open = new Map<number, Open>();
  readonly #onRelease: () => void;
  #idle: NodeJS.Timeout | undefined;
  #watch: NodeJS.Timeout | undefined;
  /** Since when a ping has not been answered. */
  #askedMs: number | undefined;
  /** Since when something was cancelled and the thread has not spoken. */
  #cancelledMs: number | undefined;
  #looksSilent = 0;
  #failure: CodedError | undefined;

  constructor({ url, memoryMb, onExit, onRelease = () => {} }: QueryThreadOptions) {
    this.#onRelease = onRelease;
    this.#memoryMb = memoryMb;
    const resourceLimits = { maxOldGenerationSizeMb: memoryMb, stackSizeMb: 4 };
    // Nothing of the process is handed down: no environment with its secrets, no loader.
    this.#worker = new Worker(url, { env: {}, execArgv: [], resourceLimits });
    this.#worker.on('message', (message: FromWorker) => {
      this.#heard();
      if (message.type !== 'pong') this.#settle(message.id, (one) => one.resolve(message));
    });
    this.#worker.on('error', (error) => this.#fail(this.#toError(error)));
    this.#worker.on('exit', () => {
      this.#fail(died('it ended'));
      onExit(this);
    });
    this.#worker.unref();
  }

  /** Returns true if it takes queries; once it has failed it only waits for its end. */
  get isUsable(): boolean {
    return this.#failure === undefined;
  }

  /** Returns true if it has not answered for a while: it sticks in something, or the machine is busy. */
  get isSilent(): boolean {
    return this.#askedMs !== undefined && performance.now() - this.#askedMs > SILENT_MS;
  }

  get load(): number {
    return this.#open.size;
  }

  /** Returns true if it has nothing, and is at nothing that was cancelled either. */
  get isAtRest(): boolean {
    return this.#open.size === 0 && this.#askedMs === undefined;
  }

  /** The user of each query. */
  get users(): string[] {
    return Array.from(this.#open.values(), ({ user }) => user);
  }

  /** Queries that one more of this user would take turns with, itself included: user by user, and then its own. */
  turnsFor(user: string): number {
    const { users } = this;
    return new Set([...users, user]).size * (1 + users.filter((one) => one === user).length);
  }

  /** Begins a query; the headers of its answer. @throws what the evaluation throws, `ERR_QUERY_WORKER` (internal) */
  async start(id: number, task: Task): Promise<Readonly<Record<string, string>>> {
    if (this.#failure !== undefined) throw this.#failure;
    clearTimeout(this.#idle);
    this.#worker.ref();
    this.#open.set(id, { user: task.user, limitMs: task.timeLimitMs + GRACE_MS });
    this.#watchOver();
    const message = await this.#ask(id, { type: 'start', id, task });
    return message.type === 'begun' ? message.headers : {};
  }

  /** The next piece of a body, and whether it is the last. @throws as {@link QueryThread.start} */
  async pull(id: number): Promise<{ readonly text: string; readonly isLast: boolean }> {
    const message = await this.#ask(id, { type: 'pull', id });
    if (message.type !== 'piece') return { text: '', isLast: true };
    if (message.isLast) this.#release(id);
    return message;
  }

  /** Ends a query wherever it is. */
  cancel(id: number, error: unknown): void {
    if (!this.#open.has(id)) return;
    this.#post({ type: 'cancel', id });
    this.#cancelledMs ??= performance.now();
    this.#ping();
    this.#release(id);
    this.#settle(id, (one) => one.reject(error));
  }

  /** Fails every query with an error and ends the thread, in the middle of a computation too. */
  async stop(error: CodedError): Promise<void> {
    this.#fail(error);
    await this.#worker.terminate();
  }

  #ping(): void {
    if (this.#askedMs !== undefined) return;
    this.#askedMs = performance.now();
    this.#post({ type: 'ping' });
  }

  #heard(): void {
    this.#askedMs = undefined;
    this.#cancelledMs = undefined;
    this.#looksSilent = 0;
  }

  #watchOver(): void {
    this.#watch ??= setInterval(() => this.#look(), PING_INTERVAL_MS).unref();
  }

  /** Ends the thread when it goes on with what nobody wants any more. */
  #look(): void {
    if (this.#cancelledMs !== undefined && performance.now() - this.#cancelledMs > CANCEL_GRACE_MS) {
      // Twice: the first time its answer may have come while this thread was busy.
      this.#looksSilent += 1;
      if (this.#looksSilent > 1) return void this.stop(ended('a query that was cancelled kept it from answering'));
    }
    if (this.#open.size > 0) this.#ping();
    else if (this.#askedMs === undefined) this.#stopWatching();
  }

  #stopWatching(): void {
    clearInterval(this.#watch);
    this.#watch = undefined;
  }

  /** The query that is waited for too long; the others may go on elsewhere. */
  #overrun(id: number): void {
    this.#release(id);
    this.#settle(id, (one) => one.reject(overran()));
    void this.stop(ended('another query kept it from answering'));
  }

  #ask(id: number, message: ToWorker): Promise<TaskMessage> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    return new Promise<TaskMessage>((resolve, reject) => {
      const timer = setTimeout(() => this.#overrun(id), this.#open.get(id)?.limitMs);
      this.#waiting.set(id, { resolve, reject, timer });
      try {
        this.#post(message);
      } catch (error) {
        // What cannot be cloned: the thread knows nothing of it.
        this.#release(id);
        this.#settle(id, (one) => one.reject(error));
      }
    }).then((answer) => {
      if (answer.type !== 'failed') return answer;
      this.#release(id);
      throw new CodedError(answer.error);
    });
  }

  #post(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  #settle(id: number, settle: (one: Waiting) => void): void {
    const one = this.#waiting.get(id);
    if (one === undefined) return;
    this.#waiting.delete(id);
    clearTimeout(one.timer);
    settle(one);
  }

  #release(id: number): void {
    if (!this.#open.delete(id) || this.#failure !== undefined) return;
    if (this.#open.size === 0) {
      this.#worker.unref();
      clearTimeout(this.#idle);
      this.#idle = setTimeout(() => void this.stop(died('it was idle')), IDLE_MS).unref();
    }
    this.#onRelease();
  }

  #fail(error: CodedError): void {
    this.#failure ??= error;
    clearTimeout(this.#idle);
    this.#stopWatching();
    for (const id of [...this.#waiting.keys()]) this.#settle(id, (one) => one.reject(this.#failure));
    this.#open.clear();
  }

  #toError(error: unknown): CodedError {
    if ((error as { code?: unknown }).code !== 'ERR_WORKER_OUT_OF_MEMORY') return died('it failed', error);
    const message = `the memory limit of ${this.#memoryMb} MiB for heavy queries was reached`;
    // Of several queries nobody knows which took it: each begins anew, alone in a thread.
    const kind = this.#open.size > 1 ? 'unavailable' : 'exhausted';
    return new CodedError({ code: 'ERR_QUERY_MEMORY', kind, message, cause: error });
  }
}

/** @param cause for the log: it may name files of the installation, which are nobody else's business */
function died(reason: string, cause?: unknown): CodedError {
  const message = `the thread of the query is gone: ${reason}`;
  return new CodedError({ code: 'ERR_QUERY_WORKER', kind: 'internal', message, cause });
}

function ended(reason: string): CodedError {
  const message = `the thread of the query was ended: ${reason}`;
  return new CodedError({ code: 'ERR_QUERY_WORKER', kind: 'unavailable', message });
}

function overran(): CodedError {
  const message = `the time limit is over, and ${GRACE_MS} ms later the query had not stopped`;
  return new CodedError({ code: 'ERR_TIME_LIMIT', kind: 'timeout', message });
}

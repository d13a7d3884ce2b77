import { CodedError, throwIfAborted } from '@cairn/errors';
import type { Position } from '@cairn/events';
import type { Clock } from '../port/clock.ts';

/** How long a caller waits for a position. */
export interface WaitOptions {
  /** Milliseconds. Default 10,000. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface Waiter {
  readonly position: Position;
  settle: (error?: unknown) => void;
}

/** How long a caller waits that says nothing of it, milliseconds. */
export const DEFAULT_TIMEOUT_MS = 10_000;

/** Callers that wait until a consumer has come as far as a position. */
export class PositionWaiters {
  readonly #name: string;
  readonly #clock: Clock;
  readonly #compare: (a: Position, b: Position) => number;
  readonly #waiters = new Set<Waiter>();

  constructor(name: string, clock: Clock, compare: (a: Position, b: Position) => number) {
    this.#name = name;
    this.#clock = clock;
    this.#compare = compare;
  }

  /** @throws `ERR_PROJECTION_TIMEOUT` (timeout), `ERR_CANCELLED`, or what {@link rejectAll} was given. */
  async wait(position: Position, { timeoutMs = DEFAULT_TIMEOUT_MS, signal }: WaitOptions): Promise<void> {
    throwIfAborted(signal);
    const done = new AbortController();
    const waiter: Waiter = { position, settle: () => {} };
    const reached = new Promise<void>((resolve, reject) => {
      waiter.settle = (error) => (error === undefined ? resolve() : reject(error));
    });
    this.#waiters.add(waiter);
    const cancel = (): void => done.abort();
    signal?.addEventListener('abort', cancel, { once: true });
    const late = this.#clock.sleep(timeoutMs, done.signal).then(() => {
      throwIfAborted(signal);
      if (done.signal.aborted) return reached;
      const message = `${this.#name} did not reach the position within ${timeoutMs} ms`;
      throw new CodedError({ code: 'ERR_PROJECTION_TIMEOUT', kind: 'timeout', message });
    });
    try {
      await Promise.race([reached, late]);
    } finally {
      this.#waiters.delete(waiter);
      signal?.removeEventListener('abort', cancel);
      late.catch(() => {});
      reached.catch(() => {});
      done.abort();
      waiter.settle();
    }
  }

  /** Wakes those who waited for a position up to this one; `reasonOf` gives the error of those that failed. */
  reached(position: Position, reasonOf: (position: Position) => unknown): void {
    for (const waiter of this.#waiters) {
      if (this.#compare(waiter.position, position) <= 0) waiter.settle(reasonOf(waiter.position));
    }
  }

  rejectAll(error: unknown): void {
    for (const waiter of this.#waiters) waiter.settle(error);
  }
}

import { nextTurn } from '@cairn/events';

/** How long requests may be begun in one turn of the event loop, in milliseconds. */
const MAX_OPENING_MS = 8;

/**
 * Spreads the beginnings of requests over turns of the event loop. Hundreds that arrive at once would otherwise all do
 * their first slice of work in the same turn, and a new connection, a probe or another user's request waits for the sum.
 */
export class Opening {
  readonly #nowMs: () => number;
  /** When the first request of this turn of the event loop began; `undefined` before it. */
  #sinceMs: number | undefined;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Resolves when a request of the user may begin; `undefined` where that is now. Users take turns. */
  wait(user: string): Promise<void> | undefined {
    const nowMs = this.#nowMs();
    if (this.#sinceMs === undefined) {
      this.#sinceMs = nowMs;
      setImmediate(() => {
        this.#sinceMs = undefined;
      });
    }
    return nowMs - this.#sinceMs < MAX_OPENING_MS ? undefined : nextTurn(user);
  }
}

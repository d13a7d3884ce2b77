import { nextTurn } from '@cairn/events';

/** How long requests may be begun one after the other, in milliseconds. */
const MAX_OPENING_MS = 8;

/**
 * Spreads the beginnings of requests over turns of the event loop. Hundreds that arrive at once would otherwise all do
 * their first slice of work in the same turn, and a new connection, a probe or another user's request waits for the sum.
 */
export class Opening {
  readonly #nowMs: () => number;
  /** When a turn of the event loop was last seen to begin: one that ended may be taken to go on, never one too many. */
  #turnSinceMs = -Infinity;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Resolves when a request of the user may begin; `undefined` where that is now. Users take turns. */
  wait(user: string): Promise<void> | undefined {
    return this.#nowMs() - this.#turnSinceMs < MAX_OPENING_MS ? undefined : this.#waitForTurn(user);
  }

  async #waitForTurn(user: string): Promise<void> {
    await nextTurn(user);
    this.#turnSinceMs = this.#nowMs();
  }
}

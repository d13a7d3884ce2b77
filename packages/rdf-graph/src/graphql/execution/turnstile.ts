import type { NextTurn } from '@cairn/events';

/** Lets those who wait through one by one, after a turn of the event loop, for as long as a slice of time lasts. */
export class Turnstile {
  readonly #isSliceOver: () => boolean;
  readonly #startSlice: () => void;
  readonly #nextTurn: NextTurn;
  #waiting: (() => void)[] = [];
  #isClosed = false;

  /** @param isSliceOver asked after each one who was let through */
  constructor(isSliceOver: () => boolean, startSlice: () => void, turn: NextTurn) {
    this.#isSliceOver = isSliceOver;
    this.#startSlice = startSlice;
    this.#nextTurn = turn;
  }

  /** Whether everybody has to wait until others had their turn. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Closes the turnstile and resolves when it is this caller's turn: first come, first served. */
  wait(): Promise<void> {
    if (!this.#isClosed) {
      this.#isClosed = true;
      void this.#open();
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  async #open(): Promise<void> {
    const turn = this.#nextTurn;
    await turn();
    this.#isClosed = false;
    this.#startSlice();
    const waiting = this.#waiting;
    this.#waiting = [];
    for (let i = 0; i < waiting.length; i++) {
      waiting[i]();
      // What was let through runs now.
      await undefined;
      if (!this.#isClosed && !this.#isSliceOver()) continue;
      // Those who came meanwhile stand behind those who wait still.
      this.#waiting = waiting.slice(i + 1).concat(this.#waiting);
      if (!this.#isClosed) this.#reopenLater();
      return;
    }
  }

  #reopenLater(): void {
    if (this.#waiting.length === 0) return;
    this.#isClosed = true;
    void this.#open();
  }
}

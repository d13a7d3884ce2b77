/** How long requests are read one after the other in one turn of the event loop, in milliseconds. */
const MAX_TURN_MS = 10;

/** Requests that are read in one turn at most, however short: enough that the turn itself costs little beside them. */
const MAX_READS = 64;

/** One that reads a request when its turn has come. */
export interface TurnTaker {
  takeTurn(): void;
}

/**
 * The queue of connections that have sent more than was read of them. In each turn of the event loop those in front read
 * a request each, until the time of the turn is over, and go to the end. So a connection that is new, or sends one
 * request, waits for one request of each other, however many those have sent.
 */
export class ReadingTurns {
  readonly #nowMs: () => number;
  readonly #waiting = new Set<TurnTaker>();
  /** Immediates under way: between two of them, all that a request sets off at once runs, and counts as time. */
  #reads = 0;
  #turnEndMs: number | undefined;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** True while the turn of the event loop has time for another request. */
  hasTime(): boolean {
    if (this.#turnEndMs !== undefined) return this.#nowMs() < this.#turnEndMs;
    this.#turnEndMs = this.#nowMs() + MAX_TURN_MS;
    setImmediate(() => {
      this.#turnEndMs = undefined;
    });
    return true;
  }

  /** True when one that comes now need not wait: nobody does. It asks for no time, since it comes once in a turn. */
  isFree(): boolean {
    return this.#waiting.size === 0;
  }

  /** Puts one at the end of the queue, unless it waits already. */
  wait(taker: TurnTaker): void {
    this.#waiting.add(taker);
    this.#arm();
  }

  #arm(): void {
    if (this.#reads >= Math.min(this.#waiting.size, MAX_READS)) return;
    this.#reads++;
    setImmediate(() => this.#read());
  }

  #read(): void {
    this.#reads--;
    if (this.hasTime()) {
      const [first] = this.#waiting;
      if (first !== undefined) {
        this.#waiting.delete(first);
        first.takeTurn();
      }
    }
    this.#arm();
  }
}

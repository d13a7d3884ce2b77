import { CodedError } from '@cairn/errors';

/** Counts the requests that each user has in work, so that one who sends slowly leaves places for others. */
export class Shares {
  readonly #maxEach: number;
  /** A user without requests in work has no entry. */
  readonly #inWork = new Map<string, number>();

  constructor(maxEach: number) {
    this.#maxEach = maxEach;
  }

  /** @throws `ERR_USER_BUSY` (overloaded) when the user has a share's worth in work; else call {@link Shares.leave} after it */
  enter(user: string): void {
    const own = this.#inWork.get(user) ?? 0;
    if (own >= this.#maxEach) throw overShare(this.#maxEach);
    this.#inWork.set(user, own + 1);
  }

  leave(user: string): void {
    const left = (this.#inWork.get(user) ?? 1) - 1;
    if (left === 0) this.#inWork.delete(user);
    else this.#inWork.set(user, left);
  }
}

function overShare(maxEach: number): CodedError {
  const message = `at most ${maxEach} requests of one user are served at once; try again when one of them is done`;
  return new CodedError({ code: 'ERR_USER_BUSY', kind: 'overloaded', message });
}

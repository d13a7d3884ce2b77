/** Work that waits, user by user: whose turn is longest ago is first, and of each user what waits longest. */
export class UserQueue {
  /** A user for whom nothing waits has no entry. */
  readonly #waiting = new Map<string, (() => void)[]>();

  /** The user of each that waits. */
  get users(): string[] {
    return [...this.#waiting].flatMap(([user, own]) => own.map(() => user));
  }

  /** Puts work behind all other of its user. Returns how to take it out again. */
  add(user: string, begin: () => void): () => void {
    const own = this.#waiting.get(user);
    if (own === undefined) this.#waiting.set(user, [begin]);
    else own.push(begin);
    return () =>
      this.#keep(
        user,
        (this.#waiting.get(user) ?? []).filter((one) => one !== begin),
      );
  }

  /** Takes the work whose turn it is, of those users who may begin; its user goes behind all others. */
  take(mayBegin: (user: string) => boolean): (() => void) | undefined {
    for (const [user, [begin, ...others]] of this.#waiting) {
      if (!mayBegin(user)) continue;
      this.#waiting.delete(user);
      this.#keep(user, others);
      return begin;
    }
    return undefined;
  }

  #keep(user: string, own: (() => void)[]): void {
    if (own.length === 0) this.#waiting.delete(user);
    else this.#waiting.set(user, own);
  }
}

/** Readers that wait at the end of a topic. Keeps no timer, and nothing of a reader that has stopped waiting. */
export class Waiters {
  readonly #wakers = new Set<() => void>();

  /** Resolves at the next {@link wake}, or when the signal aborts. */
  wait(signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        this.#wakers.delete(done);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      this.#wakers.add(done);
      signal?.addEventListener('abort', done);
    });
  }

  wake(): void {
    for (const waker of [...this.#wakers]) waker();
  }
}

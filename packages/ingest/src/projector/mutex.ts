/** Lets one task at a time run, in the order of their asking. */
export class Mutex {
  #tail: Promise<void> = Promise.resolve();

  /** Runs a task when those before it have ended, whether they failed or not. */
  run<Result>(task: () => Promise<Result>): Promise<Result> {
    const result = this.#tail.then(task);
    this.#tail = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  }
}

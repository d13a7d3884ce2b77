/** Runs a task soon, after events that wait now. */
export type Schedule = (task: () => void) => void;

interface Host {
  readonly setImmediate?: (task: () => void) => { unref?(): void };
  readonly setTimeout: (task: () => void, ms: number) => { unref?(): void } | number;
}

/** Uses the host's event loop; the task alone keeps no process alive. */
export const scheduleOnEventLoop: Schedule = (task) => {
  const host = globalThis as unknown as Host;
  const handle = host.setImmediate === undefined ? host.setTimeout(task, 0) : host.setImmediate(task);
  if (typeof handle === 'object') handle.unref?.();
};

/** Resolves after the events that wait now were handled. */
export function nextTurn(): Promise<void> {
  const host = globalThis as unknown as Host;
  return new Promise((resolve) => {
    if (host.setImmediate === undefined) host.setTimeout(resolve, 0);
    else host.setImmediate(resolve);
  });
}

/** Runs a sliced computation to its end. */
export function finish<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

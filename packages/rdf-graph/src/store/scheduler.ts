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

/** Who waits for a turn, the longest first. */
const waiting: (() => void)[] = [];

/**
 * Resolves after the events that wait now were handled. One computation is let go on in each turn of the event loop, so
 * that many that run by slices do not put their slices together into one long stretch.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) onNextTurn(releaseOne);
  });
}

function releaseOne(): void {
  waiting.shift()?.();
  if (waiting.length > 0) onNextTurn(releaseOne);
}

function onNextTurn(task: () => void): void {
  const host = globalThis as unknown as Host;
  if (host.setImmediate === undefined) host.setTimeout(task, 0);
  else host.setImmediate(task);
}

/** Runs a sliced computation to its end. */
export function finish<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

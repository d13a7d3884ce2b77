interface Host {
  readonly setImmediate?: (task: () => void) => unknown;
  readonly setTimeout: (task: () => void, ms: number) => unknown;
}

/** Who waits for a turn, the longest first. */
const waiting: (() => void)[] = [];

/**
 * Resolves after the events that wait now were handled: what engines await between two slices of their work, so that
 * nobody else waits for the whole of it.
 *
 * One computation is let go on in each turn of the event loop, in the order in which they asked, so that many that run
 * by slices do not put their slices together into one long stretch. Takes no time by itself where nothing else waits,
 * unlike the shortest timer.
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

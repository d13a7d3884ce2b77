interface Host {
  readonly setImmediate?: (task: () => void) => unknown;
  readonly setTimeout: (task: () => void, ms: number) => unknown;
}

/** Lets other events run between two slices of work, then resolves: {@link nextTurn}, or one that knows its party. */
export type NextTurn = () => Promise<void>;

/** Who waits for a turn, by party: the party whose turn is longest ago first, and in each the longest wait first. */
const waiting = new Map<string, (() => void)[]>();

/**
 * Resolves after the events that wait now were handled: what engines await between two slices of their work, so that
 * nobody else waits for the whole of it.
 *
 * One computation is let go on in each turn of the event loop, so that many that run by slices do not put their slices
 * together into one long stretch. Parties take turns, however many computations each has: one user's thousand searches
 * hold another's up for a slice each time. Within a party they go on in the order in which they asked. Takes no time by
 * itself where nothing else waits, unlike the shortest timer.
 *
 * @param party whom the work is for, the name of a user for example. Default: nobody in particular, as one party.
 */
export function nextTurn(party = ''): Promise<void> {
  return new Promise((resolve) => {
    const own = waiting.get(party);
    if (own !== undefined) own.push(resolve);
    else if (waiting.set(party, [resolve]).size === 1) onNextTurn(releaseOne);
  });
}

function releaseOne(): void {
  for (const [party, own] of waiting) {
    const release = own.shift();
    // The party stands behind all others now.
    waiting.delete(party);
    if (own.length > 0) waiting.set(party, own);
    release?.();
    break;
  }
  if (waiting.size > 0) onNextTurn(releaseOne);
}

function onNextTurn(task: () => void): void {
  const host = globalThis as unknown as Host;
  if (host.setImmediate === undefined) host.setTimeout(task, 0);
  else host.setImmediate(task);
}

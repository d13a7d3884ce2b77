/** Lets other events run between two slices of work, then resolves: {@link nextTurn}, or one that knows its party. */
export type NextTurn = () => Promise<void>;

/** Missing on some hosts other than Node. */
declare const setImmediate: ((task: () => void) => unknown) | undefined;

/**
 * Those who wait for a turn, by party: the party whose turn is longest ago first, and in each the longest wait first.
 */
const waiting = new Map<string, (() => void)[]>();

/**
 * Resolves after the events that now wait were handled. Engines await it between two slices of work, so that nobody
 * else waits for the whole.
 *
 * Each turn of the event loop continues one computation, so that slices of many do not add up to one long stretch.
 * Parties take turns, however many computations each has: one user's thousand searches hold another's up for a slice
 * each time. Within a party the order is that of asking. Costs no time by itself when nothing else waits, unlike the
 * shortest timer.
 *
 * @param party whom the work is for, such as the name of a user. Default: nobody in particular, as one party.
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
    // The party goes behind all others.
    waiting.delete(party);
    if (own.length > 0) waiting.set(party, own);
    release?.();
    break;
  }
  if (waiting.size > 0) onNextTurn(releaseOne);
}

function onNextTurn(task: () => void): void {
  if (typeof setImmediate === 'function') setImmediate(task);
  else setTimeout(task, 0);
}

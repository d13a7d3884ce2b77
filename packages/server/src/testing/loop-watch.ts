import { readFileSync } from 'node:fs';

/** A turn in which the thread itself computes for longer than this holds everybody else up for too long. */
export const MAX_TURN_MS = 250;

const TICK_MS = 10;

/** A reading of what one thread has computed, in milliseconds; `undefined` where the system does not tell. */
export type ReadThreadCpuMs = () => number | undefined;

export interface LoopWatch {
  /** Notes that a request is under way; call what it gives when its answer was read. */
  begin(request: string): () => void;
  /** The turns in which the thread computed for too long, each with the requests that were under way. */
  readonly longTurns: readonly string[];
  stop(): void;
}

export interface LoopWatchOptions {
  /** Milliseconds of one turn. Default {@link MAX_TURN_MS}. */
  readonly maxTurnMs?: number;
  readonly threadCpuMs?: ReadThreadCpuMs;
}

/**
 * Watches for turns of the event loop that take too long by the CPU time of this thread: a thread that waits for a
 * processor because others have it all holds nobody up by its own work.
 */
export function watchLoop({
  maxTurnMs = MAX_TURN_MS,
  threadCpuMs = readThreadCpuMs,
}: LoopWatchOptions = {}): LoopWatch {
  const running = new Map<symbol, string>();
  const longTurns: string[] = [];
  let endedInTurn: string[] = [];
  let before = threadCpuMs();
  const look = (): void => {
    const now = threadCpuMs();
    const tookMs = now === undefined || before === undefined ? 0 : now - before;
    before = now;
    if (tookMs > maxTurnMs && running.size + endedInTurn.length > 0) {
      const requests = [...endedInTurn, ...running.values()].join(', ');
      longTurns.push(`${Math.round(tookMs)} ms of one turn while these were under way: ${requests}`);
    }
    endedInTurn = [];
  };
  const timer = setInterval(look, TICK_MS);
  timer.unref();
  return {
    longTurns,
    begin(request) {
      const key = Symbol(request);
      running.set(key, request);
      return () => {
        running.delete(key);
        endedInTurn.push(request);
      };
    },
    stop() {
      look();
      clearInterval(timer);
    },
  };
}

/** From Node 23.9 on the runtime tells; before, Linux does. */
function readThreadCpuMs(): number | undefined {
  const { threadCpuUsage } = process as { threadCpuUsage?: () => { user: number; system: number } };
  if (threadCpuUsage !== undefined) {
    const { user, system } = threadCpuUsage.call(process);
    return (user + system) / 1000;
  }
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')[0]) / 1e6;
  } catch {
    return undefined;
  }
}

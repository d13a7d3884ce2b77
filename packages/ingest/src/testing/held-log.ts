import type { EventLog } from '@cairn/events';
import { proxyOf } from './log-proxy.ts';

/** A log whose appends can be held back, or made to fail before anything is written. */
export interface HeldLog extends EventLog {
  /** Appends from now on wait until {@link HeldLog.release}. */
  hold(): void;
  /** Appends from now on throw what this gives, unless that is `undefined`, until {@link HeldLog.release}. */
  refuse(reason: (topic: string) => unknown): void;
  release(): void;
  /** Resolves when an append is held back. */
  held(): Promise<void>;
}

/** Puts a gate before the appends of a log. */
export function createHeldLog(log: EventLog): HeldLog {
  let gate = createGate();
  let arrival = createGate();
  let reason: ((topic: string) => unknown) | undefined;
  gate.open();
  return {
    ...proxyOf(log),
    async append(topic, batch) {
      const refusal = reason?.(topic);
      if (refusal !== undefined) throw refusal;
      arrival.open();
      await gate.opened;
      return log.append(topic, batch);
    },
    hold() {
      gate = createGate();
      arrival = createGate();
    },
    refuse(why) {
      reason = why;
    },
    release() {
      reason = undefined;
      gate.open();
    },
    held: () => arrival.opened,
  };
}

interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

function createGate(): Gate {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

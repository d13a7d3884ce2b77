import type { EventLog } from '@cairn/events';
import { createGate } from '../projector/gate.ts';

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

/** The log itself behind an object of its own, whose methods may be replaced one by one. */
export function proxyOf(log: EventLog): EventLog {
  return {
    append: (topic, batch) => log.append(topic, batch),
    read: (topic, options) => log.read(topic, options),
    end: (topic) => log.end(topic),
    comparePositions: (a, b) => log.comparePositions(a, b),
    lag: (topic, after) => log.lag(topic, after),
    commit: (group, topic, position) => log.commit(group, topic, position),
    committed: (group, topic) => log.committed(group, topic),
    cuts: (topic) => log.cuts(topic),
    topics: () => log.topics(),
    close: () => log.close(),
  };
}

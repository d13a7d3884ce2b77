import type { EventLog } from '@cairn/events';

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

import { createEvent } from '../event/create-event.ts';
import type { Event, Position, StoredEvent } from '../event/event.ts';
import type { EventLog, ReadOptions } from '../log/event-log.ts';

/** Implementation that the cases of {@link EventLog} run against: an empty log for each case. */
export interface EventLogHarness {
  readonly log: EventLog;
  /** For durable logs: closes the log and opens what it stored. The new log is closed by the case. */
  readonly reopen?: () => Promise<EventLog>;
  /**
   * For logs that can lose the end of a topic to damage: closes the log, damages the last batch of the topic so that it
   * is lost, and opens the rest. The new log is closed by the case.
   */
  readonly damageEnd?: (topic: string) => Promise<EventLog>;
  /** Size in bytes of a value that the log refuses as too large; without it that law is not tried. */
  readonly tooLargeBytes?: number;
  /** Called once after the case, even a failed one. Closing a closed log does no harm. */
  readonly dispose?: () => Promise<void>;
}

/** Returns events with the ids `PREFIX0`, `PREFIX1` and so on, whose values are their ids. */
export function numberedEvents(count: number, prefix = 'e'): Event[] {
  return Array.from({ length: count }, (_, n) =>
    createEvent({ id: `${prefix}${n}`, type: 'test', value: `${prefix}${n}` }),
  );
}

/** Collects every event of a read, without waiting for more. */
export async function readAll(log: EventLog, topic: string, options: ReadOptions = {}): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for await (const batch of log.read(topic, options)) events.push(...batch);
  return events;
}

export function positionsOf(events: readonly StoredEvent[]): Position[] {
  return events.map(({ position }) => position);
}

export function valuesOf(events: readonly Event[]): string[] {
  return events.map(({ value }) => new TextDecoder().decode(value));
}

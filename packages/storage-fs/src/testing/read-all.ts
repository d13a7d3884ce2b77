import type { EventLog, ReadOptions, StoredEvent } from '@cairn/events';

/** Every event that a read gives. */
export async function readAll(log: EventLog, topic: string, options: ReadOptions = {}): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for await (const batch of log.read(topic, options)) events.push(...batch);
  return events;
}

/** The text of each event's value. */
export function valuesOf(events: readonly StoredEvent[]): string[] {
  return events.map(({ value }) => Buffer.from(value).toString());
}

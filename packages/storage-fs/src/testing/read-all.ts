import type { EventLog, ReadOptions, StoredEvent } from '@cairn/events';

export async function readAll(log: EventLog, topic: string, options: ReadOptions = {}): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for await (const batch of log.read(topic, options)) events.push(...batch);
  return events;
}

export function valuesOf(events: readonly StoredEvent[]): string[] {
  return events.map(({ value }) => Buffer.from(value).toString());
}

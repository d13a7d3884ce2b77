import type { EventLog, StoredEvent } from '@cairn/events';

export async function readAll(log: EventLog, topic: string): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for await (const batch of log.read(topic)) events.push(...batch);
  return events;
}

import type { Event, StoredEvent } from '@cairn/events';

/** Says which part of a change an event is, `2/3`, when one change takes several events. */
export const BATCH_PART_HEADER = 'Batch-Part';

/** Marks the events of one change as belonging together: {@link wholeChanges} does not part them. Append them as one batch. */
export function markAsOneChange<E extends Event>(events: readonly E[]): readonly E[] {
  if (events.length < 2) return events;
  return events.map((event, at) => ({
    ...event,
    headers: event.headers.with(BATCH_PART_HEADER, `${at + 1}/${events.length}`),
  }));
}

/** How many of these events are before a change at their end whose other parts are yet to be read. */
export function wholeChanges(events: readonly StoredEvent[]): number {
  const part = /^([1-9]\d{0,8})\/([1-9]\d{0,8})$/.exec(events.at(-1)?.headers.get(BATCH_PART_HEADER) ?? '');
  if (part === null || Number(part[1]) >= Number(part[2])) return events.length;
  return Math.max(0, events.length - Number(part[1]));
}

import type { Event, EventLog, Headers, StoredEvent } from '@cairn/events';

/** Where on the topic of a route the event stands that another one was made from. */
export interface SourcePlace {
  readonly topic: string;
  readonly position: string;
}

const HEADER_NAME = 'Ingest-Source';

/** Notes on what is made from an event where that is, so that uploads and deletions can be told before from after. */
export function withSource<E extends Event>(made: E, source: StoredEvent): E {
  return { ...made, headers: made.headers.with(HEADER_NAME, toHeader(source)) };
}

/** The place that was noted; `undefined` without one. */
export function sourceOf({ headers }: { readonly headers: Headers }): SourcePlace | undefined {
  return fromHeader(headers.get(HEADER_NAME));
}

export function toHeader({ topic, position }: SourcePlace): string {
  return `${topic} ${position}`;
}

/** The place that a header says; `undefined` when there is none, or it says none. */
export function fromHeader(text = ''): SourcePlace | undefined {
  const [topic, position, ...rest] = text.split(' ');
  return topic === undefined || position === undefined || rest.length > 0 ? undefined : { topic, position };
}

/** Returns true if one was taken in before the other; what cannot be compared counts as before. */
export function isBefore(one: SourcePlace | undefined, other: SourcePlace | undefined, log: EventLog): boolean {
  if (one === undefined || other === undefined || one.topic !== other.topic) return true;
  return log.comparePositions(one.position, other.position) < 0;
}

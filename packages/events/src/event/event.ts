import type { Headers } from './headers.ts';

/**
 * Place of an event in its topic: an opaque string. Order two positions of one topic only with
 * {@link EventLog.comparePositions}. Serialisable; valid as long as the log lives.
 */
export type Position = string;

/** How far a cache has consumed the topics that it is projected from: the last position of each. */
export type TopicPositions = Readonly<Record<string, Position>>;

/**
 * An event to append. The headers `Event-Id`, `Event-Type` and `Schema-Version` are required on the log; `createEvent`
 * sets them.
 */
export interface Event {
  /** Groups events about one thing, for logs that keep order only within a key. */
  readonly key?: string;
  readonly headers: Headers;
  /** Up to 1 MiB; a larger value goes to a BlobStore first and the event refers to it (`offloadValue`). */
  readonly value: Uint8Array;
}

/** An event as read: with its topic, position and time of append. */
export interface StoredEvent extends Event {
  readonly topic: string;
  readonly position: Position;
  /** Time of append, milliseconds since the epoch. */
  readonly timestampMs: number;
}

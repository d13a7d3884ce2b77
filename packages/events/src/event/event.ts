/**
 * Headers of an event: names compare without case, keep the case they were first given, and may have several values.
 * Immutable.
 */
export interface Headers extends Iterable<readonly [name: string, value: string]> {
  /** Returns the first value of a name, else `undefined`. */
  get(name: string): string | undefined;
  /** Returns every value of a name in order. */
  getAll(name: string): readonly string[];
  has(name: string): boolean;
  /**
   * Returns a copy in which a name has exactly these values, in the place of the old ones. No value removes the name.
   */
  with(name: string, ...values: readonly string[]): Headers;
  /** Returns a copy with one more value of a name. */
  append(name: string, value: string): Headers;
  /** Returns name and value pairs in order, as `createHeaders` takes them. */
  toArray(): [name: string, value: string][];
}

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

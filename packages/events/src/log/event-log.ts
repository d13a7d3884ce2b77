import type { Event, Position, StoredEvent } from '../event/event.ts';

/**
 * A range of positions that a log lost: a write that never ended, or damage that was set aside. Positions in it are
 * never given out again; a cache or reader that holds one holds what the log no longer has.
 */
export interface LogCut {
  readonly topic: string;
  /** The last event before the range; `undefined` when there is none. */
  readonly after: Position | undefined;
  /** The first position behind the range: later events have it or a greater one. */
  readonly resumesAt: Position;
  /** Number of bytes cut; 0 when a whole file is missing. */
  readonly bytes: number;
  /** Where the log keeps those bytes; `undefined` when there are none. */
  readonly keptIn: string | undefined;
  /** Description of the fault. */
  readonly reason: string;
  /** When it was noticed, milliseconds since the epoch. */
  readonly atMs: number;
  /** True when an operator has taken note of it. */
  readonly accepted: boolean;
}

/** Options of {@link EventLog.read}. */
export interface ReadOptions {
  /** Read events after this position; without it from the first event that the log still has. */
  readonly after?: Position | undefined;
  /**
   * Without `after`: refuse with `ERR_LOG_TRUNCATED` when retention removed the topic's first events, as a rebuild must.
   * Default false: read what is left.
   */
  readonly fromStart?: boolean;
  /** At the end, wait for further events instead of stopping. Default false. */
  readonly wait?: boolean;
  /** Largest number of events in one yielded batch, 1 and up. Default 1000. */
  readonly maxBatchEvents?: number;
  /** Ends the iteration: quietly, without an error. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * An append-only log of events in named topics: the one source of truth. Everything else is a cache of it.
 *
 * Laws for implementers (`@cairn/events/conformance` checks them):
 * - `append` MUST be atomic: after a crash either all events of a batch are there or none.
 * - The promise of `append` MUST NOT resolve before the batch is as durable as the log can make it.
 * - Within a topic, order of append is order of reading, and positions MUST ascend by `comparePositions`.
 * - A position MUST stay valid after reopening the log.
 * - A position MUST NOT be given out twice, not even when its event was lost to damage: a topic that was cut goes on
 *   behind every position that anybody can hold, and `cuts` names the range between. Reading after a position in that
 *   range gives the events behind it, as if the lost ones had been read; they count in no `lag`, and none is the `end`.
 * - A value is copied when `append` is called, and the bytes of an event that is read are the reader's own: writing
 *   into either does not change what the log gives to others.
 * - Topics come into being by the first append; reading an unknown topic yields nothing (or waits).
 * - What `read` gave, read a second time, MUST come whole again or throw `ERR_ALREADY_READ` (`readableOnce`).
 * - Concurrent calls of every method MUST be safe. After `close` every call throws `ERR_LOG_CLOSED`.
 */
export interface EventLog {
  /**
   * Appends a batch to one topic and returns the position of each event.
   * @throws `ERR_EVENT_INVALID` (invalid) for a key with half of a surrogate pair, which no log could give back; nothing
   *   was appended then.
   * @throws `ERR_LOG_WRITE` (unavailable) when the medium refuses; nothing was appended then. When the error is not
   *   retryable, the fate of the batch is known only when the log is opened again.
   * @throws `ERR_EVENT_TOO_LARGE` (too-large) when a record exceeds what the log takes.
   */
  append(topic: string, batch: readonly Event[]): Promise<Position[]>;
  /**
   * Reads a topic in batches, each non-empty and in order.
   * @throws `ERR_LOG_TRUNCATED` (not-found) when `after` is before the oldest event that retention kept.
   * @throws `ERR_POSITION_INVALID` (invalid) when `after` is no position of this log, or is beyond its end and in no
   *   range that was cut.
   * @throws `ERR_LOG_CORRUPT` (corrupt) on damage in the middle, naming where.
   */
  read(topic: string, options?: ReadOptions): AsyncIterable<readonly StoredEvent[]>;
  /** Returns the position of the last event of a topic, `undefined` when it has none. */
  end(topic: string): Promise<Position | undefined>;
  /** Returns a negative number, zero or a positive one as `a` is before, at or after `b` in one topic. */
  comparePositions(a: Position, b: Position): number;
  /**
   * Returns the event at a position, `undefined` when the log has none there. By its id and time a cache tells its log
   * from another with the same positions. A log MAY omit this; then caches are not tied to it. Cost: reads that event.
   */
  eventAt?(topic: string, position: Position): Promise<StoredEvent | undefined>;
  /** Returns the number of events after `after` (without it, from the start). May be an estimate on remote logs. */
  lag(topic: string, after: Position | undefined): Promise<number>;
  /** Durably stores how far a consumer group has read a topic. */
  commit(group: string, topic: string, position: Position): Promise<void>;
  /** Returns how far a group has read; `undefined` when it never committed. */
  committed(group: string, topic: string): Promise<Position | undefined>;
  /** Returns what a topic lost, in order; for most logs always empty. */
  cuts(topic: string): Promise<readonly LogCut[]>;
  /** Lists every topic that has an event, sorted. */
  topics(): Promise<string[]>;
  close(): Promise<void>;
}

/** Returns the cut that took the event at a position, `undefined` when none did. */
export async function cutAround(log: EventLog, topic: string, position: Position): Promise<LogCut | undefined> {
  const cuts = await log.cuts(topic);
  return cuts.find(
    ({ after, resumesAt }) =>
      (after === undefined || log.comparePositions(position, after) > 0) &&
      log.comparePositions(position, resumesAt) < 0,
  );
}

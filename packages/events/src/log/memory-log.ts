import { checkBound, checkFunction, checkObject, readableOnce } from '@cairn/errors';
import { copyBytes } from '../content/bytes.ts';
import type { Event, Position, StoredEvent } from '../event/event.ts';
import {
  checkBatch,
  checkBatchSize,
  checkGroupName,
  checkReadOptions,
  checkTopicName,
  eventTooLarge,
  logClosed,
} from './arguments.ts';
import type { EventLog, LogCut, ReadOptions } from './event-log.ts';
import { fromSequencePosition, positionBeyondEnd, toSequencePosition } from './sequence-position.ts';
import { Waiters } from './waiters.ts';

/** Options of {@link createMemoryEventLog}. */
export interface MemoryEventLogOptions {
  /** Clock for the time of append: milliseconds since the epoch. Default: always 0. */
  readonly nowMs?: () => number;
  /** Largest key + headers + value of one event in bytes. Default 16 MiB. */
  readonly maxEventBytes?: number;
}

/**
 * Returns an {@link EventLog} that lives as long as the process: the fake of tests, and the log of a server without
 * data.
 */
export function createMemoryEventLog(options: MemoryEventLogOptions = {}): EventLog {
  checkObject(options, 'the options of a log');
  if (options.nowMs !== undefined) checkFunction(options.nowMs, 'nowMs');
  if (options.maxEventBytes !== undefined) checkBound(options.maxEventBytes, 'maxEventBytes');
  return new MemoryEventLog(options);
}

interface Topic {
  readonly events: StoredEvent[];
  readonly waiters: Waiters;
}

class MemoryEventLog implements EventLog {
  readonly #nowMs: () => number;
  readonly #maxEventBytes: number;
  readonly #topics = new Map<string, Topic>();
  readonly #committed = new Map<string, Map<string, Position>>();
  #closed = false;

  constructor(options: MemoryEventLogOptions) {
    this.#nowMs = options.nowMs ?? (() => 0);
    this.#maxEventBytes = options.maxEventBytes ?? 16 * 1024 * 1024;
  }

  async append(topic: string, batch: readonly Event[]): Promise<Position[]> {
    this.#check(topic);
    checkBatch(batch);
    for (const event of batch) {
      const bytes = approximateBytes(event);
      if (bytes > this.#maxEventBytes) throw eventTooLarge(bytes, this.#maxEventBytes);
    }
    if (batch.length === 0) return [];
    const { events, waiters } = this.#topic(topic);
    const timestampMs = this.#nowMs();
    const stored = batch.map((event, index) => toStored(event, topic, events.length + index, timestampMs));
    for (const event of stored) events.push(event);
    waiters.wake();
    return stored.map(({ position }) => position);
  }

  read(topic: string, options: ReadOptions = {}): AsyncGenerator<readonly StoredEvent[]> {
    return readableOnce(this.#read(topic, options));
  }

  async *#read(topic: string, options: ReadOptions): AsyncGenerator<readonly StoredEvent[]> {
    this.#check(topic);
    checkReadOptions(options);
    const { after, wait = false, signal } = options;
    const maxBatchEvents = checkBatchSize(options.maxBatchEvents);
    let next = after === undefined ? 0 : fromSequencePosition(after) + 1;
    const ended = this.#topics.get(topic)?.events.length ?? 0;
    if (after !== undefined && next > ended) throw positionBeyondEnd(topic, after, lastPosition(ended));
    while (!signal?.aborted) {
      this.#check(topic);
      const batch = this.#topics.get(topic)?.events.slice(next, next + maxBatchEvents) ?? [];
      next += batch.length;
      if (batch.length > 0) yield batch.map(toReader);
      else if (wait) await this.#topic(topic).waiters.wait(signal);
      else return;
    }
  }

  async end(topic: string): Promise<Position | undefined> {
    this.#check(topic);
    return lastPosition(this.#topics.get(topic)?.events.length ?? 0);
  }

  async eventAt(topic: string, position: Position): Promise<StoredEvent | undefined> {
    this.#check(topic);
    const sequence = fromSequencePosition(position);
    const event = this.#topics.get(topic)?.events[sequence];
    return event && toReader(event);
  }

  comparePositions(a: Position, b: Position): number {
    return fromSequencePosition(a) - fromSequencePosition(b);
  }

  async lag(topic: string, after: Position | undefined): Promise<number> {
    this.#check(topic);
    const read = after === undefined ? 0 : fromSequencePosition(after) + 1;
    return Math.max(0, (this.#topics.get(topic)?.events.length ?? 0) - read);
  }

  async commit(group: string, topic: string, position: Position): Promise<void> {
    this.#check(topic);
    checkGroupName(group);
    fromSequencePosition(position);
    const positions = this.#committed.get(group) ?? new Map<string, Position>();
    this.#committed.set(group, positions.set(topic, position));
  }

  async committed(group: string, topic: string): Promise<Position | undefined> {
    this.#check(topic);
    checkGroupName(group);
    return this.#committed.get(group)?.get(topic);
  }

  async cuts(topic: string): Promise<readonly LogCut[]> {
    this.#check(topic);
    return [];
  }

  async topics(): Promise<string[]> {
    if (this.#closed) throw logClosed();
    return [...this.#topics].flatMap(([name, { events }]) => (events.length > 0 ? [name] : [])).sort();
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const { waiters } of this.#topics.values()) waiters.wake();
  }

  #check(topic: string): void {
    if (this.#closed) throw logClosed();
    checkTopicName(topic);
  }

  #topic(name: string): Topic {
    const known = this.#topics.get(name);
    if (known !== undefined) return known;
    const topic = { events: [], waiters: new Waiters() };
    this.#topics.set(name, topic);
    return topic;
  }
}

/** Copies the value, so that a caller who reuses a buffer does not alter the log. */
function toStored(event: Event, topic: string, sequence: number, timestampMs: number): StoredEvent {
  const { key, headers, value } = event;
  const position = toSequencePosition(sequence);
  const stored = { headers, value: copyBytes(value), topic, position, timestampMs };
  return key === undefined ? stored : { ...stored, key };
}

/** The bytes returned are the reader's own. Cost: tens of nanoseconds, and the copy. */
function toReader(event: StoredEvent): StoredEvent {
  return { ...event, value: copyBytes(event.value) };
}

function lastPosition(count: number): Position | undefined {
  return count === 0 ? undefined : toSequencePosition(count - 1);
}

function approximateBytes(event: Event): number {
  let bytes = event.value.length + (event.key?.length ?? 0);
  for (const [name, value] of event.headers) bytes += name.length + value.length;
  return bytes;
}

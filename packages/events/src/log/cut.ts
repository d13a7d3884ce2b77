import type { Position } from '../event/event.ts';
import type { EventLog } from './event-log.ts';

/**
 * A range of positions that a log lost: a write that never ended, or damage that was set aside. Positions in it are
 * never given out again. Who holds one, in a cache or as a place, holds what the log no longer has.
 */
export interface LogCut {
  readonly topic: string;
  /** The last event before the range; `undefined` when there is none. */
  readonly after: Position | undefined;
  /** The first position behind the range: the events that follow have it or later ones. */
  readonly resumesAt: Position;
  /** How many bytes were cut; 0 when a whole file is missing. */
  readonly bytes: number;
  /** Where the log keeps those bytes; `undefined` when there are none. */
  readonly keptIn: string | undefined;
  /** What was wrong, in words. */
  readonly reason: string;
  /** When it was noticed, milliseconds since the epoch. */
  readonly atMs: number;
  /** Whether an operator has taken note of it. */
  readonly accepted: boolean;
}

/** The cut that took the event at a position; `undefined` when none did. */
export async function cutAround(log: EventLog, topic: string, position: Position): Promise<LogCut | undefined> {
  const cuts = await log.cuts(topic);
  return cuts.find(
    ({ after, resumesAt }) =>
      (after === undefined || log.comparePositions(position, after) > 0) &&
      log.comparePositions(position, resumesAt) < 0,
  );
}

import type { Position } from '../event/event.ts';
import type { EventLog, LogCut } from './event-log.ts';

/** Returns the cut that took the event at a position, `undefined` when none did. */
export async function cutAround(log: EventLog, topic: string, position: Position): Promise<LogCut | undefined> {
  const cuts = await log.cuts(topic);
  return cuts.find(
    ({ after, resumesAt }) =>
      (after === undefined || log.comparePositions(position, after) > 0) &&
      log.comparePositions(position, resumesAt) < 0,
  );
}

import type { LogCut, Position, StoredEvent } from '@cairn/events';
import { fromSequencePosition } from '@cairn/events/experimental';
import { isAnother, type LogTie, otherLogReason } from '../composition/log-tie.ts';
import type { Finding } from './finding.ts';
import { ofCache } from './stored-data.ts';

export interface PositionedCache {
  readonly name: string;
  readonly positions: Readonly<Record<string, Position>>;
}

/** A cache as it is stored, and what ties it to its log. */
export interface StoredCache extends PositionedCache {
  readonly tie: LogTie;
}

/** Finds, while a log is read, which stored caches were made from another. */
export class TieVerification {
  readonly #caches: readonly StoredCache[];
  /** Events of the log where a cache knows one, by topic and position. */
  readonly #found = new Map<string, Map<Position, StoredEvent | undefined>>();

  constructor(caches: readonly StoredCache[]) {
    this.#caches = caches;
    for (const { tie } of caches) {
      for (const [topic, { position }] of Object.entries(tie)) {
        this.#found.set(topic, (this.#found.get(topic) ?? new Map()).set(position, undefined));
      }
    }
  }

  visit(event: StoredEvent): void {
    const found = this.#found.get(event.topic);
    if (found?.has(event.position)) found.set(event.position, event);
  }

  *findings(): Generator<Finding> {
    for (const { name, tie } of this.#caches) {
      for (const [topic, event] of Object.entries(tie)) {
        const found = this.#found.get(topic)?.get(event.position);
        if (isAnother(event, found)) yield ofCache(name, otherLogReason(topic, event, found));
      }
    }
  }
}

/** Caches that have applied what the log does not hold: what lies beyond its end, or was cut away. */
export function* verifyPositions(
  caches: Iterable<PositionedCache>,
  ends: ReadonlyMap<string, Position>,
  cuts: readonly LogCut[],
): Generator<Finding> {
  for (const { name, positions } of caches) {
    for (const [topic, position] of Object.entries(positions)) {
      const isCut = cuts.some((cut) => cut.topic === topic && isWithin(position, cut));
      const end = ends.get(topic);
      const isBeyond = end === undefined || fromSequencePosition(position) > fromSequencePosition(end);
      if (!isCut && !isBeyond) continue;
      const where = isCut ? 'what was cut away' : `what lies beyond the end, ${end ?? 'nothing'}`;
      yield ofCache(name, `it has applied the topic ${topic} up to ${position}, which is in ${where}`);
    }
  }
}

function isWithin(position: Position, { after, resumesAt }: LogCut): boolean {
  const sequence = fromSequencePosition(position);
  return (after === undefined || sequence > fromSequencePosition(after)) && sequence < fromSequencePosition(resumesAt);
}

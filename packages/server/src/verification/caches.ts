import { fromSequencePosition, type LogCut, type Position } from '@cairn/events';
import type { Finding } from './finding.ts';
import { ofCache } from './stored-data.ts';

/** Something that keeps how far it has applied topics. */
export interface PositionedCache {
  readonly name: string;
  readonly positions: Readonly<Record<string, Position>>;
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
      const isBeyond = end === undefined || sequenceOf(position) > sequenceOf(end);
      if (!isCut && !isBeyond) continue;
      const where = isCut ? 'what was cut away' : `what lies beyond the end, ${end ?? 'nothing'}`;
      yield ofCache(name, `it has applied the topic ${topic} up to ${position}, which is in ${where}`);
    }
  }
}

function isWithin(position: Position, { after, resumesAt }: LogCut): boolean {
  const sequence = sequenceOf(position);
  return (after === undefined || sequence > sequenceOf(after)) && sequence < sequenceOf(resumesAt);
}

function sequenceOf(position: Position): number {
  return fromSequencePosition(position);
}

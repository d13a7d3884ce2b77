import { CodedError } from '@cairn/errors';
import type { Position } from '../event/event.ts';

const DIGITS = 16;

/**
 * Returns the position of an event by its number, for logs that number the events of a topic from 0: 16 digits, so that
 * positions of a topic also sort as text.
 */
export function toSequencePosition(sequence: number): Position {
  return String(sequence).padStart(DIGITS, '0');
}

/** Returns the number in such a position. @throws `ERR_POSITION_INVALID` (invalid) when it is none. */
export function fromSequencePosition(position: Position): number {
  const sequence = typeof position === 'string' && /^[0-9]{16}$/.test(position) ? Number(position) : Number.NaN;
  if (Number.isSafeInteger(sequence)) return sequence;
  const message = `a position of this log has ${DIGITS} digits; got ${JSON.stringify(String(position).slice(0, 100))}`;
  throw new CodedError({ code: 'ERR_POSITION_INVALID', kind: 'invalid', message });
}

/** Error of reading after a position that the topic never had: the reader knows events that this log lost. */
export function positionBeyondEnd(topic: string, after: Position, end: Position | undefined): CodedError {
  const message = `position ${after} lies beyond the end of topic ${topic}, which is ${end ?? 'empty'}`;
  return new CodedError({ code: 'ERR_POSITION_INVALID', kind: 'invalid', message });
}

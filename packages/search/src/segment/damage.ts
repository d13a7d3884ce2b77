import { CodedError } from '@cairn/errors';

/** The error of a segment in memory whose parts contradict each other: `ERR_SEGMENT_CORRUPT` (corrupt). */
export function damagedSegment(problem: string): CodedError {
  const message = `a search segment is damaged: ${problem}`;
  return new CodedError({ code: 'ERR_SEGMENT_CORRUPT', kind: 'corrupt', message });
}

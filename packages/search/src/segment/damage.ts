import { CodedError } from '@cairn/errors';

/** The error of a segment in memory whose parts contradict each other: `ERR_SEGMENT_CORRUPT` (corrupt). */
export function damagedSegment(problem: string, cause?: unknown): CodedError {
  return new CodedError({
    code: 'ERR_SEGMENT_CORRUPT',
    kind: 'corrupt',
    message: `a search segment is damaged: ${problem}`,
    cause,
  });
}

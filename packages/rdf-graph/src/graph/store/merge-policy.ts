import type { Run } from './run.ts';

/** Two newest runs that are this small together become one at once. */
const MERGED_AT_ONCE = 512;

/** Beyond that a write merges the newest runs while they are alike in size, up to this many quads. */
const MERGED_BY_WRITER = 16384;

/** Runs are alike when the older one is at most this many times as large. */
const ALIKE_RATIO = 4;

/** Readers and writers get slower with more runs than this: a writer should let the background merge catch up. */
const COMFORTABLE_RUNS = 8;

/** A run is merged with the newer ones in the background when it is less than this many times their size. */
const MERGE_RATIO = 16;

/** A writer that outruns the background merge merges alike runs of any size beyond this many. */
const MAX_RUNS = 24;

/** Returns true if readers and writers are slowed down by the number of runs. */
export function hasManyRuns(runs: readonly Run[]): boolean {
  return runs.length > COMFORTABLE_RUNS;
}

/** Returns true if the writer merges a new run with the one below at once. */
export function isMergedAtOnce(below: readonly Run[], top: Run): boolean {
  const older = below[below.length - 1];
  const size = older.size + top.size;
  if (size <= MERGED_AT_ONCE) return true;
  return older.size <= top.size * ALIKE_RATIO && (size <= MERGED_BY_WRITER || below.length >= MAX_RUNS);
}

/** The oldest run that the newer ones have come close to in size, for the background to merge from; or -1. */
export function mergeFrom(runs: readonly Run[]): number {
  let newer = 0;
  let from = -1;
  for (let i = runs.length - 1; i > 0; i--) {
    newer += runs[i].size;
    if (newer > MERGED_AT_ONCE && runs[i - 1].size < newer * MERGE_RATIO) from = i - 1;
  }
  return from;
}

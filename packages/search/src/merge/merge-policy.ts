import type { SegmentState } from '../segment/segment-state.ts';

/** Segments of one size class that are merged into one of the next. */
const FAN_IN = 8;
/** A segment with a larger share of dead documents is rewritten. */
const MAX_DEAD_SHARE = 0.3;

/**
 * The segments to merge next; `undefined` when the index is in order. Segments are classed by powers of eight of their
 * documents: a class with eight members is merged, so each document is rewritten once for each class it passes.
 */
export function chooseMerge(states: readonly SegmentState[]): SegmentState[] | undefined {
  const classes = new Map<number, SegmentState[]>();
  for (const state of states) {
    const size = Math.floor(Math.log2(Math.max(state.liveCount, 1)) / Math.log2(FAN_IN));
    const members = classes.get(size);
    if (members === undefined) classes.set(size, [state]);
    else members.push(state);
  }
  for (const [, members] of [...classes].sort(([a], [b]) => a - b)) {
    if (members.length >= FAN_IN) return members;
  }
  const wasteful = states.find(({ segment, liveCount }) => {
    return segment.documentCount - liveCount > segment.documentCount * MAX_DEAD_SHARE;
  });
  return wasteful === undefined ? undefined : [wasteful];
}

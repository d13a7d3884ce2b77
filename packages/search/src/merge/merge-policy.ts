import { recall } from '../memory/recall.ts';
import { type Segment, SPACE_NAMES } from '../segment/segment.ts';
import type { SegmentState } from '../segment/segment-state.ts';

/** Segments of one size class that are merged into one of the next. */
const FAN_IN = 8;
/** A segment with a larger share of dead documents is rewritten. */
const MAX_DEAD_SHARE = 0.3;
/**
 * Bytes that the largest part of merged segments may have together. Offsets into postings have 32 bits, and postings
 * may take up to three times as many bytes among those of others: what is between two of one segment grows.
 */
export const MAX_MERGED_BYTES: number = 2 ** 30;

/**
 * The segments to merge next; `undefined` when the index is in order. Segments are classed by powers of eight of their
 * documents: a class with eight members is merged, so each document is rewritten once for each class it passes. Those
 * of which eight would be too large for one stay as they are.
 */
export function chooseMerge(
  states: readonly SegmentState[],
  maxBytes: number = MAX_MERGED_BYTES,
): SegmentState[] | undefined {
  const classes = new Map<number, SegmentState[]>();
  for (const state of states) {
    const size = Math.floor(Math.log2(Math.max(state.liveCount, 1)) / Math.log2(FAN_IN));
    recall(classes, size, () => []).push(state);
  }
  for (const [, members] of [...classes].sort(([a], [b]) => a - b)) {
    if (members.length < FAN_IN) continue;
    const small = members.filter(({ segment }) => measureLargestPart(segment) <= maxBytes / FAN_IN);
    const [group = []] = groupByBytes(small, maxBytes);
    if (group.length >= FAN_IN) return group;
  }
  const wasteful = states.find(isWasteful);
  return wasteful === undefined ? undefined : [wasteful];
}

/** The merges that leave as few segments as can be: neighbours that fit into one, and what holds deleted documents. */
export function chooseCompaction(
  states: readonly SegmentState[],
  maxBytes: number = MAX_MERGED_BYTES,
): SegmentState[][] {
  const groups = groupByBytes(states, maxBytes);
  return groups.filter((group) => group.length > 1 || group.some(({ live }) => live !== undefined));
}

/** Parts segments, in order, into groups of which each would be one segment; one that is too large stays alone. */
function groupByBytes(states: readonly SegmentState[], maxBytes: number): SegmentState[][] {
  const groups: SegmentState[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const state of states) {
    const own = measureLargestPart(state.segment);
    if (bytes + own > maxBytes) {
      groups.push([]);
      bytes = 0;
    }
    groups[groups.length - 1].push(state);
    bytes += own;
  }
  return groups;
}

function isWasteful({ segment, liveCount }: SegmentState): boolean {
  return segment.documentCount - liveCount > segment.documentCount * MAX_DEAD_SHARE;
}

/** Bytes of the largest of the parts of a segment that grow with its documents. */
function measureLargestPart({ ids, spaces, stored }: Segment): number {
  let most = Math.max(ids.bytes.length, stored.bytes.length);
  for (const name of SPACE_NAMES) {
    const { terms, blocks } = spaces[name];
    most = Math.max(most, terms.bytes.length, blocks.bytes.length, blocks.positions.length, blocks.impacts.length);
  }
  return most;
}

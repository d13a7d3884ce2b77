import { type Segment, SPACE_NAMES } from '../segment/segment.ts';
import type { SegmentState } from '../segment/segment-state.ts';

/**
 * How large a segment must be, as a share of all smaller ones together, to stay as it is: that much for those of many
 * documents, and less for those of few, which come one by one and are merged at once.
 */
const LEAST_SHARE = 1;
const LEAST_SHARE_OF_FEW = 0.5;
const FEW_DOCUMENTS = 1024;
/** A segment with a larger share of dead documents is rewritten. */
const MAX_DEAD_SHARE = 0.3;
/**
 * Bytes that the largest part of merged segments may have together. Offsets into postings have 32 bits, and postings
 * may take up to three times as many bytes among those of others: what is between two of one segment grows.
 */
export const MAX_MERGED_BYTES: number = 2 ** 30;

/**
 * The segments to merge next; `undefined` when the index is in order: when none holds fewer documents than all smaller
 * ones together. So there are at most as many as the documents can be halved, however large the batches were, and a
 * document is rewritten only when its segment doubles at least. The largest that is too small is merged with all smaller
 * ones. A segment that takes up more than half of what one may stays as it is.
 */
export function chooseMerge(
  states: readonly SegmentState[],
  maxBytes: number = MAX_MERGED_BYTES,
): SegmentState[] | undefined {
  const movable = states.filter(({ segment }) => measureLargestPart(segment) <= maxBytes / 2);
  const ascending = movable.toSorted((a, b) => a.liveCount - b.liveCount);
  let smaller = 0;
  let bytes = 0;
  let end = 0;
  for (const [i, { segment, liveCount }] of ascending.entries()) {
    bytes += measureLargestPart(segment);
    if (bytes > maxBytes) break;
    if (liveCount < smaller * leastShare(smaller)) end = i + 1;
    smaller += liveCount;
  }
  if (end > 0) {
    const chosen = new Set(ascending.slice(0, end));
    return states.filter((state) => chosen.has(state));
  }
  const wasteful = states.find(isWasteful);
  return wasteful === undefined ? undefined : [wasteful];
}

function leastShare(documents: number): number {
  return documents < FEW_DOCUMENTS ? LEAST_SHARE_OF_FEW : LEAST_SHARE;
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

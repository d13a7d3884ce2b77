import { type Segment, SPACE_NAMES } from '../segment/segment.ts';
import type { IndexStore } from './index-store.ts';

/** Sizes of one named index. They count everything, whoever may see it. */
export interface IndexStatistics {
  readonly name: string;
  readonly documents: number;
  /** Documents that were deleted or replaced and are not merged away yet. */
  readonly deadDocuments: number;
  readonly segments: number;
  /** Bytes of the stored documents. */
  readonly storedBytes: number;
  /** Bytes of everything else: dictionaries, postings, positions, columns. */
  readonly indexBytes: number;
}

/** Measures an index. Cost: O(segments). */
export function measureIndex({ mapping, states }: IndexStore): IndexStatistics {
  const sum = (measure: (segment: Segment) => number): number => {
    return states.reduce((total, { segment }) => total + measure(segment), 0);
  };
  const documents = states.reduce((total, { liveCount }) => total + liveCount, 0);
  return {
    name: mapping.name,
    documents,
    deadDocuments: sum(({ documentCount }) => documentCount) - documents,
    segments: states.length,
    storedBytes: sum(({ stored }) => stored.bytes.byteLength + stored.offset.byteLength),
    indexBytes: sum(measureSegment),
  };
}

function measureSegment({ ids, documentLabelSet, spaces, numbers }: Segment): number {
  const parts: object[] = [ids, { documentLabelSet }, ...numbers.map(({ path: _path, ...arrays }) => arrays)];
  for (const name of SPACE_NAMES) {
    const { terms, slots, blocks, histograms, values } = spaces[name];
    parts.push(terms, slots, blocks, histograms, values);
  }
  const arrays = parts.flatMap((part) => Object.values(part as Record<string, ArrayBufferView>));
  return arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
}

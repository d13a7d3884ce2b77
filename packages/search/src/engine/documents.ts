import { isLive, type SegmentState } from '../segment/segment-state.ts';
import { toBytes } from '../segment/term-dictionary.ts';

/** Where a live document stands. */
export interface DocumentPlace {
  readonly state: SegmentState;
  readonly document: number;
}

/** The live document of an id among the segments of one index. Cost: O(segments log documents). */
export function findDocument(states: readonly SegmentState[], id: string): DocumentPlace | undefined {
  const key = toBytes(id);
  for (let i = states.length - 1; i >= 0; i--) {
    const state = states[i];
    const document = state.segment.ids.findBytes(key);
    if (document >= 0 && isLive(state.live, document)) return { state, document };
  }
  return undefined;
}

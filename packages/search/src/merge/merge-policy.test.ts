import { describe, expect, it } from 'vitest';
import type { SegmentState } from '../segment/segment-state.ts';
import { chooseMerge } from './merge-policy.ts';

/** As much of a state as the policy looks at. */
function stateOf(documentCount: number, liveCount = documentCount): SegmentState {
  return { segment: { documentCount }, liveCount } as SegmentState;
}

describe('the merge policy', () => {
  it('leaves a few segments of any size alone', () => {
    expect(chooseMerge([stateOf(100_000), ...Array.from({ length: 7 }, () => stateOf(1))])).toBeUndefined();
  });

  it('merges eight of one size, the smallest size first', () => {
    const small = Array.from({ length: 8 }, () => stateOf(3));
    const large = Array.from({ length: 9 }, () => stateOf(500));
    expect(chooseMerge([...large, ...small])).toEqual(small);
    expect(chooseMerge(large)).toEqual(large);
  });

  it('rewrites a segment that is mostly dead', () => {
    const wasteful = stateOf(1000, 600);
    expect(chooseMerge([stateOf(50_000), wasteful])).toEqual([wasteful]);
    expect(chooseMerge([stateOf(1000, 800)])).toBeUndefined();
  });

  it('rewrites each document once for each size that it passes', () => {
    let states: SegmentState[] = [];
    let rewritten = 0;
    const added = 4096;
    for (let i = 0; i < added; i++) {
      states.push(stateOf(1));
      for (let merge = chooseMerge(states); merge !== undefined; merge = chooseMerge(states)) {
        const size = merge.reduce((sum, { liveCount }) => sum + liveCount, 0);
        rewritten += size;
        states = [...states.filter((state) => !merge!.includes(state)), stateOf(size)];
      }
      expect(states.length).toBeLessThanOrEqual(7 * 5);
    }
    expect(rewritten).toBeLessThanOrEqual(added * Math.ceil(Math.log2(added) / 3));
  });
});

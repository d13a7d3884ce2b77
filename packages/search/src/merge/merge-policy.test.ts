import { describe, expect, it } from 'vitest';
import type { SegmentState } from '../segment/segment-state.ts';
import { chooseCompaction, chooseMerge } from './merge-policy.ts';

/** As much of a state as the policy looks at. */
function stateOf(documentCount: number, liveCount = documentCount, bytes = documentCount): SegmentState {
  const none = { length: 0 };
  const space = { terms: { bytes: none }, blocks: { bytes: none, positions: { length: bytes }, impacts: none } };
  const spaces = { text: space, keyword: space, mirror: space, typeahead: space };
  return { segment: { documentCount, ids: { bytes: none }, stored: { bytes: none }, spaces }, liveCount } as never;
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
        states = [...states.filter((state) => !merge.includes(state)), stateOf(size)];
      }
      expect(states.length).toBeLessThanOrEqual(7 * 5);
    }
    expect(rewritten).toBeLessThanOrEqual(added * Math.ceil(Math.log2(added) / 3));
  });

  it('never merges more bytes than offsets can point at, and still leaves few small segments', () => {
    const maxBytes = 4096;
    let states: SegmentState[] = [];
    for (let i = 0; i < 5000; i++) {
      states.push(stateOf(1, 1, 1 + (i % 90)));
      for (let merge = chooseMerge(states, maxBytes); merge !== undefined; merge = chooseMerge(states, maxBytes)) {
        const bytes = sumBytes(merge);
        expect(bytes).toBeLessThanOrEqual(maxBytes);
        states = [...states.filter((state) => !merge.includes(state)), stateOf(merge.length, merge.length, bytes)];
      }
    }
    const small = states.filter((state) => sumBytes([state]) <= maxBytes / 8);
    expect(small.length).toBeLessThan(7 * 5);
  });

  it('compacts into as many segments as offsets need', () => {
    const states = Array.from({ length: 10 }, (_, i) => stateOf(5, 5, i === 3 ? 5000 : 1000));
    const groups = chooseCompaction(states, 4096);
    expect(groups.map(({ length }) => length)).toEqual([3, 4, 2]);
    for (const group of groups) expect(sumBytes(group)).toBeLessThanOrEqual(4096);
    expect(chooseCompaction([states[0]], 4096)).toEqual([]);
  });
});

function sumBytes(states: readonly SegmentState[]): number {
  return states.reduce((sum, { segment }) => sum + segment.spaces.text.blocks.positions.length, 0);
}

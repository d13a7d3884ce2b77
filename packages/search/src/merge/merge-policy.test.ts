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
  it('leaves segments alone of which none is smaller than those below it together', () => {
    expect(chooseMerge([stateOf(100_000), stateOf(1), stateOf(1), stateOf(1)])).toBeUndefined();
    expect(chooseMerge([8000, 4000, 2000, 2000].map((size) => stateOf(size)))).toBeUndefined();
  });

  it('merges the largest that is too small with all smaller ones', () => {
    const states = [2000, 90_000, 3000, 2000].map((size) => stateOf(size));
    expect(chooseMerge(states)).toEqual([states[0], states[2], states[3]]);
    const [large, ...few] = [500, 3, 3, 3, 3].map((size) => stateOf(size));
    expect(chooseMerge([large, ...few])).toEqual(few);
  });

  it('rewrites a segment that is mostly dead', () => {
    const wasteful = stateOf(1000, 600);
    expect(chooseMerge([stateOf(50_000), wasteful])).toEqual([wasteful]);
    expect(chooseMerge([stateOf(1000, 800)])).toBeUndefined();
  });

  it.each([
    ['one by one', () => 1, 4096],
    ['in batches of one size', () => 50, 200_000],
    ['in batches of every size', (i: number) => 1 + ((i * 7919) % 300), 200_000],
  ])('keeps few segments and rewrites each document no oftener than they double: %s', (_, batchOf, added) => {
    let states: SegmentState[] = [];
    let rewritten = 0;
    let count = 0;
    for (let i = 0; count < added; i++) {
      const batch = batchOf(i);
      count += batch;
      states.push(stateOf(batch));
      for (let merge = chooseMerge(states); merge !== undefined; merge = chooseMerge(states)) {
        const size = merge.reduce((sum, { liveCount }) => sum + liveCount, 0);
        rewritten += size;
        states = [...states.filter((state) => !merge.includes(state)), stateOf(size)];
      }
      expect(states.length).toBeLessThanOrEqual(
        Math.ceil(Math.log(1024) / Math.log(1.5) + Math.log2(count / 1024 + 1)),
      );
    }
    expect(states.length).toBeLessThanOrEqual(Math.ceil(Math.log2(added)));
    expect(rewritten).toBeLessThanOrEqual(added * Math.log2(added));
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
    const small = states.filter((state) => sumBytes([state]) <= maxBytes / 2);
    expect(small.length).toBeLessThan(12);
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

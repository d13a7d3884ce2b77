import { runAtOnce } from '@cairn/events';
import { describe, expect, it } from 'vitest';
import { readLabelledDocument } from '../document/labelled-document.ts';
import { compileIndexMapping } from '../mapping/index-mapping.ts';
import { isLive } from '../segment/segment-state.ts';
import { IndexStore } from './index-store.ts';

const mapping = compileIndexMapping({ name: 'search', defaultLabel: '*' });
/** So many that the words which all of them have are counted by label. */
const COUNT = 700;
const idOf = (i: number): string => `d${String(i).padStart(4, '0')}`;

/** A store whose segment is of an older mapping, and what was built of it anew. */
function openRebuilt() {
  const store = new IndexStore(mapping);
  const documents = Array.from({ length: COUNT }, (_, i) => {
    return readLabelledDocument({ uri: idOf(i), text: `common w${i}` }, mapping);
  });
  store.adoptOutdated(runAtOnce(store.build(documents)), 'older');
  const parts = runAtOnce(store.rebuild(() => undefined));
  const remove = (ids: readonly number[]): void => {
    store.install(runAtOnce(store.prepareRemovals(new Set(ids.map(idOf)))), []);
  };
  return { store, parts, remove };
}

/** How many documents of the store have a word, as its histograms count it. */
function countOf(store: IndexStore, word: string): number {
  const [{ segment, totals }] = store.states;
  const { terms, histograms } = segment.spaces.text;
  const rank = histograms.term.indexOf(terms.find(word));
  const counts = totals.histograms.text.subarray(histograms.offset[rank], histograms.offset[rank + 1]);
  return counts.reduce((sum, count) => sum + count, 0);
}

describe('what is deleted while segments are built anew', () => {
  it('is prepared with a pause after each document, also what is deleted meanwhile', () => {
    const { store, parts, remove } = openRebuilt();
    remove(Array.from({ length: 100 }, (_, i) => i));
    const work = store.prepareRebuilt(parts);
    let steps = 0;
    let step = work.next();
    for (; !step.done; step = work.next()) if (++steps === 50) remove([500, 501, 502]);
    expect(steps).toBeGreaterThanOrEqual(103);
    const prepared = step.value.get(parts[0])!;
    expect([prepared.size, prepared.has(99), prepared.has(501), prepared.has(503)]).toEqual([103, true, true, false]);
    store.installRebuilt(parts, step.value);
    const [{ live, liveCount }] = store.states;
    expect(liveCount).toBe(COUNT - 103);
    expect([isLive(live, 99), isLive(live, 501), isLive(live, 503)]).toEqual([false, false, true]);
    expect(countOf(store, 'common')).toBe(COUNT - 103);
  });

  it('goes even when it was not prepared', () => {
    const { store, parts, remove } = openRebuilt();
    remove([3, 4]);
    store.installRebuilt(parts, new Map());
    expect([store.states[0].liveCount, countOf(store, 'common')]).toEqual([COUNT - 2, COUNT - 2]);
  });

  it('needs nothing when nothing was deleted', () => {
    const { store, parts } = openRebuilt();
    const work = store.prepareRebuilt(parts);
    const { value, done } = work.next();
    expect([done, [...(value?.values() ?? [])].map(({ size }) => size)]).toEqual([true, [0]]);
  });
});

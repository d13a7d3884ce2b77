import { createViewer } from '@cairn/security';
import { describe, expect, it } from 'vitest';
import type { DocumentChange } from '../port/search-index.ts';
import { openSearchIndex } from './open-search-index.ts';

const viewer = createViewer({ attributes: {} });
const COUNT = 3000;
const WORDS = 1000;

/** Together more occurrences of terms than one segment takes. */
function batch(word: string): DocumentChange[] {
  const text = Array.from({ length: WORDS }, (_, i) => `${word}${i % 7}`).join(' ');
  return Array.from({ length: COUNT }, (_, i) => ({
    type: 'put',
    index: 'search',
    document: { uri: `${i}`, text, securityLabels: { defaults: '*' } },
  }));
}

describe('a batch larger than a segment', () => {
  it('is visible whole, replaces a batch as large, and lets others run meanwhile', async () => {
    let pauses = 0;
    const pause = (): Promise<void> => {
      pauses++;
      return new Promise((resolve) => setImmediate(resolve));
    };
    const index = await openSearchIndex({ indices: ['search'], nextTurn: pause });
    await index.apply(batch('first'));
    expect(index.statistics()[0]).toMatchObject({ documents: COUNT, segments: 2 });
    const applying = index.apply(batch('second'));
    const before = pauses;
    await new Promise((resolve) => setImmediate(resolve));
    const meanwhile = await index.searchIds(viewer, { query: 'second1', limit: 1 });
    expect(meanwhile.results).toEqual([]);
    await applying;
    expect(pauses).toBeGreaterThan(before + 20);
    expect((await index.searchIds(viewer, { query: 'first1', limit: 1 })).results).toEqual([]);
    expect((await index.searchIds(viewer, { query: 'second1', limit: 1000, offset: 2001 })).results).toHaveLength(1000);
    expect((await index.searchIds(viewer, { query: 'second1', limit: 1000, offset: 2001 })).maybeMore).toBe(false);
    expect(index.statistics()[0]).toMatchObject({ documents: COUNT });
  }, 240_000);
});

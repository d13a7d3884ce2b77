import { createViewer } from '@cairn/security';
import { describe, expect, it } from 'vitest';
import { openSearchIndex } from '../engine/open-search-index.ts';

describe('highlighting', () => {
  it('refuses tags that make an answer many times as long as its documents', async () => {
    const index = await openSearchIndex({ indices: [{ name: 'papers', defaultLabel: '*' }] });
    const put = (uri: string, content: string) =>
      index.apply([{ type: 'put', index: 'papers', document: { uri, content } }]);
    for (const id of ['a', 'b', 'c']) await put(id, `armada ${id} `.repeat(1000));
    const search = (length: number, query = 'armada') => {
      const highlight = { preTag: 'x'.repeat(length), postTag: 'y' };
      return index.search(createViewer({ attributes: {} }), { query, highlight });
    };
    for (const [length, query] of [
      [2_000_000, 'armada'],
      [12_000, 'armada'],
      [12_000, '"armada a" OR arm* OR /armad./'],
    ] as const) {
      await expect(search(length, query), `${length} ${query}`).rejects.toMatchObject({
        code: 'ERR_SEARCH_BUDGET',
        kind: 'exhausted',
      });
    }
    const { results } = await search(100);
    expect(results).toHaveLength(3);
    await index.close();
  });
});

import { createViewer, createViewerOfEverything } from '@cairn/security';
import { describe, expect, it } from 'vitest';
import type { FeedbackOptions, SearchIndex, SearchRequest } from '../port/search-index.ts';
import { openSearchIndex } from './open-search-index.ts';

const EVERYTHING = createViewerOfEverything();

const TEXTS = {
  a: 'harbour dredging silt harbour',
  b: 'harbour dredging silt',
  c: 'harbour painting and much else besides',
  d: 'harbour silt dredging and much else besides, longer than the painting',
  e: 'silt dredging alone',
};

async function openWith(
  texts: Readonly<Record<string, string>> = TEXTS,
  label?: (id: string) => string,
): Promise<SearchIndex> {
  const index = await openSearchIndex({ indices: ['search'] });
  await index.apply(
    Object.entries(texts).map(([uri, body]) => ({
      type: 'put',
      index: 'search',
      document: { uri, body, ...(label && { securityLabels: { body: label(uri), uri: label(uri) } }) },
    })),
  );
  return index;
}

async function idsOf(index: SearchIndex, request: SearchRequest, viewer = EVERYTHING): Promise<string[]> {
  return (await index.search(viewer, request)).results.map(({ id }) => id);
}

describe('feedback', () => {
  it('raises what has the words of the best matches, and changes nothing of what matches', async () => {
    const index = await openWith();
    const plain = { query: 'harbour', total: true, facets: [{ field: 'uri' }] };
    const fed = { ...plain, feedback: { documents: 2 } };
    expect(await idsOf(index, plain)).toEqual(['a', 'b', 'c', 'd']);
    expect(await idsOf(index, fed)).toEqual(['a', 'b', 'd', 'c']);
    const [without, having] = [await index.search(EVERYTHING, plain), await index.search(EVERYTHING, fed)];
    expect(having.total).toEqual(without.total);
    expect(having.facets).toEqual(without.facets);
    await index.close();
  });

  it('marks no word that the query does not have, and explains the score that orders', async () => {
    const index = await openWith();
    const fed = { query: 'harbour', highlight: true, feedback: {} };
    const { results } = await index.search(EVERYTHING, fed);
    const [marked] = results.filter(({ id }) => id === 'a');
    expect(marked?.highlighted?.['body']).toBe('<em>harbour</em> dredging silt <em>harbour</em>');
    const explained = await index.explain(EVERYTHING, { query: 'harbour', feedback: {}, id: 'a' });
    expect(explained?.value).toBe(marked?.score);
    await index.close();
  });

  it('counts beside the heaviest word of the query', async () => {
    const index = await openWith();
    const fed = { feedback: { documents: 2, weight: 2 } };
    const [light, heavy] = [
      await index.search(EVERYTHING, { query: 'harbour', ...fed }),
      await index.search(EVERYTHING, { query: 'harbour^4 -painting^9', ...fed }),
    ];
    const scoreOf = ({ results }: typeof light, of: string): number => results.find(({ id }) => id === of)?.score ?? 0;
    expect(scoreOf(heavy, 'a')).toBeCloseTo(4 * scoreOf(light, 'a'), 9);
    await index.close();
  });

  it('reads nothing that its viewer does not see', async () => {
    const texts = { ...TEXTS, h1: 'harbour painting painting harbour', h2: 'harbour painting harbour' };
    const labelOf = (id: string): string => (id.startsWith('h') ? 'clearance=TS' : 'clearance=O');
    const viewer = createViewer({ attributes: { clearance: ['O'] } });
    const [full, visible] = [await openWith(texts, labelOf), await openWith(TEXTS, () => 'clearance=O')];
    const request = { query: 'harbour', feedback: { documents: 2 } };
    expect(await full.search(viewer, request)).toEqual(await visible.search(viewer, request));
    await Promise.all([full.close(), visible.close()]);
  });

  it('takes what finds nothing, stop words and no words at all', async () => {
    const index = await openWith({ ...TEXTS, n: '' });
    for (const query of ['zeppelin', 'the', '*:*', '-harbour']) {
      expect((await idsOf(index, { query, feedback: {} })).toSorted(), query).toEqual(
        (await idsOf(index, { query })).toSorted(),
      );
    }
    await index.close();
  });

  it('refuses what is out of bounds', async () => {
    const index = await openWith();
    const wrong: readonly [FeedbackOptions, string][] = [
      [{ documents: 51 }, 'feedback.documents must be 1 to 50; got 51'],
      [{ terms: 0 }, 'feedback.terms must be 1 to 50; got 0'],
      [{ weight: 0 }, 'feedback.weight must be a number above 0 up to 10; got 0'],
      [{ weight: Number.NaN }, 'feedback.weight must be a number above 0 up to 10; got NaN'],
      [5 as never, 'feedback must be an object; got 5'],
    ];
    for (const [feedback, message] of wrong) {
      await expect(index.search(EVERYTHING, { query: 'harbour', feedback })).rejects.toMatchObject({
        code: 'ERR_REQUEST',
        kind: 'invalid',
        message,
      });
    }
    await index.close();
  });
});

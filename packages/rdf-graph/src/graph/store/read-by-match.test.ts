import { createViewer, createViewerOfEverything } from '@cairn/security';
import { describe, expect, it } from 'vitest';
import { openGraphDataset } from '../../dataset/open.ts';
import { namedNode, quad } from '../../rdf/terms.ts';
import { readByMatch } from './read-by-match.ts';

const everything = createViewerOfEverything();
const quads = Array.from({ length: 5_000 }, (_, i) => quad(namedNode('h:s'), namedNode('h:p'), namedNode(`h:${i}`)));

async function filled() {
  const dataset = await openGraphDataset({ name: 'test' });
  const additions = quads.map((one, i) => ({ quad: one, label: i < 10 ? '*' : 'a' }));
  await dataset.apply([{ deletions: [], additions }]);
  return dataset;
}

describe('a reader by match', () => {
  it('holds what its viewer sees, and not even a term of what is hidden', async () => {
    const reader = await readByMatch(await filled(), createViewer({ attributes: {} }));
    expect(reader.count(0, 0, 0, 0)).toBe(10);
    expect([reader.idOf(namedNode('h:9')) > 0, reader.idOf(namedNode('h:10'))]).toEqual([true, 0]);
  });

  it('refuses more quads than it may copy, which counts visible ones only', async () => {
    const dataset = await filled();
    await expect(readByMatch(dataset, everything, { maxQuads: 4_999 })).rejects.toMatchObject({
      code: 'ERR_READER_QUADS',
      message: 'a dataset without a reader of its own may show 4999 quads; it shows more',
    });
    expect((await readByMatch(dataset, everything, { maxQuads: 5_000 })).count(0, 0, 0, 0)).toBe(5_000);
    const few = await readByMatch(dataset, createViewer({ attributes: {} }), { maxQuads: 10 });
    expect(few.count(0, 0, 0, 0)).toBe(10);
  });

  it('lets others have their turn, and ends when its caller withdraws or its turns fail', async () => {
    const dataset = await filled();
    let turns = 0;
    const nextTurn = async () => void turns++;
    await readByMatch(dataset, everything, { nextTurn });
    expect(turns).toBeGreaterThan(3);
    const signal = AbortSignal.abort();
    await expect(readByMatch(dataset, everything, { signal })).rejects.toMatchObject({ code: 'ERR_CANCELLED' });
    const failing = () => Promise.reject(new TypeError('no more'));
    await expect(readByMatch(dataset, everything, { nextTurn: failing })).rejects.toThrow('no more');
  });
});

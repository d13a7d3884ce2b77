import { createViewer } from '@cairn/security';
import { describe, expect, it } from 'vitest';
import { openGraphDataset } from '../../dataset/open.ts';
import { namedNode, quad, stringLiteral } from '../../rdf/terms.ts';
import type { ChangeSet } from '../port/graph-dataset.ts';

const additions = (from: number, to: number, label: string): ChangeSet => ({
  deletions: [],
  additions: Array.from({ length: to - from }, (_, at) => {
    const one = quad(
      namedNode(`urn:s${from + at}`),
      namedNode('urn:p'),
      stringLiteral(`text ${from + at}`),
      namedNode('urn:g'),
    );
    return { quad: one, label };
  }),
});

describe('a copy of a dataset', () => {
  it('has the quads under their labels, the prefixes and the positions, and no term of what was deleted', async () => {
    const source = await openGraphDataset({ name: 'source' });
    await source.apply([additions(0, 6000, 'a'), additions(3000, 9000, 'b')], { topic: '1' });
    await source.apply([
      {
        deletions: additions(0, 100, 'a').additions,
        additions: [],
        prefixes: [{ prefix: 'e', iri: 'urn:', label: 'a' }],
      },
    ]);
    const target = await openGraphDataset({ name: 'target' });
    await target.copyFrom(source);
    for (const attribute of ['a', 'b', 'c']) {
      const viewer = createViewer({ attributes: { [attribute]: ['true'] } });
      expect(await target.count(viewer)).toBe(await source.count(viewer));
    }
    const both: string[] = [];
    for await (const { label } of target.matchLabelled({ subject: namedNode('urn:s3000') })) both.push(label ?? '');
    expect(both.sort()).toEqual(['a', 'b']);
    expect(target.positions()).toEqual({ topic: '1' });
    const [a, c] = ['a', 'c'].map((attribute) => createViewer({ attributes: { [attribute]: ['true'] } }));
    expect([await target.prefixes(a), await target.prefixes(c)]).toEqual([{ e: 'urn:' }, {}]);
    expect(target.store.dictionary.find(stringLiteral('text 99'))).toBe(0);
    expect(target.store.dictionary.find(stringLiteral('text 100'))).toBeGreaterThan(0);
    await expect(target.copyFrom(source)).rejects.toMatchObject({ code: 'ERR_DATASET_IN_USE' });
  });

  it('lets others have their turn, and what they write meanwhile is not in it', async () => {
    const source = await openGraphDataset({ name: 'source' });
    await source.apply([additions(0, 20_000, '*')], { topic: '1' });
    const target = await openGraphDataset({ name: 'target' });
    let turns = 0;
    let isCopying = true;
    const count = (): void => {
      turns++;
      if (isCopying) setImmediate(count);
    };
    setImmediate(count);
    const copying = target.copyFrom(source);
    await source.apply([additions(20_000, 20_001, '*')], { topic: '2' });
    await copying;
    isCopying = false;
    expect(turns).toBeGreaterThan(3);
    expect(await target.count(createViewer({ attributes: {} }))).toBe(20_000);
    expect(target.positions()).toEqual({ topic: '1' });
  });
});

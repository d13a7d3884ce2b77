import { createViewer } from '@cairn/security';
import { describe, expect, it } from 'vitest';
import { openGraphDataset } from '../../dataset/open.ts';
import { writeQuad } from '../../rdf/term-writer.ts';
import { namedNode } from '../../rdf/terms.ts';
import { allocateShared } from './memory.ts';
import { openSharedSnapshot } from './snapshot.ts';

describe('a shared snapshot', () => {
  it('shows in another thread what the viewer sees, over the same memory', async () => {
    const dataset = await openGraphDataset({ name: 'd', allocate: allocateShared });
    const viewer = createViewer({ attributes: { a: ['1'] } });
    const insert = (label: string, text: string) =>
      dataset.evaluateUpdate(viewer, `INSERT DATA { ${text} }`, { label }).then((change) => dataset.apply([change]));
    await insert('a=1', '<e:a> <e:p> "ü", 1 . <<<e:a> <e:p> 1>> <e:q> "x"@en');
    await insert('b=1', '<e:a> <e:p> "hidden"');
    const snapshot = dataset.snapshot(viewer);
    const posted = structuredClone(snapshot.share());
    expect(posted.dictionary.bytes.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(posted.runs[0].permutations[0].a.buffer).toBeInstanceOf(SharedArrayBuffer);
    const shared = openSharedSnapshot(posted);
    const id = shared.idOf(namedNode('e:a'));
    expect(id).toBe(snapshot.idOf(namedNode('e:a')));
    expect(shared.idOf(namedNode('e:none'))).toBe(0);
    expect([...shared.quads(0, 0, 0, 0)].map(writeQuad).sort()).toEqual(
      [...snapshot.quads(0, 0, 0, 0)].map(writeQuad).sort(),
    );
    expect(shared.count(id, 0, 0, 0)).toBe(2);
  });
});

import { createViewer } from '@cairn/security';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openGraphDataset } from '../../dataset/open.ts';
import { writeQuad } from '../../rdf/term-writer.ts';
import { namedNode, quad } from '../../rdf/terms.ts';
import { LabelledModel } from '../../testing/labelled-model.ts';
import type { QuadPattern } from '../port/graph-dataset.ts';

/** The turn of a merge that is not to come. */
const never = (): Promise<void> => new Promise(() => {});

const viewer = createViewer({ attributes: { a: ['1'] } });
const name = (kind: string, count: number) => fc.nat(count - 1).map((i) => namedNode(`e:${kind}${i}`));
const anyQuad = fc
  .tuple(name('s', 12), name('p', 3), name('o', 12), name('g', 60))
  .map(([s, p, o, g]) => quad(s, p, o, g));
const labelled = fc.record({ quad: anyQuad, label: fc.constantFrom('a=1', 'b=1') });
const changes = fc.record({
  deletions: fc.array(labelled, { maxLength: 20 }),
  additions: fc.array(labelled, { minLength: 40, maxLength: 120 }),
});
const pattern: fc.Arbitrary<QuadPattern> = fc.record(
  { subject: name('s', 13), predicate: name('p', 4), object: name('o', 13) },
  { requiredKeys: [] },
);

describe('patterns over many graphs', () => {
  it('find in the graphs that hold a term what visiting every graph would find', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(changes, { minLength: 1, maxLength: 3 }), pattern, async (writes, wanted) => {
        const dataset = await openGraphDataset({ name: 'd', mergeTurn: never });
        const model = new LabelledModel();
        for (const write of writes) {
          await dataset.apply([write]);
          model.apply([write]);
        }
        const { subject, predicate, object } = wanted;
        const terms = [subject, predicate, object].map((term) => (term ? `<${term.value}>` : '\\S+'));
        const expected = model
          .visible((label) => viewer.permits(label))
          .filter((line) => new RegExp(`^${terms.join(' ')} `).test(line));
        const matched = [...dataset.readQuads(viewer, wanted)].map(writeQuad);
        expect(matched.sort()).toEqual(expected);
        const [s, p, o] = [subject, predicate, object].map((term, i) => (term ? `<${term.value}>` : `?${'spo'[i]}`));
        const text = `SELECT ?g (COUNT(*) AS ?n) { GRAPH ?g { ${s} ${p} ${o} } } GROUP BY ?g`;
        const { solutions } = (await dataset.query(viewer, text)) as {
          solutions: AsyncIterable<Map<string, { value: string }>>;
        };
        let rows = 0;
        for await (const solution of solutions) rows += Number(solution.get('n')?.value);
        expect(rows).toBe(expected.length);
      }),
      { numRuns: process.env['CAIRN_LONG'] === undefined ? 60 : 2000 },
    );
  });
});

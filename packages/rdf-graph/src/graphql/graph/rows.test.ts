import { createViewer } from '@cairn/security';
import type * as RDF from '@rdfjs/types';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openGraphDataset } from '../../dataset/open.ts';
import { UNBOUND } from '../../graph/port/term-kind.ts';
import { defaultGraph, namedNode, quad } from '../../rdf/terms.ts';
import type { Pacer } from './pacer.ts';
import { Rows } from './rows.ts';

const turns: Pacer = { note: () => {}, step: () => Promise.resolve() };
const node = fc.nat(6).map((n) => namedNode(`h:${n}`));
const graph = fc.constantFrom<RDF.Term>(defaultGraph(), defaultGraph(), namedNode('h:g'));
const labelled = fc.record({
  quad: fc.tuple(node, node, node, graph).map(([s, p, o, g]) => quad(s, p, o, g)),
  label: fc.constantFrom('*', 'a', 'b'),
});
const batch = fc.record({
  additions: fc.array(labelled, { maxLength: 20 }),
  deletions: fc.array(labelled, { maxLength: 6 }),
});
const open = fc.option(node, { nil: undefined });

describe('the rows of a pattern', () => {
  it('are the visible quads of all runs, each once per graph, in the order of the permutation', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(batch, { minLength: 1, maxLength: 5 }),
        fc.tuple(open, open, open),
        fc.subarray(['a', 'b']),
        async (batches, terms, held) => {
          const dataset = await openGraphDataset({ name: 'test' });
          for (const changes of batches) await dataset.apply([changes]);
          const viewer = createViewer({ attributes: Object.fromEntries(held.map((name) => [name, ['true']])) });
          const snapshot = dataset.snapshot(viewer);
          const idOf = (term: RDF.Term | undefined) => (term === undefined ? UNBOUND : snapshot.idOf(term));
          const pattern = [idOf(terms[0]), idOf(terms[1]), idOf(terms[2])] as const;
          if (terms.some((term, i) => term !== undefined && pattern[i] === UNBOUND)) return;
          const rows = new Rows(snapshot, snapshot.possibleGraphs(), pattern);
          const read: string[] = [];
          await rows.read(turns, (...found) => {
            read.push(found.join(' '));
          });
          const expected = [...snapshot.quadIds(...pattern, UNBOUND)].map((found) => found.join(' '));
          expect(read.sort()).toEqual(expected.sort());
          expect(new Set(read).size).toBe(read.length);
          expect(rows.hasVisible()).toBe(expected.length > 0);
          expect(rows.size).toBeGreaterThanOrEqual(expected.length);
        },
      ),
      { numRuns: process.env['CAIRN_LONG'] ? 20_000 : 200 },
    );
  }, 1_800_000);

  it('are read in steps where they are many, each run taken into account', async () => {
    const dataset = await openGraphDataset({ name: 'test' });
    const quads = Array.from({ length: 6_000 }, (_, i) =>
      quad(namedNode('h:s'), namedNode('h:p'), namedNode(`h:${i}`)),
    );
    const part = (start: number, end: number) => quads.slice(start, end).map((one) => ({ quad: one, label: '*' }));
    await dataset.apply([{ deletions: [], additions: part(0, 4_000) }]);
    await dataset.apply([{ deletions: part(1_000, 2_000), additions: part(3_000, 6_000) }]);
    const snapshot = dataset.snapshot(createViewer({ attributes: {} }));
    const objects: number[] = [];
    let steps = 0;
    const pacer: Pacer = {
      note: () => {},
      step: () => {
        steps++;
      },
    };
    const rows = new Rows(snapshot, snapshot.possibleGraphs(), [snapshot.idOf(namedNode('h:s')), UNBOUND, UNBOUND]);
    await rows.read(pacer, (_s, _p, o) => {
      objects.push(o);
    });
    expect(steps).toBeGreaterThan(3);
    expect(objects).toHaveLength(5_000);
    expect(objects).toEqual([...objects].sort((a, b) => a - b));
  });
});

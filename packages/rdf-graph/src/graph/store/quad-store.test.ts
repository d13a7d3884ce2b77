import { createMemoryBlobStore, runAtOnce } from '@cairn/events';
import { createViewer } from '@cairn/security';
import type * as RDF from '@rdfjs/types';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentOf } from '../../conformance/assertions.ts';
import { openGraphDataset } from '../../dataset/open.ts';
import type { StoreDataset } from '../../dataset/store-dataset.ts';
import { writeQuad, writeTerm } from '../../rdf/term-writer.ts';
import { blankNode, defaultGraph, languageLiteral, namedNode, quad, typedLiteral } from '../../rdf/terms.ts';
import { xsd } from '../../rdf/vocabulary.ts';
import { LabelledModel } from '../../testing/labelled-model.ts';
import type { ChangeSet, QuadPattern } from '../port/graph-dataset.ts';

/** The turn of a merge that is not to come. */
const never = (): Promise<void> => new Promise(() => {});

const RUNS = process.env['CAIRN_LONG'] === undefined ? 60 : 2000;
const LABELS = ['a=1', 'b=1', 'c=1', '*'];
const VIEWERS = ['a', 'b', 'c', 'none'].map((name) => createViewer({ attributes: { [name]: ['1'] } }));

const node = fc.constantFrom(...['s', 't', 'u', 'v'].map((name) => namedNode(`http://e/${name}`)), blankNode('b'));
const literal = fc.constantFrom(
  typedLiteral('1', xsd.integer),
  typedLiteral('01', xsd.integer),
  languageLiteral('x', 'en'),
);
const object = fc.oneof(node, literal, fc.constant(quad(namedNode('e:s'), namedNode('e:p'), namedNode('e:o'))));
const graph = fc.constantFrom<RDF.Quad_Graph>(defaultGraph(), namedNode('http://e/g'), namedNode('http://e/h'));
const predicate = fc.constantFrom(namedNode('http://e/p'), namedNode('http://e/q'));
const anyQuad = fc.tuple(node, predicate, object, graph).map(([s, p, o, g]) => quad(s, p, o, g));
const addition = fc.record({ quad: anyQuad, label: fc.constantFrom(...LABELS) });
const deletion = fc.record({ quad: anyQuad, label: fc.constantFrom(undefined, ...LABELS) });
const changeSet: fc.Arbitrary<ChangeSet> = fc.record({
  deletions: fc.array(deletion, { maxLength: 8 }),
  additions: fc.array(addition, { maxLength: 12 }),
});
type Step = { readonly apply: readonly ChangeSet[] } | 'compact' | 'step' | 'reopen' | { readonly load: RDF.Quad[] };
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.array(changeSet, { minLength: 1, maxLength: 3 }).map((apply) => ({ apply })) },
  fc.constantFrom<Step>('compact', 'step', 'reopen'),
  fc.array(anyQuad, { maxLength: 20 }).map((load) => ({ load })),
);

/** Slices of one row, of some rows, and of all. */
const sliceWork = fc.constantFrom(1, 700, undefined);

async function visibleLines(
  dataset: StoreDataset,
  viewer: (typeof VIEWERS)[0],
  pattern?: QuadPattern,
): Promise<string[]> {
  const lines: string[] = [];
  for await (const one of dataset.match(viewer, pattern)) lines.push(writeQuad(one));
  return lines.sort();
}

describe('the quad store', () => {
  it('holds what a naive set of labelled quads holds, through changes, merges, loads and reopening', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), sliceWork, async (steps, sliceWork) => {
        const blobs = createMemoryBlobStore();
        const model = new LabelledModel();
        let dataset = await openGraphDataset({ name: 'd', blobs, mergeTurn: never, sliceWork });
        for (const one of steps) {
          if (one === 'compact') runAtOnce(dataset.store.compact());
          else if (one === 'step') dataset.store.compact().next();
          else if (one === 'reopen') {
            await dataset.flush();
            await dataset.close();
            dataset = await openGraphDataset({ name: 'd', blobs, mergeTurn: never, sliceWork });
          } else if ('load' in one) {
            await dataset.load([one.load], { label: 'a=1' });
            model.apply([{ deletions: [], additions: one.load.map((loaded) => ({ quad: loaded, label: 'a=1' })) }]);
          } else {
            await dataset.apply(one.apply);
            model.apply(one.apply);
          }
          expect(await contentOf(dataset)).toEqual(model.lines());
        }
        for (const viewer of VIEWERS) {
          const visible = model.visible((label) => viewer.permits(label));
          expect(await visibleLines(dataset, viewer)).toEqual(visible);
          expect(await dataset.count(viewer)).toBe(visible.length);
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('finds by any pattern what a scan finds', async () => {
    const position = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined });
    const pattern = fc.record({
      subject: position(node),
      predicate: position(predicate),
      object: position(object),
      graph: position(graph),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(changeSet, { maxLength: 6 }),
        fc.array(pattern, { maxLength: 8 }),
        async (changes, patterns) => {
          const dataset = await openGraphDataset({ name: 'd', mergeTurn: never });
          for (const change of changes) await dataset.apply([change]);
          const viewer = VIEWERS[0];
          const all: RDF.Quad[] = [];
          for await (const one of dataset.match(viewer)) all.push(one);
          const snapshot = dataset.snapshot(viewer);
          const graphs = [...snapshot.graphs()].map((id) => writeTerm(snapshot.term(id)));
          expect(graphs.sort()).toEqual([...new Set(all.map((one) => writeTerm(one.graph)))].sort());
          for (const { subject, predicate: p, object: o, graph: g } of patterns) {
            const expected = all.filter(
              (one) =>
                (!subject || one.subject.equals(subject)) &&
                (!p || one.predicate.equals(p)) &&
                (!o || one.object.equals(o)) &&
                (!g || one.graph.equals(g)),
            );
            const given = { subject, predicate: p, object: o, graph: g };
            expect(await visibleLines(dataset, viewer, given)).toEqual(expected.map(writeQuad).sort());
            expect(await dataset.count(viewer, given)).toBe(expected.length);
          }
        },
      ),
      { numRuns: RUNS },
    );
  });

  it('keeps the state of a reader while it is written to and merged', async () => {
    const dataset = await openGraphDataset({ name: 'd', mergeTurn: never });
    const numbered = (i: number) =>
      quad(namedNode(`http://e/${i}`), namedNode('http://e/p'), typedLiteral(String(i), xsd.integer));
    const add = (from: number, to: number) =>
      dataset.apply([
        {
          deletions: [],
          additions: Array.from({ length: to - from }, (_, i) => ({ quad: numbered(from + i), label: 'a=1' })),
        },
      ]);
    await add(0, 3000);
    const before = dataset.snapshot(VIEWERS[0]);
    await add(3000, 6000);
    await dataset.apply([{ deletions: [{ quad: numbered(1), label: undefined }], additions: [] }]);
    runAtOnce(dataset.store.compact());
    expect(before.count(0, 0, 0, 0)).toBe(3000);
    expect(dataset.snapshot(VIEWERS[0]).count(0, 0, 0, 0)).toBe(5999);
    expect(dataset.store.runs).toHaveLength(1);
  });

  it('merges in slices in the background, and goes on reading meanwhile', async () => {
    const tasks: (() => void)[] = [];
    const dataset = await openGraphDataset({
      name: 'd',
      mergeTurn: () => new Promise((resolve) => tasks.push(resolve)),
    });
    const additions = (from: number, count: number) =>
      Array.from({ length: count }, (_, i) => ({
        quad: quad(namedNode(`http://e/${from + i}`), namedNode('http://e/p'), namedNode(`http://e/${(from + i) % 7}`)),
        label: 'a=1',
      }));
    await dataset.apply([{ deletions: [], additions: additions(0, 20_000) }]);
    await dataset.apply([{ deletions: additions(5, 1000), additions: additions(20_000, 3000) }]);
    let slices = 0;
    for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) {
      task();
      slices++;
      expect(await dataset.count(VIEWERS[0])).toBe(22_000);
    }
    expect(slices).toBeGreaterThan(3);
    expect(dataset.store.runs).toHaveLength(1);
  });

  it('applies a change set whole or not at all', async () => {
    const dataset = await openGraphDataset({ name: 'd' });
    const good = quad(namedNode('http://e/s'), namedNode('http://e/p'), namedNode('http://e/o'));
    const bad = { ...good, object: { termType: 'Variable', value: 'x', equals: () => false } } as unknown as RDF.Quad;
    const change = {
      deletions: [],
      additions: [
        { quad: good, label: '*' },
        { quad: bad, label: '*' },
      ],
    };
    await expect(dataset.apply([change])).rejects.toMatchObject({ code: 'ERR_ARGUMENT' });
    expect(await dataset.count(VIEWERS[0])).toBe(0);
  });
});

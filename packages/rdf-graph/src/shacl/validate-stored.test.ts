import { createViewer, createViewerOfEverything, type Viewer } from '@cairn/security';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openGraphDataset } from '../dataset/open.ts';
import type { StoreDataset } from '../dataset/store-dataset.ts';
import { writeQuad } from '../rdf/term-writer.ts';
import { portAlone } from '../testing/port-alone.ts';
import type { ShaclReport } from './report/to-report.ts';
import { parse } from './testing/graphs.ts';
import { type ShaclGraph, validate } from './validate.ts';
import { parseTarget, type ValidateStoredOptions, validateStored } from './validate-stored.ts';

const everything = createViewerOfEverything();

async function datasetOf(byLabel: Readonly<Record<string, string>>): Promise<StoreDataset> {
  const dataset = await openGraphDataset({ name: 'test', prefixes: { e: 'http://e/' } });
  for (const [label, text] of Object.entries(byLabel)) {
    await dataset.apply([{ deletions: [], additions: (await parse(text)).map((quad) => ({ quad, label })) }]);
  }
  return dataset;
}

const SHAPES = ':S sh:targetClass :P ; sh:property [ sh:path :name ; sh:minCount 1 ; sh:maxCount 1 ] .';
const DATA = ':a a :P . GRAPH :g { :b a :P } GRAPH :h { :a :name "Ann" . :c a :P ; :name "Cid" }';

/** Validates, and again as if the dataset offered the port alone: with the same outcome. */
async function validateBoth(
  dataset: StoreDataset,
  viewer: Viewer,
  shapes: ShaclGraph,
  options: ValidateStoredOptions,
): Promise<ShaclReport> {
  const report = validateStored(dataset, viewer, shapes, options);
  const again = validateStored(portAlone(dataset), viewer, shapes, options);
  const [ours, byMatch] = await Promise.allSettled([report, again]);
  expect(byMatch).toEqual(ours);
  return report;
}

async function focusNodes(dataset: StoreDataset, options: ValidateStoredOptions = {}, viewer = everything) {
  const { results } = await validateBoth(dataset, viewer, await parse(SHAPES), options);
  return results.map(({ focusNode }) => focusNode.value);
}

describe('validating a stored graph', () => {
  it('takes the default graph, a named graph, or the union of all', async () => {
    const dataset = await datasetOf({ '*': DATA });
    expect(await focusNodes(dataset)).toEqual(['http://e/a']);
    expect(await focusNodes(dataset, { graph: 'http://e/g' })).toEqual(['http://e/b']);
    expect(await focusNodes(dataset, { graph: 'union' })).toEqual(['http://e/b']);
    await expect(focusNodes(dataset, { graph: 'http://e/none' })).rejects.toMatchObject({ kind: 'not-found' });
  });

  it('sees what the viewer sees: a hidden graph is none, a hidden name is missing', async () => {
    const dataset = await datasetOf({ '*': ':a a :P . :b a :P .', secret: ':a :name "A" . GRAPH :g { :x a :P }' });
    const open = createViewer({ attributes: {} });
    expect(await focusNodes(dataset)).toEqual(['http://e/b']);
    expect(await focusNodes(dataset, {}, open)).toEqual(['http://e/a', 'http://e/b']);
    await expect(focusNodes(dataset, { graph: 'http://e/g' }, open)).rejects.toMatchObject({ kind: 'not-found' });
  });

  it('takes one target as an IRI or by a prefix of the dataset', async () => {
    const dataset = await datasetOf({ '*': ':a a :P . :b a :P .' });
    for (const target of ['e:b', 'http://e/b', '<http://e/b>']) {
      expect(await focusNodes(dataset, { target })).toEqual(['http://e/b']);
    }
    expect(parseTarget('_:x', {})).toMatchObject({ termType: 'BlankNode', value: 'x' });
    for (const target of ['nothing', '<a b>', '', '__proto__']) {
      expect(() => parseTarget(target, {})).toThrow(expect.objectContaining({ code: 'ERR_SHACL_TARGET' }));
    }
  });

  it('gives the same report as the same quads in memory', async () => {
    const dataset = await datasetOf({ '*': DATA });
    const stored = await validateStored(dataset, everything, await parse(SHAPES), { graph: 'union' });
    const { conforms, quads } = await validate(await parse(DATA), await parse(SHAPES));
    expect([conforms, quads.map(writeQuad)]).toEqual([false, stored.quads.map(writeQuad)]);
  });

  it('reports as if only the visible had ever been stored', async () => {
    const node = fc.constantFrom(':a', ':b', ':c', ':d', '_:x');
    const line = fc.oneof(
      node.map((subject) => `${subject} a :P .`),
      fc.tuple(node, fc.constantFrom('"1"', '"2"', ':a', '_:x')).map(([s, o]) => `${s} :name ${o} .`),
      fc.tuple(node, node).map(([s, o]) => `${s} :knows ${o} .`),
      node.map((subject) => `GRAPH :g { ${subject} a :P }`),
    );
    const shapes = await parse(`${SHAPES} :T sh:targetSubjectsOf :knows ; sh:class :P ; sh:closed true ;
      sh:property [ sh:path ( :knows [ sh:zeroOrMorePath :knows ] ) ; sh:nodeKind sh:IRI ; sh:class :P ] .`);
    const labelled = fc.array(fc.tuple(line, fc.constantFrom('*', 'a', 'b', 'a&b')), { maxLength: 14 });
    const graph = fc.constantFrom('default', 'union', 'http://e/g');
    let reports = 0;
    await fc.assert(
      fc.asyncProperty(labelled, fc.subarray(['a', 'b']), graph, async (lines, held, graph) => {
        const viewer = createViewer({ attributes: Object.fromEntries(held.map((name) => [name, ['true']])) });
        const additions = [];
        for (const [text, label] of lines) for (const quad of await parse(text)) additions.push({ quad, label });
        const all = await datasetOf({});
        for (const part of [additions.slice(0, 5), additions.slice(5)]) {
          await all.apply([{ deletions: [], additions: part }]);
        }
        const visible = await datasetOf({});
        await visible.apply([{ deletions: [], additions: additions.filter(({ label }) => viewer.permits(label)) }]);
        const [ours, theirs] = await Promise.all(
          [all, visible].map((dataset) => validateBoth(dataset, viewer, shapes, { graph }).catch(String)),
        );
        expect(ours).toEqual(theirs);
        if (typeof ours === 'object' && ours.results.length > 0) reports++;
      }),
      { numRuns: process.env['CAIRN_LONG'] ? 3_000 : 100 },
    );
    expect(reports).toBeGreaterThan(10);
  }, 1_800_000);
});

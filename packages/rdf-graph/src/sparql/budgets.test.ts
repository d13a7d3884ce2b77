import { createViewerOfEverything } from '@cairn/security';
import type * as RDF from '@rdfjs/types';
import { beforeAll, describe, expect, it } from 'vitest';
import { openGraphDataset } from '../dataset/open.ts';
import type { StoreDataset } from '../dataset/store-dataset.ts';
import type { GraphBudget } from '../graph/port/graph-dataset.ts';
import { blankNode, namedNode, quad, stringLiteral } from '../rdf/terms.ts';
import { sortRowsBy } from './execute/order.ts';
import { Work } from './functions/work.ts';

const viewer = createViewerOfEverything();
const NODES = 5_000;
const TEXTS = 200;
const TEXT_LENGTH = 200_000;
const EXHAUSTED = { code: 'ERR_QUERY_MEMORY', kind: 'exhausted' };

const iri = (name: string): RDF.NamedNode => namedNode(`urn:${name}`);

/** A chain of blank nodes, and texts that differ at their ends alone. */
function* quads(): Generator<RDF.Quad> {
  yield quad(iri('start'), iri('next'), blankNode('n0'));
  for (let i = 0; i < NODES; i++) yield quad(blankNode(`n${i}`), iri('next'), blankNode(`n${i + 1}`));
  const start = 'x'.repeat(TEXT_LENGTH);
  for (let i = 0; i < TEXTS; i++) yield quad(iri(`s${i}`), iri('text'), stringLiteral(`${start}${(i * 37) % TEXTS}`));
}

/** A clock that goes on with each look at it, so that each place where others may have their turn gives them one. */
const LOOK_MS = 5;
let nowMs = 0;
let dataset: StoreDataset;
beforeAll(async () => {
  dataset = await openGraphDataset({ name: 'budgets', nowMs: () => (nowMs += LOOK_MS) });
  await dataset.apply([{ deletions: [], additions: [...quads()].map((one) => ({ quad: one, label: '*' })) }]);
});

/** Takes every result of a query; how many, and in how many turns of the event loop. */
async function take(text: string, budget: GraphBudget = {}): Promise<{ results: number; turns: number }> {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  try {
    const result = await dataset.query(viewer, text, { budget });
    let results = 0;
    if (result.type === 'bindings') for await (const _ of result.solutions) results += 1;
    if (result.type === 'quads') for await (const _ of result.quads) results += 1;
    return { results, turns };
  } finally {
    isOver = true;
  }
}

const update = (text: string, maxMemoryBytes?: number) =>
  dataset.evaluateUpdate(viewer, text, { label: '*', budget: { maxMemoryBytes } });

describe('what an evaluation holds counts as its memory', () => {
  it('the nodes that DESCRIBE has seen', async () => {
    const text = 'DESCRIBE <urn:start>';
    expect((await take(text)).results).toBe(NODES + 1);
    await expect(take(text, { maxMemoryBytes: 200_000 })).rejects.toMatchObject(EXHAUSTED);
  });

  it('the quads that an update adds and removes', async () => {
    const data = Array.from({ length: NODES }, (_, i) => `<urn:new${i}> <urn:p> ${i}`).join('.');
    for (const text of [
      'INSERT { ?s <urn:p> ?o } WHERE { ?s <urn:next> ?o }',
      'DELETE WHERE { ?s <urn:next> ?o }',
      `INSERT DATA { ${data} }`,
      'CLEAR DEFAULT',
    ]) {
      const { additions, deletions } = await update(text);
      expect([...additions, ...deletions].length).toBeGreaterThanOrEqual(NODES);
      await expect(update(text, 200_000), text.slice(0, 40)).rejects.toMatchObject(EXHAUSTED);
    }
  });

  it('all operations of an update together', async () => {
    const some = (from: number): string =>
      `INSERT DATA { ${Array.from({ length: 500 }, (_, i) => `<urn:more${from + i}> <urn:p> 1`).join('.')} }`;
    const one = some(0);
    await update(one, 120_000);
    await expect(update([one, some(500), some(1_000)].join(';'), 120_000)).rejects.toMatchObject(EXHAUSTED);
  });

  it.each([
    ['added', 'INSERT { ?s <urn:says> ?t } WHERE', 5_000 * 200_000],
    ['added to a quoted triple', 'INSERT { ?s <urn:says> << <urn:a> <urn:b> ?t >> } WHERE', 5_000 * 200_000],
    ['taken away', 'DELETE WHERE', 200 * 200_000],
  ])('the text of what an update changes, as often as it is written out: %s', async (_, operation, bytes) => {
    const where = operation.startsWith('DELETE')
      ? '{ ?s <urn:text> ?t }'
      : '{ ?s <urn:next> ?o { SELECT ?t { <urn:s0> <urn:text> ?t } } }';
    await expect(update(`${operation} ${where}`, bytes)).rejects.toMatchObject(EXHAUSTED);
    await update(`${operation} ${where}`, bytes * 1.1);
  });
});

describe('long work gives others their turn', () => {
  it.each([
    ['MIN of long texts', 'SELECT (MIN(?t) AS ?m) { ?s <urn:text> ?t }', 1],
    ['SAMPLE of long texts', 'SELECT (SAMPLE(?t) AS ?m) { ?s <urn:text> ?t }', 1],
    ['a sort of long texts', 'SELECT ?s { ?s <urn:text> ?t } ORDER BY ?t', TEXTS],
    ['the first of long texts', 'SELECT ?s { ?s <urn:text> ?t } ORDER BY ?t LIMIT 20', 20],
    [
      'triples that are all the same',
      `CONSTRUCT { ${'<urn:a> <urn:b> <urn:c> . '.repeat(20)} } { ?s <urn:next> ?o }`,
      1,
    ],
  ])('%s', async (_, text, results) => {
    const taken = await take(text);
    expect(taken.results).toBe(results);
    expect(taken.turns).toBeGreaterThan(10);
  });

  it('while rows are sorted whose comparison is work', () => {
    const work = new Work();
    const compare = (a: number, b: number): number => {
      work.note(300_000);
      return b - a;
    };
    const steps = sortRowsBy(100, compare, work);
    let pauses = 0;
    for (;;) {
      const { done, value } = steps.next();
      if (done) {
        expect([...value]).toEqual(Array.from({ length: 100 }, (_, i) => 99 - i));
        break;
      }
      pauses += 1;
    }
    // One for each row that is put into its run, at most seven comparisons, and one for each comparison of a merge.
    expect(pauses).toBeGreaterThan(200);
  });
});

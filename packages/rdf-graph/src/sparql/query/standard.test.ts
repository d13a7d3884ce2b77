import { createViewer, createViewerOfEverything } from '@cairn/security';
import { describe, expect, it } from 'vitest';
import { linesOf } from '../../conformance/assertions.ts';
import { openGraphDataset } from '../../dataset/open.ts';
import type { StoreDataset } from '../../dataset/store-dataset.ts';
import { parseRdf } from '../../rdf/parse.ts';

const everything = createViewerOfEverything();

const BOOKS = `
  <urn:b1> <urn:title> "one" ; <urn:price> 10 .
  <urn:b2> <urn:title> "two" .
  GRAPH <urn:g> { <urn:b1> <urn:price> 20 }`;

async function datasetOf(trig: string, label = '*'): Promise<StoreDataset> {
  const dataset = await openGraphDataset({ name: 'standard' });
  const additions = [];
  for await (const quad of parseRdf(trig, { contentType: 'application/trig' })) additions.push({ quad, label });
  await dataset.apply([{ deletions: [], additions }]);
  return dataset;
}

const answer = async (dataset: StoreDataset, query: string): Promise<string[]> =>
  linesOf(await dataset.query(everything, query));

describe('a group inside OPTIONAL', () => {
  // Each shape with one filter: alone in its braces it sees no ?title.
  const SHAPES: readonly (readonly [string, (filter: string) => string])[] = [
    ['braces', (filter) => `{ ?b <urn:price> ?price ${filter} }`],
    ['braces in braces', (filter) => `{ { ?b <urn:price> ?price ${filter} } }`],
    ['GRAPH', (filter) => `GRAPH <urn:g> { ?b <urn:price> ?price ${filter} }`],
    ['GRAPH with a variable', (filter) => `GRAPH ?g { ?b <urn:price> ?price ${filter} }`],
    ['a branch of UNION', (filter) => `{ ?b <urn:price> ?price ${filter} } UNION { ?b <urn:none> ?price }`],
    ['a sub-query', (filter) => `{ SELECT ?b ?price { ?b <urn:price> ?price ${filter} } }`],
    ['a group beside a pattern', (filter) => `?b <urn:price> ?price { ?b <urn:price> ?x ${filter} }`],
    ['OPTIONAL of its own', (filter) => `{ ?b <urn:price> ?x OPTIONAL { ?b <urn:price> ?price ${filter} } }`],
  ];

  it.each(SHAPES)('keeps its filter to itself: %s', async (_, shape) => {
    const dataset = await datasetOf(BOOKS);
    for (const [filter, seen] of [
      ['FILTER(?title = "one")', false],
      ['FILTER(BOUND(?title))', false],
      ['FILTER(!BOUND(?title))', true],
      ['FILTER(COALESCE(?title, "none") = "none")', true],
      ['FILTER NOT EXISTS { FILTER(BOUND(?title)) }', true],
    ] as const) {
      const lines = await answer(
        dataset,
        `SELECT ?title ?price { ?b <urn:title> ?title OPTIONAL { ${shape(filter)} } }`,
      );
      expect(
        lines.some((line) => /\b[12]0\b/.test(line)),
        filter,
      ).toBe(seen);
    }
  });

  it('takes a filter that stands directly in it for its condition, beside groups too', async () => {
    const dataset = await datasetOf(BOOKS);
    for (const optional of [
      '?b <urn:price> ?price FILTER(?title = "one")',
      '{ ?b <urn:price> ?price } FILTER(?title = "one")',
      'FILTER(?title = "one") { ?b <urn:price> ?price FILTER(!BOUND(?title)) }',
    ]) {
      const query = `SELECT ?price { ?b <urn:title> ?title OPTIONAL { ${optional} } }`;
      expect((await answer(dataset, query)).join(), optional).toContain('10');
    }
  });
});

describe('GRAPH of a graph that is not there', () => {
  const NOTHING = [
    'GRAPH <urn:nope> {}',
    'GRAPH <urn:nope> { OPTIONAL { ?s ?p ?o } }',
    'GRAPH <urn:nope> { FILTER NOT EXISTS { ?s ?p ?o } }',
    'GRAPH <urn:nope> { BIND(1 AS ?x) }',
    'GRAPH <urn:nope> { VALUES ?x { 1 } }',
    'GRAPH <urn:nope> { SELECT (COUNT(*) AS ?n) { ?s ?p ?o } }',
    'GRAPH <urn:nope> { GRAPH <urn:g> { ?s ?p ?o } }',
    'GRAPH <urn:nope> { {} UNION { ?s ?p ?o } }',
    'GRAPH <urn:nope> { {} MINUS { ?s ?p ?o } }',
    'GRAPH <urn:nope> { <urn:b1> <urn:p>* ?x }',
    'GRAPH <urn:nope> { <urn:b1> <urn:p>? <urn:b1> }',
    'GRAPH ?g { GRAPH <urn:nope> {} }',
    'VALUES ?g { <urn:nope> } GRAPH ?g {}',
    'VALUES ?g { <urn:nope> } GRAPH ?g { <urn:b1> <urn:p>* ?x }',
    'FILTER EXISTS { GRAPH <urn:nope> {} }',
    '{ GRAPH <urn:nope> {} } UNION { GRAPH <urn:nope> { <urn:a> (<urn:p>|<urn:q>)* <urn:a> } }',
  ];

  it.each(NOTHING)('has no solutions: %s', async (pattern) => {
    const dataset = await datasetOf(BOOKS);
    expect(await answer(dataset, `ASK { ${pattern} }`)).toEqual(['false']);
    const there = pattern.replaceAll('urn:nope', 'urn:g');
    if (!there.includes('NOT EXISTS')) expect(await answer(dataset, `ASK { ${there} }`), there).toEqual(['true']);
  });

  it('is one that FROM NAMED leaves out, that was emptied, and that the viewer sees nothing of', async () => {
    const dataset = await datasetOf(BOOKS, 'a=1');
    const [permitted, other] = [['1'], []].map((a) => createViewer({ attributes: { a } }));
    const ask = async (viewer: typeof permitted, from = '') =>
      linesOf(await dataset.query(viewer, `ASK ${from} { GRAPH <urn:g> {} }`));
    expect(await ask(permitted)).toEqual(['true']);
    expect(await ask(permitted, 'FROM NAMED <urn:g>')).toEqual(['true']);
    expect(await ask(permitted, 'FROM NAMED <urn:h>')).toEqual(['false']);
    expect(await ask(permitted, 'FROM <urn:g>')).toEqual(['false']);
    expect(await ask(other)).toEqual(['false']);
    const emptied = await dataset.evaluateUpdate(permitted, 'CLEAR GRAPH <urn:g>', { label: 'a=1' });
    await dataset.apply([emptied]);
    expect(await ask(permitted)).toEqual(['false']);
  });

  it('lets a graph be made where it is not there', async () => {
    const dataset = await datasetOf(BOOKS);
    const insert = (name: string) =>
      `INSERT { GRAPH <${name}> { <urn:a> <urn:b> 1 } } WHERE { FILTER NOT EXISTS { GRAPH <${name}> {} } }`;
    const made = await dataset.evaluateUpdate(everything, insert('urn:new'), { label: '*' });
    expect(made.additions.length).toBe(1);
    const again = await dataset.evaluateUpdate(everything, insert('urn:g'), { label: '*' });
    expect(again.additions.length).toBe(0);
  });
});

import { createViewer, createViewerOfEverything } from '@cairn/security';
import { describe, expect, it } from 'vitest';
import { linesOf } from '../../conformance/assertions.ts';
import { openGraphDataset } from '../../dataset/open.ts';
import type { StoreDataset } from '../../dataset/store-dataset.ts';
import { parseRdf } from '../../rdf/parse.ts';
import { writeQuad } from '../../rdf/term-writer.ts';

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

describe('terms as the text says them', () => {
  const quadsOf = async (update: string): Promise<string[]> => {
    const { additions } = await (await datasetOf('')).evaluateUpdate(everything, update, { label: '*' });
    return additions.map(({ quad }) => writeQuad(quad)).sort();
  };

  it('keeps labels of blank nodes apart, however they begin', async () => {
    for (const update of [
      'INSERT DATA { _:a <urn:p> _:e_a, _:e_e_a, _:g_0, [] }',
      'INSERT { _:a <urn:p> _:e_a, _:e_e_a, _:g_0, [] } WHERE {}',
    ]) {
      const quads = await quadsOf(update);
      const nodes = new Set(quads.flatMap((quad) => quad.match(/_:\S+/g) ?? []));
      expect([quads.length, nodes.size], update).toEqual([4, 5]);
    }
    const dataset = await datasetOf('<urn:a> <urn:p> 1 . <urn:b> <urn:q> 2 .');
    expect(await answer(dataset, 'ASK { _:a <urn:p> ?x . _:a <urn:q> ?y }')).toEqual(['false']);
    expect(await answer(dataset, 'ASK { _:a <urn:p> ?x . _:e_a <urn:q> ?y }')).toEqual(['true']);
    const made = await answer(dataset, 'CONSTRUCT { _:a <urn:p> _:e_a } WHERE {}');
    expect(new Set(made.join().match(/_:[^\s.]+/g)).size).toBe(2);
  });

  it.each([
    ['+5', '"+5"^^<http://www.w3.org/2001/XMLSchema#integer>'],
    ['+5.0', '"+5.0"^^<http://www.w3.org/2001/XMLSchema#decimal>'],
    ['+5E0', '"+5E0"^^<http://www.w3.org/2001/XMLSchema#double>'],
    ['-5E0', '"-5E0"^^<http://www.w3.org/2001/XMLSchema#double>'],
    ['5E0', '"5E0"^^<http://www.w3.org/2001/XMLSchema#double>'],
    ['5e0', '"5e0"^^<http://www.w3.org/2001/XMLSchema#double>'],
    ['"5E0"', '"5E0"'],
    [String.raw`<http://e/\u0061\U0001F47E>`, '<http://e/a👾>'],
  ])('stores %s as it is written, and finds it again', async (text, stored) => {
    expect(await quadsOf(`INSERT DATA { <urn:s> <urn:p> ${text} }`)).toEqual([`<urn:s> <urn:p> ${stored} .`]);
    const dataset = await datasetOf(`<urn:s> <urn:p> ${text} .`);
    expect(await answer(dataset, `ASK { <urn:s> <urn:p> ${text} }`)).toEqual(['true']);
  });

  it('takes nodes with properties and lists that stand alone, in templates too', async () => {
    expect((await quadsOf('INSERT DATA { [ <urn:p> 1 ] . (2 3) }')).length).toBe(5);
    expect((await quadsOf('INSERT { [ <urn:p> [ <urn:q> 1 ] ] } WHERE {}')).length).toBe(2);
    const dataset = await datasetOf('<urn:a> <urn:p> 1 .');
    expect((await answer(dataset, 'CONSTRUCT { [ <urn:q> ?s ] } WHERE { ?s ?p ?o }')).join()).toContain('urn:q');
    expect((await answer(dataset, 'CONSTRUCT { (1 [ <urn:q> 2 ]) . } WHERE {}')).length).toBe(5);
  });

  it('computes with numbers that have a sign', async () => {
    const dataset = await datasetOf('');
    expect(await answer(dataset, 'ASK { FILTER(1+5 = 6 && 1 + +5*2 = 11 && 7 -5 = 2 && STR(+5) = "+5") }')).toEqual([
      'true',
    ]);
  });
});

describe('groups', () => {
  it('take a value of the group for a variable beside aggregates in HAVING and ORDER BY', async () => {
    const dataset = await datasetOf('<urn:a> <urn:p> 1 . <urn:b> <urn:p> 2 . <urn:b> <urn:q> 2 .');
    const ordered = 'SELECT ?s { ?s ?p ?o } GROUP BY ?s HAVING (BOUND(?o) && ?o > 0) ORDER BY DESC(?o)';
    const rows = await dataset.query(everything, ordered);
    if (rows.type !== 'bindings') throw new Error('a SELECT gives bindings');
    const found: (string | undefined)[] = [];
    for await (const solution of rows.solutions) found.push(solution.get('s')?.value);
    expect(found).toEqual(['urn:b', 'urn:a']);
    expect((await answer(dataset, 'SELECT (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY ?s HAVING (?o > 1)')).length).toBe(1);
  });

  it('stand in every form of query', async () => {
    const dataset = await datasetOf('<urn:a> <urn:p> 1, 2 . <urn:b> <urn:p> 2 .');
    const many = 'WHERE { ?s ?p ?o } GROUP BY ?s HAVING (COUNT(*) > 1)';
    expect(await answer(dataset, `ASK ${many}`)).toEqual(['true']);
    expect((await answer(dataset, `CONSTRUCT { ?s <urn:many> true } ${many}`)).length).toBe(1);
    expect((await answer(dataset, `DESCRIBE ?s ${many}`)).length).toBe(2);
    expect(await answer(dataset, 'ASK { ?s ?p ?o } HAVING (COUNT(*) > 3)')).toEqual(['false']);
  });
});

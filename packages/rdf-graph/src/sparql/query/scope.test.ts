import { createViewer, createViewerOfEverything } from '@cairn/security';
import { describe, expect, it } from 'vitest';
import { linesOf } from '../../conformance/assertions.ts';
import { openGraphDataset } from '../../dataset/open.ts';
import type { StoreDataset } from '../../dataset/store-dataset.ts';
import { parseRdf } from '../../rdf/parse.ts';

const everything = createViewerOfEverything();

const DATA = `
  PREFIX : <http://e/>
  :a :p 1 . :b :p 2 . :c :p 3 .
  :a :q :b . :b :q :c .
  :g { :a :p :b . :b :p :g . :b :q :g }
  :h { :b :p :c . :b :q :g }`;

async function datasetOf(trig: string): Promise<StoreDataset> {
  const dataset = await openGraphDataset({ name: 'scope' });
  const additions = [];
  for await (const quad of parseRdf(trig, { contentType: 'application/trig' })) additions.push({ quad, label: '*' });
  await dataset.apply([{ deletions: [], additions }]);
  return dataset;
}

async function answer(pattern: string, columns = '*'): Promise<string[]> {
  const query = `PREFIX : <http://e/> SELECT ${columns} { ${pattern} }`;
  const lines = await linesOf(await (await datasetOf(DATA)).query(everything, query));
  return lines.map((line) => line.replaceAll('http://e/', ''));
}

describe('the variable of GRAPH', () => {
  it.each([
    ['FILTER(BOUND(?g))', []],
    ['?s :p ?o FILTER(BOUND(?g))', []],
    ['?s :p ?o FILTER(?o = ?g)', []],
    ['{ ?s :p ?o FILTER(?o = ?g) }', []],
    ['?s :p ?o FILTER EXISTS { FILTER(BOUND(?g)) }', []],
    ['?s :p ?o FILTER(!BOUND(?g))', ['a b g', 'b c h', 'b g g']],
    ['?s :p ?o FILTER NOT EXISTS { FILTER(BOUND(?g)) }', ['a b g', 'b c h', 'b g g']],
    ['?s :p ?o BIND(1 AS ?z) FILTER(!BOUND(?g))', ['a b g', 'b c h', 'b g g']],
    ['?s :p ?o OPTIONAL { ?s :q ?x FILTER(BOUND(?g)) } FILTER(!BOUND(?x))', ['a b g', 'b c h', 'b g g']],
    ['?s :p ?o OPTIONAL { ?s :q ?g }', ['a b g', 'b g g']],
    ['?s :p ?o . ?s :q ?g', ['b g g']],
    ['?s :p ?o . ?s :q ?g FILTER(?g = :g)', ['b g g']],
    ['?s :p ?o MINUS { ?s :q ?g }', ['a b g']],
    ['?s :p ?o { SELECT ?s { ?s :q ?g } }', ['b c h', 'b g g']],
    ['{ ?s :p ?o . ?s :q ?g } UNION { ?s :q ?o FILTER(!BOUND(?g)) }', ['b g g', 'b g g', 'b g h']],
  ])('is bound after its pattern: %s', async (pattern, expected) => {
    expect(await answer(`GRAPH ?g { ${pattern} }`, '?s ?o ?g')).toEqual(expected);
  });

  it('is translated once at each depth, however deep GRAPHs nest', async () => {
    const depth = 200;
    const opened = Array.from({ length: depth }, (_, i) => `GRAPH ?g${i} { ?s :p ?o `).join('');
    expect((await answer(`${opened}${'}'.repeat(depth)} FILTER(?o = :c)`, '?s ?o')).length).toBe(1);
  }, 20_000);
});

describe('a filter that drops the row before a sub-query', () => {
  it.each([
    'FILTER(false) { SELECT (COUNT(*) AS ?n) { ?s ?p ?o } }',
    'FILTER(BOUND(?x)) { SELECT ?s (COUNT(*) AS ?n) { ?s :p ?o } GROUP BY ?s }',
    'FILTER(?x) { SELECT DISTINCT ?s { ?s :p ?o } }',
    'FILTER(?x) { SELECT ?s { ?s :p ?o } ORDER BY ?s LIMIT 2 }',
  ])('drops its solutions: %s', async (pattern) => {
    expect(await answer(pattern)).toEqual([]);
  });
});

describe('EXISTS', () => {
  // ?s of the outer row is :a, :b and :c, and ?o is 1, 2 and 3.
  it.each([
    ['the pattern', '?s :q ?x', 'a b'],
    ['a filter in it', '?x :p ?y FILTER(?y > ?o)', 'a b'],
    ['a group', '{ ?x :p ?y FILTER(?y > ?o) }', 'a b'],
    ['a group beside a pattern that binds the same', '?s :q ?x { ?z :p ?y FILTER(?y > ?o && ?y > 2) }', 'a b'],
    ['OPTIONAL', 'OPTIONAL { ?x :p ?y FILTER(?y > ?o + 1) } FILTER(BOUND(?y))', 'a'],
    ['a group in OPTIONAL', 'OPTIONAL { { ?x :p ?y FILTER(?y > ?o + 1) } } FILTER(BOUND(?y))', 'a'],
    ['UNION', '{ ?s :q :c } UNION { FILTER(?o = 3) }', 'b c'],
    ['MINUS, on its right', '?x :p ?y MINUS { ?x :p ?y FILTER(?o != 2) }', 'b'],
    ['MINUS, of which it shares only the outer row', '?s :p ?x MINUS { ?s :q ?y }', 'c'],
    ['MINUS in a group', '{ ?x :p ?y MINUS { ?x :p ?y FILTER(?y != ?o) } }', 'a b c'],
    ['BIND', 'BIND(?o + 1 AS ?y) ?x :p ?y', 'a b'],
    ['BIND of what the outer row has', 'BIND(:a AS ?s)', 'a'],
    ['BIND of an error', 'BIND(1/0 AS ?s) FILTER(?s = :b)', 'b'],
    ['VALUES', 'VALUES (?s ?y) { (:a 1) (:b 9) (UNDEF 3) } FILTER(?y = ?o)', 'a c'],
    ['a sub-select, of what it shows', '{ SELECT ?o { ?x :p ?y FILTER(?y > ?o) } }', 'a b'],
    ['a sub-select with *', '{ SELECT * { FILTER(?o > 1) } }', 'b c'],
    ['LIMIT', '{ SELECT ?s ?x { ?s :q ?x } ORDER BY ?s LIMIT 1 }', 'a b'],
    ['GROUP BY', '{ SELECT ?s (COUNT(*) AS ?n) { ?s :q ?x } GROUP BY ?s HAVING (COUNT(*) > 0) }', 'a b'],
    [
      'COUNT over what it shows',
      '{ SELECT ?o (COUNT(*) AS ?n) { ?x :p ?y FILTER(?y <= ?o) } GROUP BY ?o HAVING (COUNT(*) > 1) }',
      'b c',
    ],
    ['GRAPH', 'GRAPH :g { ?s :p ?x FILTER(?o = 1) }', 'a'],
    ['GRAPH with a variable', 'GRAPH ?g { ?s :p ?x FILTER(?o = 2) }', 'b'],
    ['GRAPH, of which it is the variable', 'GRAPH ?s { ?x :p ?y VALUES (?x ?z) { (:b 1) } }', ''],
    ['a path', '?s :q+ ?x FILTER(?x = :c)', 'a b'],
    ['EXISTS in it', '?s :q ?x FILTER EXISTS { ?x :p ?y FILTER(?y = ?o + 1) }', 'a b'],
    ['NOT EXISTS in it', '?x :p ?y FILTER NOT EXISTS { FILTER(?y != ?o) }', 'a b c'],
  ])('shows the outer row to %s', async (_, pattern, expected) => {
    expect((await answer(`?s :p ?o FILTER EXISTS { ${pattern} }`, '?s')).join(' ')).toBe(expected);
    const rest = ['a', 'b', 'c'].filter((name) => !expected.includes(name)).join(' ');
    expect((await answer(`?s :p ?o FILTER NOT EXISTS { ${pattern} }`, '?s')).join(' ')).toBe(rest);
    expect((await answer(`?s :p ?o BIND(EXISTS { ${pattern} } AS ?is) FILTER(?is)`, '?s')).join(' ')).toBe(expected);
  });

  it('hides it from what a sub-select does not show', async () => {
    expect(await answer('?s :p ?o FILTER EXISTS { SELECT ?x { ?x :p ?y FILTER(?y > ?o) } }', '?s')).toEqual([]);
    const shadowed = '?s :p ?o FILTER EXISTS { SELECT ?s { ?s :q ?x . ?x :p ?o } }';
    expect(await answer(shadowed, '?s')).toEqual(['a', 'b']);
  });

  it('does not show it what stands beside a part', async () => {
    expect(await answer('?s :p ?o FILTER EXISTS { ?s :q ?x { ?z :p ?y FILTER(BOUND(?x)) } }', '?s')).toEqual([]);
    const optional = 'OPTIONAL { ?s :q ?x } FILTER EXISTS { ?y :q ?x { ?z :p ?n FILTER(!BOUND(?x)) } }';
    expect(await answer(`?s :p ?o ${optional}`, '?s')).toEqual(['c']);
  });

  it('reads in SELECT what SELECT computed before', async () => {
    const columns = '(:a AS ?x) (EXISTS { ?x :q :b } AS ?yes) (EXISTS { ?x :q :c } AS ?no)';
    expect(await answer('', columns)).toEqual(['a true false']);
  });

  it('reads for a viewer only what the viewer sees, for each outer row too', async () => {
    const dataset = await datasetOf(DATA);
    const hidden = await dataset.evaluateUpdate(everything, 'INSERT DATA { <http://e/c> <http://e/q> <http://e/a> }', {
      label: 'team=red',
    });
    await dataset.apply([hidden]);
    const count = '{ SELECT ?o (COUNT(*) AS ?n) { ?x :q ?y FILTER(?o > 0) } GROUP BY ?o HAVING (COUNT(*) > 2) }';
    const query = `PREFIX : <http://e/> SELECT ?s { ?s :p ?o FILTER EXISTS { ${count} } }`;
    const [red, blue] = ['red', 'blue'].map((team) => createViewer({ attributes: { team: [team] } }));
    expect((await linesOf(await dataset.query(red, query))).length).toBe(3);
    expect(await linesOf(await dataset.query(blue, query))).toEqual([]);
  });
});

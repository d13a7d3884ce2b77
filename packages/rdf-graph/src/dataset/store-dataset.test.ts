import { createMemoryBlobStore } from '@cairn/events';
import { createViewer, createViewerOfEverything } from '@cairn/security';
import type * as RDF from '@rdfjs/types';
import { describe, expect, it } from 'vitest';
import { namedNode, quad } from '../rdf/terms.ts';
import { openGraphDataset } from './open.ts';
import type { StoreDataset } from './store-dataset.ts';

const everything = createViewerOfEverything();
const PREFIX = 'PREFIX : <http://e/> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> ';

async function datasetOf(data: string, label = '*'): Promise<StoreDataset> {
  const dataset = await openGraphDataset({ name: 'test' });
  await update(dataset, `INSERT DATA { ${data} }`, label);
  return dataset;
}

async function update(dataset: StoreDataset, text: string, label = '*', viewer = everything): Promise<void> {
  await dataset.apply([await dataset.evaluateUpdate(viewer, PREFIX + text, { label })]);
}

function show(term: RDF.Term | undefined): string {
  if (term === undefined) return '-';
  return term.termType === 'NamedNode' ? term.value.replace('http://e/', ':') : term.value;
}

async function rows(dataset: StoreDataset, text: string, viewer = everything): Promise<string[]> {
  const result = await dataset.query(viewer, PREFIX + text);
  if (result.type !== 'bindings') throw new Error(`bindings expected; got ${result.type}`);
  const found: string[] = [];
  for await (const solution of result.solutions) {
    found.push(result.variables.map((variable) => show(solution.get(variable))).join(' '));
  }
  return found;
}

const sorted = async (...args: Parameters<typeof rows>): Promise<string[]> => (await rows(...args)).sort();

const PEOPLE = `
  :a :name "Ann" ; :age 30 ; :knows :b, :c .
  :b :name "Bob" ; :age 25 ; :knows :c .
  :c :name "Cid" ; :knows :a .
  GRAPH :g1 { :a :name "Ann1" } GRAPH :g2 { :b :name "Bob2" . :c :age 5 }`;

describe('a dataset', () => {
  it('joins triple patterns', async () => {
    const dataset = await datasetOf(PEOPLE);
    expect(await sorted(dataset, 'SELECT ?n ?m { ?x :knows ?y . ?x :name ?n . ?y :name ?m }')).toEqual([
      'Ann Bob',
      'Ann Cid',
      'Bob Cid',
      'Cid Ann',
    ]);
  });

  it('keeps rows without an optional part, and filters inside it', async () => {
    const dataset = await datasetOf(PEOPLE);
    expect(await sorted(dataset, 'SELECT ?n ?a { ?x :name ?n OPTIONAL { ?x :age ?a FILTER(?a > 26) } }')).toEqual([
      'Ann 30',
      'Bob -',
      'Cid -',
    ]);
  });

  it('groups, aggregates and orders', async () => {
    const dataset = await datasetOf(PEOPLE);
    expect(
      await rows(
        dataset,
        'SELECT ?x (COUNT(?y) AS ?n) { ?x :knows ?y } GROUP BY ?x HAVING(COUNT(*) > 0) ORDER BY DESC(?n) ?x',
      ),
    ).toEqual([':a 2', ':b 1', ':c 1']);
    expect(await rows(dataset, 'SELECT (SUM(?a) AS ?s) (AVG(?a) AS ?v) (MIN(?a) AS ?l) { ?x :age ?a }')).toEqual([
      '55 27.5 25',
    ]);
    expect(await rows(dataset, 'SELECT (COUNT(*) AS ?n) { ?x :nothing ?a }')).toEqual(['0']);
  });

  it('reads named graphs by name and by variable', async () => {
    const dataset = await datasetOf(PEOPLE);
    expect(await sorted(dataset, 'SELECT ?g ?n { GRAPH ?g { ?x :name ?n } }')).toEqual([':g1 Ann1', ':g2 Bob2']);
    expect(await sorted(dataset, 'SELECT ?g (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } } GROUP BY ?g')).toEqual([
      ':g1 1',
      ':g2 2',
    ]);
    expect(await sorted(dataset, 'SELECT ?g ?n { GRAPH ?g { SELECT (COUNT(*) AS ?n) { ?s ?p ?o } } }')).toEqual([
      ':g1 1',
      ':g2 2',
    ]);
    expect(await sorted(dataset, 'SELECT ?n FROM :g1 FROM :g2 { ?x :name ?n }')).toEqual(['Ann1', 'Bob2']);
    expect(await sorted(dataset, 'SELECT ?g { GRAPH ?g {} }')).toEqual([':g1', ':g2']);
  });

  it('walks property paths through cycles', async () => {
    const dataset = await datasetOf(PEOPLE);
    expect(await sorted(dataset, 'SELECT ?y { :a :knows+ ?y }')).toEqual([':a', ':b', ':c']);
    expect(await sorted(dataset, 'SELECT ?y { ?y :knows* :b }')).toEqual([':a', ':b', ':c']);
    expect(await sorted(dataset, 'SELECT ?n { :b :knows/:name ?n }')).toEqual(['Cid']);
    expect(await sorted(dataset, 'SELECT ?y { :a !(:knows|:age) ?y }')).toEqual(['Ann']);
    expect(await sorted(dataset, 'SELECT ?y { :c ^:knows ?y }')).toEqual([':a', ':b']);
    expect(await sorted(dataset, 'SELECT * { :zzz :knows? ?y }')).toEqual([':zzz']);
  });

  it('takes MINUS, EXISTS, UNION, VALUES, BIND and sub-queries', async () => {
    const dataset = await datasetOf(PEOPLE);
    expect(await sorted(dataset, 'SELECT ?x { ?x :name ?n MINUS { ?x :age ?a } }')).toEqual([':c']);
    expect(await sorted(dataset, 'SELECT ?x { ?x :name ?n FILTER NOT EXISTS { ?x :age ?a } }')).toEqual([':c']);
    expect(await sorted(dataset, 'SELECT ?x { ?x :name ?n FILTER EXISTS { ?x :knows ?y . ?y :age ?a } }')).toEqual([
      ':a',
      ':c',
    ]);
    expect(await sorted(dataset, 'SELECT ?v { { :a :age ?v } UNION { :a :name ?v } }')).toEqual(['30', 'Ann']);
    expect(await sorted(dataset, 'SELECT ?x ?a { VALUES (?x ?a) { (:a UNDEF) (:b 26) } ?x :age ?a }')).toEqual([
      ':a 30',
    ]);
    expect(await sorted(dataset, 'SELECT ?d { ?x :age ?a BIND(?a * 2 AS ?d) }')).toEqual(['50', '60']);
    expect(await sorted(dataset, 'SELECT ?x ?m { ?x :age ?m { SELECT (MAX(?a) AS ?m) { ?y :age ?a } } }')).toEqual([
      ':a 30',
    ]);
  });

  it('lets filters see only their own group', async () => {
    const dataset = await datasetOf(PEOPLE);
    expect(await rows(dataset, 'SELECT ?x { ?x :name "Ann" { :b :age ?a FILTER(bound(?x)) } }')).toEqual([]);
  });

  it('answers ASK, CONSTRUCT and DESCRIBE', async () => {
    const dataset = await datasetOf(`${PEOPLE} :d :at [ :x 1 ]`);
    expect(await dataset.query(everything, `${PREFIX} ASK { :a :age 30 }`)).toEqual({ type: 'boolean', value: true });
    const count = async (text: string): Promise<number> => {
      const result = await dataset.query(everything, PREFIX + text);
      if (result.type !== 'quads') throw new Error('quads expected');
      let n = 0;
      for await (const _ of result.quads) n++;
      return n;
    };
    expect(await count('CONSTRUCT { ?y :knownBy ?x . ?y a :Known } { ?x :knows ?y }')).toBe(7);
    expect(await count('DESCRIBE :a')).toBe(4);
    expect(await count('DESCRIBE :d')).toBe(2);
  });

  it('runs the operations of an update over one another, as one change', async () => {
    const dataset = await datasetOf(PEOPLE);
    await update(
      dataset,
      'DELETE { ?x :age ?a } INSERT { ?x :years ?a } WHERE { ?x :age ?a } ; DELETE WHERE { :b :years ?y } ; COPY :g1 TO :g3',
    );
    expect(await sorted(dataset, 'SELECT ?x ?a { ?x :years|:age ?a }')).toEqual([':a 30']);
    expect(await sorted(dataset, 'SELECT ?g { GRAPH ?g { ?x :name ?n } }')).toEqual([':g1', ':g2', ':g3']);
    await update(dataset, 'CLEAR NAMED ; DROP DEFAULT');
    expect(await dataset.count(everything)).toBe(0);
  });

  it('shows a quad to whoever one of its labels permits, once', async () => {
    const dataset = await datasetOf(':a :p 1', 'clearance=O');
    await update(dataset, 'INSERT DATA { :a :p 1 . :a :p 2 }', 'clearance=S');
    const low = createViewer({ attributes: { clearance: ['O'] } });
    const high = createViewer({ attributes: { clearance: ['S'] } });
    const both = createViewer({ attributes: { clearance: ['S', 'O'] } });
    const nobody = createViewer({ attributes: {} });
    expect(await sorted(dataset, 'SELECT ?o { :a :p ?o }', low)).toEqual(['1']);
    expect(await sorted(dataset, 'SELECT ?o { :a :p ?o }', high)).toEqual(['1', '2']);
    expect(await rows(dataset, 'SELECT (COUNT(*) AS ?n) { :a :p ?o }', both)).toEqual(['2']);
    expect(await rows(dataset, 'SELECT (COUNT(*) AS ?n) { :a :p ?o }', nobody)).toEqual(['0']);
    await update(dataset, 'DELETE WHERE { ?s ?p ?o }', 'clearance=O', low);
    expect(await sorted(dataset, 'SELECT ?o { :a :p ?o }', low)).toEqual([]);
    expect(await sorted(dataset, 'SELECT ?o { :a :p ?o }', high)).toEqual(['1', '2']);
  });

  it.each([
    'SELECT * { ?a :p ?b . ?c :q ?d } ORDER BY ?a',
    'SELECT DISTINCT ?a ?d { ?a :p ?b . ?c :q ?d }',
    'SELECT ?a ?d (COUNT(*) AS ?n) { ?a :p ?b . ?c :q ?d } GROUP BY ?a ?d',
    'SELECT * { ?a :p ?b . ?c :q ?d BIND(CONCAT(STR(?a), STR(?d)) AS ?e) }',
    'SELECT (GROUP_CONCAT(?a) AS ?n) { ?a :p ?b . ?c :q ?d }',
    'SELECT * { ?a :p ?b { SELECT ?c ?d { ?c :q ?d } LIMIT 90000 } }',
  ])('keeps to its memory budget: %s', async (pattern) => {
    const dataset = await openGraphDataset({ name: 'd' });
    const quads = Array.from({ length: 500 }, (_, i) => [
      quad(namedNode(`http://e/s${i}`), namedNode('http://e/p'), namedNode('http://e/o')),
      quad(namedNode(`http://e/s${i}`), namedNode('http://e/q'), namedNode(`http://e/o${i}`)),
    ]).flat();
    await dataset.load([quads], { label: '*' });
    const run = async (maxMemoryBytes: number | undefined): Promise<number> => {
      const text = `PREFIX : <http://e/> ${pattern}`;
      const result = await dataset.query(createViewerOfEverything(), text, { budget: { maxMemoryBytes } });
      let rows = 0;
      if (result.type === 'bindings') for await (const _ of result.solutions) rows++;
      return rows;
    };
    expect(await run(undefined)).toBeGreaterThan(0);
    await expect(run(4096)).rejects.toMatchObject({ code: 'ERR_QUERY_MEMORY', kind: 'exhausted' });
  });

  it('says where the syntax is wrong', async () => {
    const dataset = await datasetOf(PEOPLE);
    await expect(dataset.query(everything, 'SELECT ?x WHERE { ?x ?y }')).rejects.toMatchObject({
      code: 'ERR_SPARQL_SYNTAX',
      kind: 'invalid',
      position: { line: 1, offset: 24 },
    });
    await expect(dataset.query(everything, 'CLEAR ALL')).rejects.toMatchObject({ code: 'ERR_SPARQL_SYNTAX' });
  });
});

describe('what a program in JavaScript passes by mistake', () => {
  const [s, p, o] = ['s', 'p', 'o'].map((name) => namedNode(`http://e/${name}`)) as [RDF.Term, RDF.Term, RDF.Term];
  const good = quad(s, p, o);
  /** Values as a program without types passes them. */
  const given = (value: unknown): never => value as never;
  const written = (object: unknown, label: unknown = '*') => ({
    deletions: [],
    additions: [{ quad: quad(s, p, given(object)), label: given(label) }],
  });

  const mistakes: readonly (readonly [
    name: string,
    code: string,
    write: (dataset: StoreDataset) => Promise<unknown>,
  ])[] = [
    [
      'an addition without a label',
      'ERR_ARGUMENT',
      (dataset) => dataset.apply([{ deletions: [], additions: [given({ quad: good })] }]),
    ],
    ['a label of null', 'ERR_ARGUMENT', (dataset) => dataset.apply([written(o, null)])],
    ['a list of labels', 'ERR_ARGUMENT', (dataset) => dataset.apply([written(o, ['a', 'b'])])],
    ['a load without a label', 'ERR_ARGUMENT', (dataset) => dataset.load([[good]], given({}))],
    [
      'an update without a label',
      'ERR_ARGUMENT',
      (dataset) => update(dataset, 'INSERT DATA { :s :p :q }', given(null)),
    ],
    ['a text for a term', 'ERR_ARGUMENT', (dataset) => dataset.apply([written('http://e/o')])],
    ['no term', 'ERR_ARGUMENT', (dataset) => dataset.apply([written(null)])],
    [
      'an IRI that is no text',
      'ERR_ARGUMENT',
      (dataset) => dataset.apply([written({ termType: 'NamedNode', value: 3 })]),
    ],
    ['a URL for a term', 'ERR_ARGUMENT', (dataset) => dataset.apply([written(new URL('http://e/o'))])],
    ['a load of what are no quads', 'ERR_TERM_UNSUPPORTED', (dataset) => dataset.load([given([{}])], { label: '*' })],
    ['a load of a text', 'ERR_ARGUMENT', (dataset) => dataset.load(given('<http://e/s>'), { label: '*' })],
  ];

  it.each(mistakes)(
    '%s is refused with %s, and the dataset answers, writes and opens again',
    async (_, code, write) => {
      const blobs = createMemoryBlobStore();
      const dataset = await openGraphDataset({ name: 'test', blobs });
      await expect(write(dataset)).rejects.toMatchObject({ code, kind: 'invalid' });
      await dataset.apply([written(o)]);
      expect(await rows(dataset, 'SELECT * { ?s ?p ?o }')).toEqual([':s :p :o']);
      await dataset.flush();
      await dataset.close();
      expect(await rows(await openGraphDataset({ name: 'test', blobs }), 'SELECT * { ?s ?p ?o }')).toEqual([
        ':s :p :o',
      ]);
    },
  );
});

describe('load', () => {
  /** One batch, and then nothing. */
  async function* stalling(stalled: () => void): AsyncGenerator<readonly RDF.Quad[]> {
    yield [quad(namedNode('http://e/a'), namedNode('http://e/p'), namedNode('http://e/b'))];
    setImmediate(stalled);
    await new Promise(() => {});
  }

  it('ends with its signal while its source does not answer, and lets others write', async () => {
    const dataset = await openGraphDataset({ name: 'test' });
    const stopping = new AbortController();
    const source = stalling(() => stopping.abort());
    await expect(dataset.load(source, { label: '*', signal: stopping.signal })).rejects.toMatchObject({
      code: 'ERR_CANCELLED',
    });
    expect(await dataset.count(everything)).toBe(0);
    await update(dataset, 'INSERT DATA { :c :p :d }');
    expect(await dataset.count(everything)).toBe(1);
    await dataset.close();
  });

  it('is ended by closing the dataset', async () => {
    const dataset = await openGraphDataset({ name: 'test' });
    let loading: Promise<number> | undefined;
    await new Promise<void>((resolve) => {
      loading = dataset.load(stalling(resolve), { label: '*' });
      loading.catch(() => {});
    });
    await dataset.close();
    await expect(loading).rejects.toMatchObject({ code: 'ERR_DATASET_CLOSED' });
  });

  it('closes a source whose batch is refused', async () => {
    const dataset = await openGraphDataset({ name: 'test' });
    let isClosed = false;
    async function* wrong(): AsyncGenerator<readonly RDF.Quad[]> {
      try {
        yield 5 as unknown as RDF.Quad[];
      } finally {
        isClosed = true;
      }
    }
    await expect(dataset.load(wrong(), { label: '*' })).rejects.toMatchObject({ code: 'ERR_ARGUMENT' });
    expect(isClosed).toBe(true);
  });
});

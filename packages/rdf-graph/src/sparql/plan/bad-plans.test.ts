import { runAtOnce } from '@cairn/events';
import { createViewerOfEverything } from '@cairn/security';
import type * as RDF from '@rdfjs/types';
import { beforeAll, describe, expect, it } from 'vitest';
import { openGraphDataset } from '../../dataset/open.ts';
import type { StoreDataset } from '../../dataset/store-dataset.ts';
import { namedNode, quad, stringLiteral } from '../../rdf/terms.ts';
import { unitInput } from '../execute/batch.ts';
import { Execution, WHOLE_DATASET } from '../execute/execution.ts';
import { parseSparql } from '../parse/parser.ts';
import { compileQuery, prepareQuery } from '../query/prepare.ts';
import { StoreStatistics } from './store-statistics.ts';

const viewer = createViewerOfEverything();
const PEOPLE = 20_000;
const iri = (name: string | number): RDF.NamedNode => namedNode(`http://e/${name}`);

/** People of whom one in a thousand is special, all in one of ten cities, and a hub that everybody knows. */
function* people(): Generator<RDF.Quad> {
  for (let i = 0; i < PEOPLE; i++) {
    yield quad(iri(i), iri('type'), iri('Person'));
    yield quad(iri(i), iri('name'), stringLiteral(`name ${i}`));
    yield quad(iri(i), iri('city'), iri(`city${i % 10}`));
    yield quad(iri(i), iri('knows'), iri('hub'));
    yield quad(iri(i), iri('knows'), iri((i * 7 + 1) % PEOPLE));
    if (i % 1000 === 0) yield quad(iri(i), iri('special'), iri('yes'));
    if (i % 2 === 0) yield quad(iri(i), iri('email'), stringLiteral(`${i}@e`));
  }
  for (let i = 0; i < 50; i++) yield quad(iri('hub'), iri('knows'), iri(i));
}

let dataset: StoreDataset;

beforeAll(async () => {
  dataset = await openGraphDataset({ name: 'plans' });
  await dataset.load([[...people()]], { label: '*' });
});

/** Solutions of a query, and how many rows its plan handed on: what a bad plan makes many of. */
function run(text: string): { rows: number; steps: number } {
  const syntax = parseSparql(`PREFIX : <http://e/> ${text}`);
  if (syntax.type !== 'query') throw new Error('not a query');
  const snapshot = dataset.snapshot(viewer);
  const compiled = runAtOnce(compileQuery(prepareQuery(syntax), new StoreStatistics(snapshot)));
  const sources = { nowMs: 0, random: undefined, baseIri: undefined, freshLabel: () => 'x' };
  const execution = new Execution(snapshot, WHOLE_DATASET, sources);
  let rows = 0;
  let steps = 0;
  for (const batch of compiled.plan(execution, unitInput())) {
    steps++;
    rows += batch?.size ?? 0;
  }
  return { rows, steps };
}

/** Every case has a limit of steps that the plan in the order of the text, or one without push-down, exceeds. */
describe('a plan survives', () => {
  it.each([
    [
      'patterns in the worst order',
      'SELECT ?n ?c { ?s :type :Person . ?s :name ?n . ?s :city ?c . ?s :special :yes }',
      20,
      8,
    ],
    [
      'a disconnected start',
      'SELECT ?a ?b { ?a :name ?n . ?b :city ?c . ?a :special :yes . ?a :knows ?b . ?b :special :yes }',
      0,
      12,
    ],
    [
      'GROUP BY over OPTIONAL',
      'SELECT ?c (COUNT(?e) AS ?n) { ?s :city ?c OPTIONAL { ?s :email ?e } } GROUP BY ?c',
      10,
      80,
    ],
    ['UNION under a join', 'SELECT ?x { ?s :special :yes { ?s :name ?x } UNION { ?s :email ?x } }', 40, 12],
    ['a join written after UNION', 'SELECT ?x { { ?s :name ?x } UNION { ?s :email ?x } ?s :special :yes }', 40, 12],
    [
      'nested OPTIONAL',
      'SELECT ?n ?m { ?s :special :yes OPTIONAL { ?s :knows ?o OPTIONAL { ?o :name ?m OPTIONAL { ?o :email ?n } } } }',
      40,
      60,
    ],
    [
      'OPTIONAL over everything, with the filter inside',
      'SELECT ?s ?t { ?s :special :yes OPTIONAL { ?t :special :yes FILTER(?s != ?t) } }',
      380,
      12,
    ],
    [
      'a triangle in a skewed graph',
      'SELECT ?a ?b ?c { ?a :knows ?b . ?b :knows ?c . ?c :knows ?a . ?a :special :yes }',
      1,
      100,
    ],
    ['a sub-query with LIMIT', 'SELECT ?n { { SELECT ?s { ?s :type :Person } LIMIT 5 } ?s :name ?n }', 5, 12],
    ['EXISTS over many', 'SELECT ?s { ?s :special :yes FILTER EXISTS { ?s :knows ?o . ?o :type :Person } }', 20, 12],
    ['MINUS of many', 'SELECT ?s { ?s :special :yes MINUS { ?s :email ?e } }', 0, 12],
    ['VALUES after its pattern', 'SELECT ?n { ?s :name ?n VALUES ?s { :1 :2 :3 } }', 3, 8],
    ['LIMIT without ORDER BY', 'SELECT * { ?s ?p ?o . ?s :name ?n } LIMIT 3', 3, 8],
  ])('%s', (_, text, rows, limit) => {
    const found = run(text);
    expect(found.rows).toBe(rows);
    expect(found.steps).toBeLessThanOrEqual(limit);
  });
});

describe('a large join', () => {
  it('is planned while nobody notices, and ordered from what is fixed', () => {
    const links = Array.from({ length: 400 }, (_, i) => `?v${i + 1} :knows ?v${i} .`).reverse();
    const started = process.cpuUsage();
    const found = run(`SELECT ?v400 { ${links.join(' ')} VALUES ?v0 { :nobody } }`);
    // Of this process: another one may have the machine.
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(3000);
    expect(found.rows).toBe(0);
    expect(found.steps).toBeLessThan(100);
  });

  it('lets others have their turn between its patterns, however many columns each hands on', () => {
    const links = Array.from({ length: 200 }, (_, i) => `?v${i} :knows ?v${i + 1} .`);
    const found = run(`SELECT * { ${links.join(' ')} } LIMIT 1`);
    expect(found.rows).toBe(1);
    expect(found.steps).toBeGreaterThan(100);
  });

  it('filters as soon as the variables of a condition are settled', () => {
    const found = run(
      'SELECT * { ?p :knows ?q . ?q :name ?m . ?p :special :yes . ?p :name ?n FILTER(?n = "name 1000") }',
    );
    expect(found.rows).toBe(1);
    expect(found.steps).toBeLessThan(60);
  });
});

describe('a long query', () => {
  const PRODUCT = 'SELECT (COUNT(*) AS ?n) { ?a <http://e/type> ?x . ?b <http://e/type> ?y . ?c <http://e/type> ?z }';

  async function consume(options: Parameters<StoreDataset['query']>[2], nowMs?: () => number): Promise<void> {
    const timed = await openGraphDataset({ name: 'timed', nowMs });
    await timed.load([[...people()].slice(0, 30_000)], { label: '*' });
    const result = await timed.query(viewer, PRODUCT, options);
    if (result.type !== 'bindings') return;
    for await (const _ of result.solutions);
  }

  it('stops at its time limit', async () => {
    const start = process.cpuUsage();
    const query = consume({ budget: { timeLimitMs: 50 } }, () => performance.now());
    await expect(query).rejects.toMatchObject({ code: 'ERR_TIME_LIMIT', kind: 'timeout' });
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(5000);
  });

  it('stops when it is cancelled while it runs, and lets other events through', async () => {
    const controller = new AbortController();
    let turns = 0;
    const timer = setInterval(() => {
      if (++turns === 5) controller.abort();
    }, 1);
    await expect(consume({ signal: controller.signal }, () => performance.now())).rejects.toMatchObject({
      kind: 'cancelled',
    });
    clearInterval(timer);
    expect(turns).toBeGreaterThanOrEqual(5);
  });
});

import { createViewer, createViewerOfEverything, type Viewer } from '@cairn/security';
import type * as RDF from '@rdfjs/types';
import { describe, expect, it } from 'vitest';
import { openGraphDataset } from '../dataset/open.ts';
import type { GraphDataset, QuadPattern, QueryResult, Solution } from '../graph/port/graph-dataset.ts';
import { parseRdf } from '../rdf/parse.ts';
import { writeQuad, writeTerm } from '../rdf/term-writer.ts';
import { quad } from '../rdf/terms.ts';
import { type ComunicaEvaluation, queryWithComunica } from './query.ts';
import type { SparqlService } from './services.ts';

const everything = createViewerOfEverything();

async function open(...parts: readonly { label: string; trig: string }[]): Promise<GraphDataset> {
  const dataset = await openGraphDataset({ name: 'test' });
  for (const { label, trig } of parts) {
    const additions: { quad: RDF.Quad; label: string }[] = [];
    const text = `PREFIX : <http://e/>\n${trig}`;
    for await (const quad of parseRdf(text, { contentType: 'application/trig' })) additions.push({ quad, label });
    await dataset.apply([{ deletions: [], additions }]);
  }
  return dataset;
}

async function answer(
  dataset: GraphDataset,
  query: string,
  evaluation: ComunicaEvaluation = {},
  viewer: Viewer = everything,
): Promise<unknown> {
  const result = await queryWithComunica(dataset, viewer, `PREFIX : <http://e/>\n${query}`, evaluation);
  return write(result);
}

async function write(result: QueryResult): Promise<unknown> {
  if (result.type === 'boolean') return result.value;
  const lines: string[] = [];
  if (result.type === 'quads') for await (const quad of result.quads) lines.push(writeQuad(quad));
  else for await (const solution of result.solutions) lines.push(writeSolution(solution));
  return lines.map((line) => line.replaceAll('http://e/', '')).sort();
}

function writeSolution(solution: Solution): string {
  return [...solution]
    .map(([name, term]) => `${name}=${writeTerm(term)}`)
    .sort()
    .join(' ');
}

/** Another dataset as a service. */
function serviceOver(dataset: GraphDataset): SparqlService {
  return async (query) => {
    const result = await dataset.query(everything, query);
    const solutions: Solution[] = [];
    if (result.type === 'bindings') for await (const solution of result.solutions) solutions.push(solution);
    return solutions;
  };
}

/** A dataset that tells whenever somebody looks at the text of a subject. */
function watched(dataset: GraphDataset, look: () => void): GraphDataset {
  async function* match(viewer: Viewer, pattern?: QuadPattern): AsyncGenerator<RDF.Quad> {
    for await (const { subject, predicate, object, graph } of dataset.match(viewer, pattern)) {
      const seen = {
        termType: 'NamedNode',
        get value() {
          look();
          return subject.value;
        },
        equals: (other: RDF.Term) => subject.equals(other),
      };
      yield quad(seen as RDF.NamedNode, predicate, object, graph);
    }
  }
  return new Proxy(dataset, {
    get: (target, name) => (name === 'match' ? match : Reflect.get(target, name, target).bind?.(target)),
  });
}

const DATA = { label: '*', trig: ':a :p :b, 1 . :b :p :c . :g { :a :q "x"@en }' };

describe('queryWithComunica', () => {
  it('answers queries of every form', async () => {
    const dataset = await open(DATA);
    expect(await answer(dataset, 'SELECT ?x ?y { ?x :p/:p ?y }')).toEqual(['x=<a> y=<c>']);
    expect(await answer(dataset, 'SELECT ?g ?o { GRAPH ?g { :a ?p ?o } }')).toEqual(['g=<g> o="x"@en']);
    expect(await answer(dataset, 'ASK { :b :p :c }')).toBe(true);
    expect(await answer(dataset, 'CONSTRUCT { ?o :r ?s } WHERE { ?s :p ?o FILTER(isIRI(?o)) }')).toEqual([
      '<b> <r> <a> .',
      '<c> <r> <b> .',
    ]);
    expect(await answer(dataset, 'SELECT (COUNT(*) AS ?n) { ?s ?p ?o }')).toEqual([
      'n="3"^^<http://www.w3.org/2001/XMLSchema#integer>',
    ]);
  });

  it('reads only what the viewer may see', async () => {
    const dataset = await open(DATA, { label: 'secret', trig: ':b :p :hidden . :g { :z :q :z }' });
    const nobody = createViewer({ attributes: {} });
    expect(await answer(dataset, 'SELECT ?o { :b :p ?o }', {}, nobody)).toEqual(['o=<c>']);
    expect(await answer(dataset, 'ASK { GRAPH ?g { :z ?p ?o } }', {}, nobody)).toBe(false);
    expect(await answer(dataset, 'SELECT ?o { :b :p ?o }')).toEqual(['o=<c>', 'o=<hidden>']);
  });

  it('keeps the dataset parameters of the protocol', async () => {
    const dataset = await open(DATA);
    expect(await answer(dataset, 'SELECT ?o { :a ?p ?o }', { defaultGraphs: ['http://e/g'] })).toEqual(['o="x"@en']);
  });

  it('reads more than it holds at once', async () => {
    const many = Array.from({ length: 3000 }, (_, i) => `:s :p ${i} .`).join('\n');
    const dataset = await open({ label: '*', trig: many });
    expect(await answer(dataset, 'SELECT ?o { :s :p ?o }')).toHaveLength(3000);
    await expect(answer(dataset, 'SELECT ?o { :s :p ?o }', { budget: { maxRows: 10 } })).rejects.toMatchObject({
      code: 'ERR_RESULT_ROWS',
    });
    await expect(answer(dataset, 'SELECT * { :s :p ?o }', { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'ERR_CANCELLED',
    });
  });

  it('ends with its signal while a service does not answer', async () => {
    const dataset = await open(DATA);
    const stopping = new AbortController();
    const services = new Map<string, SparqlService>([
      ['http://silent/', () => new Promise(() => setImmediate(() => stopping.abort()))],
    ]);
    for (const silent of ['', 'SILENT']) {
      const query = `SELECT * { SERVICE ${silent} <http://silent/> { ?x ?y ?z } }`;
      await expect(answer(dataset, query, { services, signal: stopping.signal })).rejects.toMatchObject({
        code: 'ERR_CANCELLED',
      });
    }
  });

  it.each([
    'SELECT (COUNT(*) AS ?n) { ?a :p ?b . ?c :p ?d . ?e :p ?f FILTER(STR(?a) != STR(?c)) }',
    'SELECT ?a { ?a :p ?b . ?c :p ?d . ?e :p ?f FILTER(STR(?a) != STR(?c)) } ORDER BY ?a',
    'ASK { ?a :p ?b . ?c :p ?d . ?e :p ?f FILTER(STR(?a) = CONCAT(STR(?c), "x")) }',
  ])('ends with its signal, and works no more: %s', async (query) => {
    const many = Array.from({ length: 300 }, (_, i) => `:s${i} :p ${i} .`).join('\n');
    const dataset = await open({ label: '*', trig: many });
    const stopping = new AbortController();
    let looks = 0;
    const look = (): void => {
      if (++looks === 5000) setImmediate(() => stopping.abort());
    };
    const rejected = expect(answer(watched(dataset, look), query, { signal: stopping.signal })).rejects;
    await rejected.toMatchObject({ code: 'ERR_CANCELLED' });
    const turns = async (): Promise<void> => {
      for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
    };
    await turns();
    const before = looks;
    await turns();
    expect(looks).toBe(before);
    expect(looks).toBeLessThan(1_000_000);
  });

  it('calls services that it was given', async () => {
    const dataset = await open(DATA);
    const other = await open({ label: '*', trig: ':b :name "B"@en . :c :name 5 . :d :name "D" .' });
    const services = new Map([['http://other/sparql', serviceOver(other)]]);
    const query = 'SELECT ?x ?n { :a :p ?x SERVICE <http://other/sparql> { ?x :name ?n } }';
    expect(await answer(dataset, query, { services })).toEqual(['n="B"@en x=<b>']);
    const optional =
      'SELECT ?x ?n { ?s :p ?x OPTIONAL { SERVICE <http://other/sparql> { ?x :name ?n FILTER(isNumeric(?n)) } } }';
    expect(await answer(dataset, optional, { services })).toEqual([
      'n="5"^^<http://www.w3.org/2001/XMLSchema#integer> x=<c>',
      'x="1"^^<http://www.w3.org/2001/XMLSchema#integer>',
      'x=<b>',
    ]);
    const none = 'SELECT ?x { :a :p ?x SERVICE <http://other/sparql> { :none :name ?n } }';
    expect(await answer(dataset, none, { services })).toEqual([]);
    const unit = 'SELECT ?x { :b :p ?x SERVICE <http://other/sparql> { :d :name "D" } }';
    expect(await answer(dataset, unit, { services })).toEqual(['x=<c>']);
  });

  it('refuses services that it was not given, quietly where the query says SILENT', async () => {
    const dataset = await open(DATA);
    const query = (silent: string): string => `SELECT ?x { :b :p ?x SERVICE ${silent} <http://evil/> { ?x ?y ?z } }`;
    await expect(answer(dataset, query(''))).rejects.toMatchObject({ code: 'ERR_SERVICE_REFUSED', kind: 'denied' });
    expect(await answer(dataset, query('SILENT'))).toEqual(['x=<c>']);
    await expect(answer(dataset, 'SELECT * { SERVICE ?s { ?x ?y ?z } }')).rejects.toMatchObject({
      code: 'ERR_SERVICE_REFUSED',
    });
  });

  it('refuses updates and broken texts', async () => {
    const dataset = await open(DATA);
    await expect(answer(dataset, 'INSERT DATA { :a :b :c }')).rejects.toMatchObject({ code: 'ERR_SPARQL_SYNTAX' });
    await expect(answer(dataset, 'SELECT')).rejects.toMatchObject({ code: 'ERR_SPARQL_SYNTAX' });
  });
});

import { isCodedError } from '@cairn/errors';
import { casesOf } from '@cairn/errors/conformance';
import type { Evaluation, GraphDataset, LabelledQuad, QuadPattern } from '../graph/port/graph-dataset.ts';
import { defaultGraph, namedNode, quad, stringLiteral, typedLiteral } from '../rdf/terms.ts';
import { xsd } from '../rdf/vocabulary.ts';
import {
  adding,
  ensureEqual,
  type GraphDatasetCase,
  type GraphDatasetHarness,
  LOW,
  linesOf,
  matchedLines,
  showChange,
} from './assertions.ts';

const PREFIX = 'PREFIX : <http://e/>\n';
const iri = (name: string) => namedNode(`http://e/${name}`);
const number = (value: number) => typedLiteral(String(value), xsd.integer);
const GRAPHS = [defaultGraph(), iri('g'), iri('h')];

/** In each graph what the viewer sees and what is hidden from them; all of one graph is hidden. */
const VISIBLE: readonly LabelledQuad[] = GRAPHS.flatMap((graph, i) =>
  [
    quad(iri('a'), iri('p'), number(i), graph),
    quad(iri('a'), iri('q'), iri('b'), graph),
    quad(iri('b'), iri('q'), iri('c'), graph),
  ].map((one) => ({ quad: one, label: 'clearance=O' })),
);
const HIDDEN: readonly LabelledQuad[] = [...GRAPHS, iri('buried')].flatMap((graph) =>
  [
    quad(iri('a'), iri('p'), number(7), graph),
    quad(iri('a'), iri('p'), stringLiteral('buried'), graph),
    quad(iri('c'), iri('q'), iri('buried'), graph),
    quad(iri('b'), iri('r'), iri('a'), graph),
    quad(iri('a'), iri('q'), iri('b'), graph),
  ].map((one) => ({ quad: one, label: 'clearance=S' })),
);

/** A group for each operation of the algebra: the bodies of the queries of every form. */
const GROUPS: readonly string[] = [
  '?s ?p ?o',
  '?s :p ?o . ?s ?p ?x',
  '{ ?s :p ?o } UNION { ?s :r ?o }',
  '?s :p ?o OPTIONAL { ?s :r ?x }',
  '?s ?p ?o MINUS { ?s :r ?x }',
  '?s ?p ?o FILTER (isLiteral(?o))',
  '?s ?p ?o FILTER NOT EXISTS { ?s :r ?x }',
  '?s ?p ?o FILTER EXISTS { ?s :r ?x }',
  '?s :p ?o BIND (STR(?o) AS ?x)',
  'VALUES ?s { :a :b :c } ?s ?p ?o',
  '?s ?p ?o { SELECT ?s (COUNT(*) AS ?x) { ?s ?p ?y } GROUP BY ?s }',
  'GRAPH ?g { ?s ?p ?o }',
  'GRAPH :h { ?s ?p ?o }',
  'GRAPH :buried { ?s ?p ?o }',
  '?s :q/:q ?o',
  '?s :q+ ?o',
  '?s :q* ?o',
  '?s :r? ?o',
  '?s ^:r ?o',
  '?s (:p|:r) ?o',
  '?s !(:q) ?o',
  '?s :p "buried" . ?s ?p ?o',
];

/** Every form of query, with the modifiers of solutions, around a dataset clause and a group. */
const FORMS: readonly ((dataset: string, group: string) => string)[] = [
  (dataset, group) => `SELECT * ${dataset} WHERE { ${group} }`,
  (dataset, group) => `SELECT DISTINCT ?s ${dataset} WHERE { ${group} } ORDER BY ?s`,
  (dataset, group) => `SELECT REDUCED ?s ${dataset} WHERE { ${group} } ORDER BY DESC(STR(?o)) LIMIT 3 OFFSET 1`,
  (dataset, group) => `SELECT (COUNT(*) AS ?n) (MAX(STR(?o)) AS ?most) ${dataset} WHERE { ${group} }`,
  (dataset, group) => `SELECT ?s (COUNT(*) AS ?n) ${dataset} WHERE { ${group} } GROUP BY ?s HAVING (COUNT(*) > 1)`,
  (dataset, group) => `ASK ${dataset} WHERE { ${group} }`,
  (dataset, group) => `CONSTRUCT { ?s :made ?o } ${dataset} WHERE { ${group} }`,
  (dataset, group) => `DESCRIBE ?s ${dataset} WHERE { ${group} }`,
];

const DATASETS: readonly string[] = ['', 'FROM :g', 'FROM :g FROM :buried', 'FROM NAMED :h FROM NAMED :buried'];

const EVALUATIONS: readonly Evaluation[] = [
  {},
  { defaultGraphs: ['http://e/g', 'http://e/buried'] },
  { namedGraphs: ['http://e/h', 'http://e/buried'] },
  { baseIri: 'http://e/', nowMs: 1, signal: new AbortController().signal, budget: { timeLimitMs: 600_000 } },
  { budget: { maxRows: 4 }, nextTurn: () => Promise.resolve(), random: () => 0.5 },
];

/** Queries that ask for hidden data itself, and some that fail. */
const OTHERS: readonly string[] = [
  'ASK { ?s ?p "buried" }',
  'ASK { ?s :r ?o }',
  'ASK { GRAPH :buried { ?s ?p ?o } }',
  'DESCRIBE :buried',
  'DESCRIBE :a :b',
  'SELECT ?x { BIND (EXISTS { ?s :r ?o } AS ?x) }',
  'SELEKT',
  'SELECT ?x { ?x }',
  'SELECT * { SERVICE <http://e/> { ?s ?p ?o } }',
  'SELECT * { ?s ?p ?o . ?t ?q ?u . ?v ?w ?x . ?y ?z ?a }',
  'CLEAR ALL',
];

const UPDATES: readonly string[] = [
  'INSERT DATA { :a :p 7 . :c :q :buried GRAPH :buried { :a :p 7 } }',
  'DELETE DATA { :a :p 7 . :a :q :b GRAPH :buried { :a :p 7 } }',
  ...GROUPS.map((group) => `INSERT { :seen :by ?s } WHERE { ${group} }`),
  ...GROUPS.map((group) => `DELETE { ?s ?p ?o } WHERE { ${group} }`),
  'WITH :g DELETE { ?s ?p ?o } INSERT { ?s :moved ?o } WHERE { ?s ?p ?o }',
  'INSERT { ?s :used ?o } USING :g USING :buried WHERE { ?s ?p ?o }',
  'INSERT { ?s :used ?o } USING NAMED :buried WHERE { GRAPH ?g { ?s ?p ?o } }',
  'DELETE WHERE { GRAPH ?g { ?s ?p ?o } }',
  ...['CLEAR', 'DROP'].flatMap((word) =>
    ['DEFAULT', 'NAMED', 'ALL', 'GRAPH :g', 'GRAPH :buried'].map((graphs) => `${word} ${graphs}`),
  ),
  ...['COPY', 'MOVE', 'ADD'].flatMap((word) =>
    ['DEFAULT TO :n', ':g TO :n', ':g TO DEFAULT', ':g TO :buried', ':buried TO :n', ':h TO :g'].map(
      (graphs) => `${word} ${graphs}`,
    ),
  ),
  'CREATE GRAPH :g',
  'CREATE GRAPH :buried',
  'CREATE GRAPH :n ; COPY :buried TO :n ; ADD :g TO :n',
  'LOAD <http://e/>',
  'INSERT DATA { ?x :p 1 }',
];

/** Each pattern with and without each of its terms. */
const PATTERNS: readonly QuadPattern[] = [undefined, iri('a'), iri('c'), iri('none')].flatMap((subject) =>
  [undefined, iri('p'), iri('r')].flatMap((predicate) =>
    [undefined, number(7), iri('b'), iri('buried'), stringLiteral('buried')].flatMap((object) =>
      [undefined, ...GRAPHS, iri('buried')].map((graph) => ({ subject, predicate, object, graph })),
    ),
  ),
);

type Ask = (dataset: GraphDataset) => Promise<unknown>;

/** An answer, or the error instead of it: its message too is an answer. */
async function answerOf(ask: Ask, dataset: GraphDataset): Promise<string> {
  try {
    return JSON.stringify(await ask(dataset));
  } catch (error) {
    if (!isCodedError(error)) throw error;
    return JSON.stringify([error.code, error.kind, error.message]);
  }
}

/** Datasets with everything, and with what the viewer sees. */
async function openBoth({ open }: GraphDatasetHarness): Promise<readonly [full: GraphDataset, visible: GraphDataset]> {
  const [full, visible] = [await open(), await open()];
  await full.apply([adding(...HIDDEN, ...VISIBLE)]);
  await visible.apply([adding(...VISIBLE)]);
  return [full, visible];
}

async function compare(harness: GraphDatasetHarness, asks: Iterable<readonly [string, Ask]>): Promise<void> {
  const [full, visible] = await openBoth(harness);
  for (const [what, ask] of asks) ensureEqual(await answerOf(ask, full), await answerOf(ask, visible), what);
}

const asking =
  (text: string, evaluation: Evaluation): Ask =>
  async (dataset) =>
    linesOf(await dataset.query(LOW, PREFIX + text, evaluation));

function* queriesOf(): Generator<readonly [string, Ask]> {
  for (const group of GROUPS) {
    for (const form of FORMS) {
      for (const clause of DATASETS) yield [form(clause, group), asking(form(clause, group), {})];
      // Other forms differ in how a solution is shown, not in what they read.
      const some = FORMS.indexOf(form) % 3 === 0 ? EVALUATIONS : [];
      for (const [i, evaluation] of some.entries()) {
        yield [`${form('', group)} (evaluation ${i})`, asking(form('', group), evaluation)];
      }
    }
  }
  for (const text of OTHERS) for (const evaluation of EVALUATIONS) yield [text, asking(text, evaluation)];
}

function* patternsOf(): Generator<readonly [string, Ask]> {
  for (const pattern of PATTERNS) {
    const what = JSON.stringify(pattern);
    yield [`count of ${what}`, (dataset) => dataset.count(LOW, pattern)];
    yield [`match of ${what}`, (dataset) => matchedLines(dataset, LOW, pattern)];
  }
}

function* updatesOf(): Generator<readonly [string, Ask]> {
  for (const text of UPDATES) {
    for (const [i, evaluation] of EVALUATIONS.entries()) {
      for (const label of i === 0 ? ['*', 'clearance=O'] : ['*']) {
        yield [
          `${text} (evaluation ${i}, label ${label})`,
          async (dataset) => showChange(await dataset.evaluateUpdate(LOW, PREFIX + text, { ...evaluation, label })),
        ];
      }
    }
  }
}

/** The law that an answer over all quads is the answer over the visible ones, for every kind of request. */
export const visibleOnlyCases: readonly GraphDatasetCase[] = casesOf('non-interference', {
  'every form of query, over every operation of the algebra and every dataset, answers from visible quads only': (
    harness,
  ) => compare(harness, queriesOf()),
  'match and count of every pattern answer from visible quads only': (harness) => compare(harness, patternsOf()),
  'every operation of an update changes what it would if hidden quads had never been stored': (harness) =>
    compare(harness, updatesOf()),
});

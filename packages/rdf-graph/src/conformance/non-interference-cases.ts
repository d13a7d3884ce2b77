import { casesOf } from '@cairn/errors/conformance';
import type { ChangeSet, GraphDataset, LabelledQuad } from '../graph/port/graph-dataset.ts';
import {
  adding,
  answer,
  ensureEqual,
  ensureRefused,
  type GraphDatasetCase,
  type GraphDatasetHarness,
  LOW,
  linesOf,
  row,
  showChange,
} from './assertions.ts';

const VISIBLE: readonly LabelledQuad[] = [
  row('a', 'p', 1, 'clearance=O'),
  row('a', 'q', 2, 'clearance=O'),
  row('b', 'p', 3, '*'),
];
const HIDDEN: readonly LabelledQuad[] = [
  row('a', 'p', 1, 'clearance=S'),
  row('a', 'p', 9, 'clearance=S'),
  row('c', 'p', 1, 'clearance=S'),
  row('c', 'q', 7, 'clearance=TS'),
  row('b', 'r', 4, 'clearance=S'),
];

const QUERIES: readonly string[] = [
  'SELECT * { ?s ?p ?o }',
  'SELECT (COUNT(*) AS ?n) { ?s ?p ?o }',
  'SELECT (COUNT(DISTINCT ?s) AS ?n) { ?s ?p ?o }',
  'SELECT ?p (COUNT(*) AS ?n) (MAX(?o) AS ?m) { ?s ?p ?o } GROUP BY ?p',
  'SELECT (SUM(?o) AS ?sum) (AVG(?o) AS ?avg) (MIN(?o) AS ?min) { ?s :p ?o }',
  'SELECT DISTINCT ?p { ?s ?p ?o }',
  'SELECT DISTINCT ?s { ?s :p ?o }',
  'ASK { :c ?p ?o }',
  'ASK { ?s :r ?o }',
  'SELECT ?s { ?s :p ?o MINUS { ?s :r ?x } }',
  'SELECT ?s { ?s :p ?o FILTER NOT EXISTS { ?s :r ?x } }',
  'SELECT ?s ?x { ?s :p ?o OPTIONAL { ?s :q ?x } }',
  'SELECT ?s ?t { ?s :p ?o . ?t :p ?o }',
  'SELECT ?o { :a :p|:q ?o }',
  'SELECT ?x { :b (:p|:r)* ?x }',
  'SELECT ?x { ?x !:q ?y }',
  'SELECT ?s ?o { ?s :p ?o } ORDER BY DESC(?o) LIMIT 2',
  'DESCRIBE :a',
  'CONSTRUCT { ?s :x ?o } { ?s ?p ?o }',
  'SELECT ?g { GRAPH ?g { ?s ?p ?o } }',
];

/** A dataset with hidden quads, and one in which they were never stored. */
async function openBoth({ open }: GraphDatasetHarness): Promise<[GraphDataset, GraphDataset]> {
  const [full, visible] = [await open(), await open()];
  await full.apply([adding(...HIDDEN.slice(0, 2)), adding(...VISIBLE), adding(...HIDDEN.slice(2))]);
  await visible.apply([adding(...VISIBLE)]);
  return [full, visible];
}

const UPDATES: readonly (readonly [text: string, label: string])[] = [
  ['INSERT DATA { :a :p 9 . :c :p 1 . :n :p 5 }', 'clearance=O'],
  ['INSERT DATA { :a :p 9 . :c :p 1 . :a :p 1 }', 'clearance=S'],
  ['DELETE WHERE { ?s ?p ?o }', 'clearance=O'],
  ['DELETE DATA { :a :p 9 . :a :p 1 }', 'clearance=S'],
  ['DELETE { ?s :p ?o } INSERT { ?s :moved ?o } WHERE { ?s :p ?o } ; CREATE GRAPH :g', 'clearance=O'],
  ['DROP ALL ; INSERT DATA { :c :q 7 }', 'clearance=TS'],
];

/** The law that hidden quads change nothing. */
export const nonInterferenceCases: readonly GraphDatasetCase[] = casesOf('non-interference', {
  'an answer is what it would be if hidden quads had never been stored': async (harness) => {
    const [full, visible] = await openBoth(harness);
    for (const query of QUERIES) ensureEqual(await answer(full, LOW, query), await answer(visible, LOW, query), query);
    ensureEqual(await full.count(LOW), await visible.count(LOW), 'count');
  },

  'an update changes what it would change if hidden quads had never been stored': async (harness) => {
    for (const [text, label] of UPDATES) {
      const [full, visible] = await openBoth(harness);
      const changes = await Promise.all(
        [full, visible].map((dataset) => dataset.evaluateUpdate(LOW, `PREFIX : <http://e/> ${text}`, { label })),
      );
      ensureEqual(showChange(changes[0]), showChange(changes[1]), text);
      await full.apply([changes[0]]);
      await visible.apply([changes[1]]);
      ensureEqual(await answer(full, LOW, QUERIES[0]), await answer(visible, LOW, QUERIES[0]), `after ${text}`);
    }
  },

  'prefixes are those that would be there if what came under hidden labels never had': async ({ open }) => {
    const given = (prefix: string, iri: string | undefined, label: string | undefined): ChangeSet => ({
      deletions: [],
      additions: [],
      prefixes: [{ prefix, iri, label }],
    });
    const hidden = [given('a', 'http://s/', 'clearance=S'), given('s', 'http://e/', 'clearance=S')];
    const visible = [given('b', 'http://b/', '*'), given('a', 'http://a/', 'clearance=O')];
    const dataset = await open();
    await dataset.apply([hidden[1], visible[0], hidden[0], visible[1], ...hidden]);
    const expected = Object.entries({ b: 'http://b/', a: 'http://a/' });
    ensureEqual(Object.entries(await dataset.prefixes(LOW)), expected, 'prefixes');
    await dataset.apply([given('a', undefined, 'clearance=S'), given('b', undefined, undefined)]);
    ensureEqual(Object.entries(await dataset.prefixes(LOW)), [['a', 'http://a/']], 'prefixes that are left');
  },

  'a row budget counts visible rows only': async (harness) => {
    const [full] = await openBoth(harness);
    const query = (maxRows: number) => async () => linesOf(await full.query(LOW, QUERIES[0], { budget: { maxRows } }));
    ensureEqual((await query(3)()).length, 3, 'three visible rows of three');
    await ensureRefused(query(2), 'ERR_RESULT_ROWS', 'three visible rows of two');
  },
});

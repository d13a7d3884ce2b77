import { casesOf, rereadingFaults } from '@cairn/errors/conformance';
import type { GraphDataset } from '../graph/port/graph-dataset.ts';
import { writeQuad } from '../rdf/term-writer.ts';
import { blankNode, defaultGraph, languageLiteral, namedNode, quad, typedLiteral } from '../rdf/terms.ts';
import { xsd } from '../rdf/vocabulary.ts';
import {
  adding,
  answer,
  contentOf,
  deleting,
  EVERYTHING,
  ensureEqual,
  ensureRefused,
  type GraphDatasetCase,
  type GraphDatasetHarness,
  HIGH,
  LOW,
  linesOf,
  matchedLines,
  NOTHING,
  row,
  streamOf,
  update,
} from './assertions.ts';

const ALL = 'SELECT ?s ?o { ?s ?p ?o }';

type DatasetLaw = (dataset: GraphDataset, harness: GraphDatasetHarness) => Promise<void>;

/** Laws that begin with an empty dataset. */
function lawsOf(laws: Readonly<Record<string, DatasetLaw>>): readonly GraphDatasetCase[] {
  const bodies = Object.entries(laws).map(
    ([name, law]) => [name, async (harness: GraphDatasetHarness) => law(await harness.open(), harness)] as const,
  );
  return casesOf('core', Object.fromEntries(bodies));
}

/** Laws of every implementation. */
export const coreCases: readonly GraphDatasetCase[] = lawsOf({
  'what was applied is visible to the next call': async (dataset) => {
    await dataset.apply([adding(row('a', 'p', 1, '*'))], { knowledge: '1' });
    ensureEqual(await answer(dataset, EVERYTHING, ALL), ['http://e/a 1'], 'after an addition');
    ensureEqual(dataset.positions(), { knowledge: '1' }, 'positions');
    Reflect.set(dataset.positions(), 'knowledge', '999');
    ensureEqual(dataset.positions(), { knowledge: '1' }, 'positions, when a caller writes into what it was given');
    await dataset.apply([deleting(row('a', 'p', 1, '*'))], { ontology: '5' });
    ensureEqual(await answer(dataset, EVERYTHING, ALL), [], 'after a deletion');
    ensureEqual(dataset.positions(), { knowledge: '1', ontology: '5' }, 'positions of two topics');
  },

  'a change set applied twice changes nothing the second time': async (dataset) => {
    await dataset.apply([adding(row('a', 'p', 1, '*'), row('b', 'p', 2, '*'))]);
    const change = { deletions: [row('a', 'p', 1, '*')], additions: [row('c', 'p', 3, 'clearance=S')] };
    await dataset.apply([change]);
    const once = await contentOf(dataset);
    await dataset.apply([change]);
    ensureEqual(await contentOf(dataset), once, 'content after the second time');
    ensureEqual(await dataset.count(EVERYTHING), 2, 'count');
  },

  'deletions of a change set come before its additions, and change sets in order': async (dataset) => {
    const one = row('a', 'p', 1, '*');
    await dataset.apply([
      { deletions: [one], additions: [one] },
      deleting(row('x', 'p', 1, '*')),
      adding(row('b', 'p', 2, '*')),
    ]);
    await dataset.apply([adding(row('c', 'p', 3, '*')), deleting(row('c', 'p', 3, '*'))]);
    ensureEqual(await answer(dataset, EVERYTHING, ALL), ['http://e/a 1', 'http://e/b 2'], 'content');
  },

  'a running query goes on over the state in which it began': async (dataset) => {
    const rows = Array.from({ length: 50 }, (_, i) => row(`s${i}`, 'p', i, '*'));
    await dataset.apply([adding(...rows)]);
    const result = await dataset.query(EVERYTHING, ALL);
    await dataset.apply([deleting(...rows), adding(row('new', 'p', 1, '*'))]);
    ensureEqual((await linesOf(result)).length, 50, 'rows of the running query');
  },

  'a quad is visible when one of its labels permits, and it is one quad': async (dataset) => {
    await dataset.apply([
      adding(row('a', 'p', 1, 'clearance=O'), row('a', 'p', 1, 'clearance=S'), row('a', 'p', 2, 'clearance=S')),
    ]);
    ensureEqual(await answer(dataset, LOW, ALL), ['http://e/a 1'], 'low');
    ensureEqual(await answer(dataset, HIGH, ALL), ['http://e/a 1', 'http://e/a 2'], 'high');
    ensureEqual(await answer(dataset, NOTHING, ALL), [], 'nobody');
    ensureEqual(await dataset.count(EVERYTHING), 2, 'count of everything');
    const labels = (await contentOf(dataset)).map((line) => line.split(' ', 1)[0]);
    ensureEqual(labels, ['clearance=O', 'clearance=S', 'clearance=S'], 'labels of what is stored');
  },

  'adding a quad under one more label takes nothing from anyone': async (dataset) => {
    await dataset.apply([adding(row('a', 'p', 1, 'clearance=S'))]);
    await update(dataset, LOW, 'INSERT DATA { :a :p 1 }', 'clearance=O');
    ensureEqual(await answer(dataset, HIGH, ALL), ['http://e/a 1'], 'high');
    ensureEqual(await answer(dataset, LOW, ALL), ['http://e/a 1'], 'low');
  },

  'a deletion without a label removes a quad under every label': async (dataset) => {
    await dataset.apply([adding(row('a', 'p', 1, 'clearance=O'), row('a', 'p', 1, 'clearance=S'))]);
    await dataset.apply([deleting({ ...row('a', 'p', 1, ''), label: undefined })]);
    ensureEqual(await contentOf(dataset), [], 'content');
  },

  'an update neither matches nor deletes what its viewer may not see': async (dataset) => {
    await dataset.apply([
      adding(row('a', 'p', 1, 'clearance=S'), row('b', 'p', 2, 'clearance=O'), row('b', 'p', 2, 'clearance=S')),
    ]);
    const text = 'DELETE { ?s ?p ?o } INSERT { ?s :seen ?o } WHERE { ?s ?p ?o }';
    const { deletions } = await update(dataset, LOW, text, 'clearance=O');
    const labels = deletions.map(({ label }) => label);
    ensureEqual(labels, ['clearance=O'], 'labels of the deletions');
    ensureEqual(await answer(dataset, HIGH, ALL), ['http://e/a 1', 'http://e/b 2'], 'high');
    ensureEqual(await answer(dataset, LOW, 'SELECT ?s ?p ?o { ?s ?p ?o }'), ['http://e/b http://e/seen 2'], 'low');
    await update(dataset, LOW, 'CLEAR ALL', 'clearance=O');
    ensureEqual(await answer(dataset, HIGH, ALL), ['http://e/a 1', 'http://e/b 2'], 'high after CLEAR ALL');
  },

  'evaluating an update changes nothing, and leaves out what would change nothing': async (dataset) => {
    await dataset.apply([adding(row('a', 'p', 1, '*'))]);
    const text =
      'PREFIX : <http://e/> INSERT DATA { :a :p 1 . :b :p 2 } ; DELETE DATA { :c :p 3 } ; DELETE DATA { :b :p 2 }';
    ensureEqual(await dataset.evaluateUpdate(LOW, text, { label: '*' }), { deletions: [], additions: [] }, 'change');
    ensureEqual(await dataset.count(EVERYTHING), 1, 'count');
  },

  'the operations of an update see what the earlier ones did': async (dataset) => {
    const text = 'INSERT DATA { :a :p 1 } ; INSERT { ?s :q 2 } WHERE { ?s :p 1 } ; DELETE WHERE { ?s :p ?o }';
    const change = await update(dataset, LOW, text);
    ensureEqual([change.deletions.length, change.additions.length], [0, 1], 'deletions and additions');
    ensureEqual(await answer(dataset, LOW, ALL), ['http://e/a 2'], 'content');
  },

  'terms come back as they were written': async (dataset) => {
    const subject = namedNode('http://e/a');
    const objects = [
      typedLiteral('007', xsd.integer),
      typedLiteral('7', xsd.integer),
      typedLiteral('1.50', xsd.decimal),
      languageLiteral('Straße', 'de'),
      typedLiteral('\u0000 "\\\n', xsd.string),
      namedNode('http://e/ü'),
      quad(subject, subject, typedLiteral('1', xsd.integer)),
    ];
    const quads = objects.map((object) => quad(subject, namedNode('http://e/p'), object));
    quads.push(quad(blankNode('x1'), subject, subject, namedNode('http://e/g')));
    await dataset.apply([adding(...quads.map((one) => ({ quad: one, label: '*' })))]);
    ensureEqual(await matchedLines(dataset, LOW), quads.map(writeQuad).sort(), 'quads');
  },

  'match and count take any position as a pattern': async (dataset) => {
    const graph = namedNode('http://e/g');
    const [a, p, b] = ['a', 'p', 'b'].map((name) => namedNode(`http://e/${name}`));
    const inGraph = { quad: quad(a, p, b, graph), label: '*' };
    const others = [row('a', 'p', 1, '*'), row('a', 'q', 1, '*'), row('b', 'p', 1, 'clearance=S')];
    await dataset.apply([adding(...others, inGraph)]);
    const object = namedNode('http://e/none');
    const ofA = { subject: a };
    const patterns = [{}, ofA, { graph }, { graph: defaultGraph() }, { ...ofA, predicate: p }, { object }];
    const counts = await Promise.all(patterns.map((pattern) => dataset.count(LOW, pattern)));
    ensureEqual(counts, [3, 3, 1, 2, 2, 0], 'counts');
    let matched = 0;
    for await (const one of dataset.match(LOW, { subject: a })) matched += one.subject.equals(a) ? 1 : 10;
    ensureEqual(matched, 3, 'matched');
  },

  'named graphs are read by name, by variable and as the default graph': async (dataset) => {
    await update(dataset, LOW, 'INSERT DATA { :a :p 0 GRAPH :g { :a :p 1 } GRAPH :h { :a :p 1, 2 } }');
    ensureEqual(await answer(dataset, LOW, 'SELECT ?o { ?s ?p ?o }'), ['0'], 'default graph');
    ensureEqual(await answer(dataset, LOW, 'SELECT ?o { GRAPH :h { ?s ?p ?o } }'), ['1', '2'], 'by name');
    ensureEqual(
      await answer(dataset, LOW, 'SELECT ?g ?o { GRAPH ?g { ?s ?p ?o } }'),
      ['http://e/g 1', 'http://e/h 1', 'http://e/h 2'],
      'by variable',
    );
    ensureEqual(await answer(dataset, LOW, 'SELECT ?o FROM :g FROM :h { ?s ?p ?o }'), ['1', '2'], 'merged');
    const graphs = { defaultGraphs: ['http://e/g'] };
    const result = await dataset.query(LOW, 'SELECT ?o FROM <http://e/h> { ?s ?p ?o }', graphs);
    ensureEqual(await linesOf(result), ['1'], 'by the protocol');
  },

  'a syntax error carries its position and a query form has its own call': async (dataset) => {
    await ensureRefused(() => dataset.query(LOW, 'SELECT ?x { ?x }'), 'ERR_SPARQL_SYNTAX', 'a bad query');
    await ensureRefused(() => dataset.query(LOW, 'CLEAR ALL'), 'ERR_SPARQL_SYNTAX', 'an update as a query');
    const query = () => dataset.evaluateUpdate(LOW, 'ASK {}', { label: '*' });
    await ensureRefused(query, 'ERR_SPARQL_SYNTAX', 'a query as an update');
  },

  'a query stops when it is cancelled, and at its row budget': async (dataset) => {
    await dataset.apply([adding(...Array.from({ length: 30 }, (_, i) => row(`s${i}`, 'p', i, '*')))]);
    const cancelled = async () => linesOf(await dataset.query(LOW, ALL, { signal: AbortSignal.abort() }));
    await ensureRefused(cancelled, 'ERR_CANCELLED', 'a cancelled query');
    const tooMany = async () => linesOf(await dataset.query(LOW, ALL, { budget: { maxRows: 29 } }));
    await ensureRefused(tooMany, 'ERR_RESULT_ROWS', '30 rows of 29');
    const enough = await linesOf(await dataset.query(LOW, ALL, { budget: { maxRows: 30 } }));
    ensureEqual(enough.length, 30, '30 rows of 30');
  },

  'SERVICE and LOAD are refused': async (dataset) => {
    const service = 'SELECT * { SERVICE <http://e/> { ?s ?p ?o } }';
    await ensureRefused(async () => linesOf(await dataset.query(LOW, service)), 'ERR_SERVICE_REFUSED', 'SERVICE');
    const load = () => dataset.evaluateUpdate(LOW, 'LOAD <http://e/>', { label: '*' });
    await ensureRefused(load, 'ERR_LOAD_REFUSED', 'LOAD');
  },

  'a batch with a bad change set leaves nothing': async (dataset) => {
    const batch = [adding(row('a', 'p', 1, '*')), adding({ ...row('b', 'p', 1, '*'), label: undefined })];
    await ensureRefused(() => dataset.apply(batch, { knowledge: '1' }), 'ERR_ARGUMENT', 'an addition without a label');
    ensureEqual([await contentOf(dataset), dataset.positions()], [[], {}], 'what was kept');
  },

  'matchLabelled takes any position as a pattern': async (dataset) => {
    const [g, h] = ['g', 'h'].map((name) => namedNode(`http://e/${name}`));
    const { subject, predicate, object } = row('a', 'p', 1, '*').quad;
    const inGraph = (graph: typeof g, label: string) => ({ quad: quad(subject, predicate, object, graph), label });
    await dataset.apply([adding(row('a', 'p', 1, '*'), inGraph(g, '*'), inGraph(g, 'clearance=S'), inGraph(h, '*'))]);
    const counts: number[] = [];
    const patterns = [{ graph: g }, { graph: defaultGraph() }, { subject }, { subject, graph: h }, { predicate: g }];
    for (const pattern of patterns) {
      let count = 0;
      for await (const _ of dataset.matchLabelled(pattern)) count += 1;
      counts.push(count);
    }
    ensureEqual(counts, [2, 1, 4, 1, 0], 'counts');
  },

  'an evaluation takes its datasets, its base and its time from its options': async (dataset) => {
    await update(dataset, LOW, 'INSERT DATA { GRAPH :g { :a :p 1 } GRAPH :h { :a :p 2 } }');
    const text = 'SELECT ?o { GRAPH ?g { ?s ?p ?o } }';
    const named = await dataset.query(LOW, text, { namedGraphs: ['http://e/h'] });
    ensureEqual(await linesOf(named), ['2'], 'named graphs');
    const base = await dataset.query(LOW, 'SELECT (<x> AS ?x) {}', { baseIri: 'http://e/base/' });
    ensureEqual(await linesOf(base), ['http://e/base/x'], 'base');
    const now = await dataset.query(LOW, 'SELECT (YEAR(NOW()) AS ?year) {}', { nowMs: Date.UTC(2031, 1) });
    ensureEqual(await linesOf(now), ['2031'], 'now');
  },

  'an answer that is read again never gives less': async (dataset) => {
    await dataset.apply([adding(row('a', 'p', 1, '*'), row('b', 'p', 2, '*'))]);
    const answers: Readonly<Record<string, () => AsyncIterable<unknown> | Promise<AsyncIterable<unknown>>>> = {
      match: () => dataset.match(LOW),
      matchLabelled: () => dataset.matchLabelled(),
      SELECT: async () => streamOf(await dataset.query(LOW, ALL)),
      CONSTRUCT: async () => streamOf(await dataset.query(LOW, 'CONSTRUCT WHERE { ?s ?p ?o }')),
      DESCRIBE: async () => streamOf(await dataset.query(LOW, 'DESCRIBE ?s { ?s ?p ?o }')),
    };
    for (const [name, open] of Object.entries(answers)) ensureEqual(await rereadingFaults(open), [], name);
  },

  'a time limit ends a query, and a signal an update': async (dataset) => {
    await dataset.apply([adding(...Array.from({ length: 100 }, (_, i) => row(`s${i}`, 'p', i, '*')))]);
    // A million rows take no engine less than a millisecond.
    const text = 'SELECT (COUNT(*) AS ?n) { ?a ?p ?x . ?b ?q ?y . ?c ?r ?z FILTER (?x + ?y < ?z) }';
    const slow = async () => linesOf(await dataset.query(LOW, text, { budget: { timeLimitMs: 1 } }));
    await ensureRefused(slow, 'ERR_TIME_LIMIT', 'a query of a million rows');
    const evaluation = { label: '*', signal: AbortSignal.abort() };
    const cancelled = () => dataset.evaluateUpdate(LOW, 'DELETE WHERE { ?s ?p ?o }', evaluation);
    await ensureRefused(cancelled, 'ERR_CANCELLED', 'a cancelled update');
  },

  'every call after close is refused, and a second close is none': async (dataset) => {
    await dataset.close();
    const calls: Readonly<Record<string, () => Promise<unknown>>> = {
      query: async () => linesOf(await dataset.query(LOW, ALL)),
      evaluateUpdate: () => dataset.evaluateUpdate(LOW, 'CLEAR ALL', { label: '*' }),
      apply: () => dataset.apply([adding(row('a', 'p', 1, '*'))]),
      count: () => dataset.count(LOW),
      match: async () => dataset.match(LOW)[Symbol.asyncIterator]().next(),
      matchLabelled: () => contentOf(dataset),
      flush: () => dataset.flush(),
    };
    for (const [name, call] of Object.entries(calls)) await ensureRefused(call, 'ERR_DATASET_CLOSED', name);
    await dataset.close();
  },

  'what was flushed is there after reopening': async (dataset, { reopen }) => {
    if (reopen === undefined) return;
    await dataset.apply([adding(row('a', 'p', 1, 'clearance=S'), row('a', 'p', 1, '*'))], { knowledge: '3' });
    await dataset.apply([{ deletions: [], additions: [], prefixes: [{ prefix: 'e', iri: 'http://e/', label: '*' }] }]);
    const before = await contentOf(dataset);
    const reopened = await reopen(dataset);
    ensureEqual(await contentOf(reopened), before, 'content');
    ensureEqual(reopened.positions(), { knowledge: '3' }, 'positions');
    ensureEqual(await reopened.prefixes(LOW), { e: 'http://e/' }, 'prefixes');
  },
});

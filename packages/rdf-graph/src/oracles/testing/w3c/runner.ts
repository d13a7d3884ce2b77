import { readFileSync } from 'node:fs';
import { isCodedError } from '@cairn/errors';
import { createViewerOfEverything } from '@cairn/security';
import type * as RDF from '@rdfjs/types';
import { openGraphDataset } from '../../../dataset/open.ts';
import type { GraphDataset, QueryResult, Solution } from '../../../graph/port/graph-dataset.ts';
import { writeQuad } from '../../../rdf/term-writer.ts';
import { blankNode, namedNode, quad } from '../../../rdf/terms.ts';
import { parseCsvResult } from '../../../sparql/results/testing/read.ts';
import { writeResult } from '../../../sparql/results/write.ts';
import { collect, sameQuads, sameSolutions, writeSolutions } from '../compare.ts';
import { readGraph } from './graph.ts';
import { type GraphFile, SUITE_IRI, type SuiteTest } from './manifest.ts';
import { readResult } from './results.ts';

export interface SuiteEngine {
  load(quads: readonly RDF.Quad[]): Promise<void>;
  query(text: string, baseIri: string): Promise<QueryResult>;
  update(text: string, baseIri: string): Promise<void>;
  quads(): Promise<RDF.Quad[]>;
}

const LABEL = '*';
const NOW_MS = Date.UTC(2026, 0, 2, 3, 4, 5);

/** Our engine, with everything visible. */
export async function createEngine(): Promise<SuiteEngine> {
  const dataset: GraphDataset = await openGraphDataset({ name: 'w3c' });
  const viewer = createViewerOfEverything();
  let seed = 1;
  const random = (): number => {
    seed = (seed * 16807) % 2147483647;
    return seed / 2147483647;
  };
  return {
    load: (quads) => dataset.apply([{ deletions: [], additions: quads.map((quad) => ({ quad, label: LABEL })) }]),
    query: (text, baseIri) => dataset.query(viewer, text, { baseIri, nowMs: NOW_MS, random }),
    async update(text, baseIri) {
      const evaluation = { baseIri, nowMs: NOW_MS, random, label: LABEL };
      await dataset.apply([await dataset.evaluateUpdate(viewer, text, evaluation)]);
    },
    quads: () => collect(dataset.match(viewer)),
  };
}

type Runner = (test: SuiteTest, engine: SuiteEngine) => Promise<void>;

const RUNNERS: Readonly<Record<string, Runner>> = {
  QueryEvaluationTest: runQuery,
  CSVResultFormatTest: runCsv,
  UpdateEvaluationTest: runUpdate,
  PositiveSyntaxTest11: (test, engine) => expectSyntax(test, engine.query, true),
  NegativeSyntaxTest11: (test, engine) => expectSyntax(test, engine.query, false),
  PositiveUpdateSyntaxTest11: (test, engine) => expectSyntax(test, engine.update, true),
  NegativeUpdateSyntaxTest11: (test, engine) => expectSyntax(test, engine.update, false),
};

/** Runs one test of the suite; throws an error that shows the difference when it fails. */
export async function runTest(test: SuiteTest, engine: SuiteEngine): Promise<void> {
  await RUNNERS[test.type](test, engine);
}

async function expectSyntax(
  test: SuiteTest,
  evaluate: (text: string, baseIri: string) => Promise<unknown>,
  valid: boolean,
): Promise<void> {
  let refused = false;
  try {
    await evaluate(readText(test), test.text.iri);
  } catch (error) {
    if (!isCodedError(error)) throw error;
    // SERVICE and LOAD are refused by permission, which comes after syntax.
    refused = error.code === 'ERR_SPARQL_SYNTAX';
    if (valid && refused) throw error;
  }
  if (!valid && !refused) throw new Error('the text was taken although its syntax is wrong');
}

function readText(test: SuiteTest): string {
  return readFileSync(test.text.file, 'utf8');
}

/** Loads files, each with blank nodes of its own. */
async function loadFiles(files: readonly GraphFile[]): Promise<RDF.Quad[]> {
  const quads: RDF.Quad[] = [];
  for (const [index, { file, name }] of files.entries()) {
    const own = (term: RDF.Term): RDF.Term =>
      term.termType === 'BlankNode' ? blankNode(`f${index}-${term.value}`) : term;
    for (const { subject, predicate, object } of await readGraph(file, iriOf(file))) {
      quads.push(quad(own(subject), predicate, own(object), name === undefined ? undefined : namedNode(name)));
    }
  }
  return quads;
}

function iriOf(file: string): string {
  return SUITE_IRI + file.split('/').slice(-2).join('/');
}

async function evaluate(test: SuiteTest, engine: SuiteEngine): Promise<QueryResult> {
  await engine.load(await loadFiles(test.data));
  return engine.query(readText(test), test.text.iri);
}

async function runQuery(test: SuiteTest, engine: SuiteEngine): Promise<void> {
  const result = await evaluate(test, engine);
  const { file = '' } = test.result;
  if (result.type === 'quads') return expectQuads(await collect(result.quads), await readGraph(file, iriOf(file)));
  const expected = await readResult(file, iriOf(file));
  if (result.type === 'boolean' || expected.type === 'boolean') {
    const wanted = expected.type === 'boolean' ? expected.value : undefined;
    const found = result.type === 'boolean' ? result.value : undefined;
    if (wanted !== found) throw new Error(`expected ${wanted}, got ${found}`);
    return;
  }
  expectSolutions(await collect(result.solutions), expected.solutions);
}

/** CSV has no types and no blank node labels that mean anything: numbers are compared as numbers. */
async function runCsv(test: SuiteTest, engine: SuiteEngine): Promise<void> {
  const result = await evaluate(test, engine);
  const pieces = await collect(writeResult(result, { mediaType: 'text/csv' }));
  const normalise = (text: string): string[] =>
    parseCsvResult(text)
      .rows.map((row) => row.map((field) => normaliseField(field)).join('|'))
      .sort();
  const found = normalise(pieces.join('')).join('\n');
  const wanted = normalise(readFileSync(test.result.file ?? '', 'utf8')).join('\n');
  if (found !== wanted) throw new Error(`expected\n${wanted}\ngot\n${found}`);
}

function normaliseField(field: string): string {
  if (field.startsWith('_:')) return '_:';
  return field.trim() !== '' && Number.isFinite(Number(field)) ? String(Number(field)) : field;
}

async function runUpdate(test: SuiteTest, engine: SuiteEngine): Promise<void> {
  await engine.load(await loadFiles(test.data));
  await engine.update(readText(test), test.text.iri);
  expectQuads(await engine.quads(), await loadFiles(test.result.data));
}

function expectSolutions(found: readonly Solution[], wanted: readonly Solution[]): void {
  if (sameSolutions(found, wanted)) return;
  throw new Error(`expected\n${writeSolutions(wanted).join('\n')}\ngot\n${writeSolutions(found).join('\n')}`);
}

function expectQuads(found: readonly RDF.Quad[], wanted: readonly RDF.Quad[]): void {
  if (sameQuads(found, wanted)) return;
  const write = (quads: readonly RDF.Quad[]): string => quads.map(writeQuad).sort().join('\n');
  throw new Error(`expected\n${write(wanted)}\ngot\n${write(found)}`);
}

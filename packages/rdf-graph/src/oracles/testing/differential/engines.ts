import { runAtOnce } from '@cairn/events';
import { createViewerOfEverything, type Viewer } from '@cairn/security';
import { QueryEngine } from '@comunica/query-sparql-rdfjs';
import type * as RDF from '@rdfjs/types';
import { Store } from 'n3';
import * as oxigraph from 'oxigraph';
import { openGraphDataset } from '../../../dataset/open.ts';
import type { StoreDataset } from '../../../dataset/store-dataset.ts';
import type { LabelledQuad, QueryResult, Solution } from '../../../graph/port/graph-dataset.ts';
import { writeQuad } from '../../../rdf/term-writer.ts';
import { parseSparql } from '../../../sparql/parse/parser.ts';
import type { Statistics } from '../../../sparql/plan/join-order.ts';
import { evaluateQuery } from '../../../sparql/query/evaluate.ts';
import { compileQuery, prepareQuery } from '../../../sparql/query/prepare.ts';
import { collect, normaliseTerm, writeSolutions } from '../compare.ts';

/** An answer as sorted lines: equal for equal multisets. */
export type Answer = string;

export type Engine = (quads: readonly RDF.Quad[], query: string) => Promise<Answer>;

function toAnswer(solutions: readonly Solution[]): Answer {
  return writeSolutions(solutions).join('\n');
}

function quadsToAnswer(quads: readonly RDF.Quad[]): Answer {
  const lines = quads.map((quad) => writeQuad(normaliseTerm(quad) as RDF.Quad));
  return [...new Set(lines)].sort().join('\n');
}

async function fromResult(result: QueryResult): Promise<Answer> {
  if (result.type === 'boolean') return String(result.value);
  if (result.type === 'quads') return quadsToAnswer(await collect(result.quads));
  return toAnswer(await collect(result.solutions));
}

const everything = createViewerOfEverything();

function labelled(quads: readonly RDF.Quad[]): LabelledQuad[] {
  return quads.map((quad) => ({ quad, label: '*' }));
}

export async function openLabelled(quads: readonly LabelledQuad[]): Promise<StoreDataset> {
  const dataset = await openGraphDataset({ name: 'differential' });
  await dataset.apply([{ deletions: [], additions: quads }]);
  return dataset;
}

/** Our engine as it is used. */
export const cairn: Engine = cairnWithin(undefined);

/** Our engine where intermediate results may take only so many bytes. */
export function cairnWithin(maxMemoryBytes: number | undefined): Engine {
  return async (quads, query) => {
    const dataset = await openLabelled(labelled(quads));
    return fromResult(await dataset.query(everything, query, { budget: { maxMemoryBytes } }));
  };
}

/** Statistics that say nothing: every pattern seems alike, so the order is that of the text. */
export const UNADVISED: Statistics = { rowsOf: () => 1000 };

/** Statistics that lie: the more a pattern is bound, the more it seems to give. */
export const MISLED: Statistics = {
  rowsOf: ({ subject, predicate, object }, bound) =>
    [subject, predicate, object].reduce(
      (rows, term) => (term.type === 'term' || bound.has(term.name) ? rows * 100 : rows),
      1,
    ),
};

/** Our engine with a planner that is told nothing. */
export const cairnUnadvised: Engine = (quads, query) => answerWith(quads, query, UNADVISED);

/** Our engine with a planner that is told lies. */
export const cairnMisled: Engine = (quads, query) => answerWith(quads, query, MISLED);

async function answerWith(quads: readonly RDF.Quad[], text: string, statistics: Statistics): Promise<Answer> {
  return answerTo(everything, await openLabelled(labelled(quads)), text, statistics);
}

/** Our engine's answer to one viewer; with statistics of one's own, without them as it is used. */
export async function answerTo(
  viewer: Viewer,
  dataset: StoreDataset,
  text: string,
  statistics: Statistics | undefined,
): Promise<Answer> {
  if (statistics === undefined) return fromResult(await dataset.query(viewer, text));
  const syntax = parseSparql(text);
  if (syntax.type !== 'query') throw new Error('not a query');
  const query = prepareQuery(syntax);
  let labels = 0;
  const run = {
    snapshot: dataset.snapshot(viewer),
    evaluation: {},
    nowMs: undefined,
    freshLabel: () => `q${labels++}`,
  };
  return fromResult(await evaluateQuery(query, runAtOnce(compileQuery(query, statistics)), run));
}

export const oxigraphEngine: Engine = async (quads, query) => {
  const store = new oxigraph.Store();
  store.load(quads.map((quad) => `${writeQuad(quad)}\n`).join(''), { format: 'application/n-quads' });
  const result = store.query(query) as boolean | (Map<string, RDF.Term> | RDF.Quad)[];
  if (typeof result === 'boolean') return String(result);
  if (result.length > 0 && !(result[0] instanceof Map)) return quadsToAnswer(result as RDF.Quad[]);
  return toAnswer(result as Map<string, RDF.Term>[]);
};

const comunica = new QueryEngine();

export const comunicaEngine: Engine = async (quads, query) => {
  const context = { sources: [new Store([...quads])] as [Store] };
  const result = await comunica.query(query, context);
  if (result.resultType === 'boolean') return String(await result.execute());
  if (result.resultType === 'quads') return quadsToAnswer((await (await result.execute()).toArray()) as RDF.Quad[]);
  if (result.resultType !== 'bindings') throw new Error('not a query');
  const bindings = await (await result.execute()).toArray();
  return toAnswer(
    bindings.map((binding) => new Map([...binding].map(([name, term]) => [name.value, term as RDF.Term]))),
  );
};

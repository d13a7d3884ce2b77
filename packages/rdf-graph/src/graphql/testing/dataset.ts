import { createViewerOfEverything, type Viewer } from '@cairn/security';
import type * as RDF from '@rdfjs/types';
import type { ExecutionResult } from 'graphql';
import { openGraphDataset } from '../../dataset/open.ts';
import type { StoreDataset } from '../../dataset/store-dataset.ts';
import type { GraphDataset, ReadableDataset } from '../../graph/port/graph-dataset.ts';
import { parseRdf } from '../../rdf/parse.ts';
import { portAlone } from '../../testing/port-alone.ts';
import { type ExecuteGraphQLOptions, executeGraphQL } from '../execution/execute.ts';
import type { GraphSchema } from '../execution/graph-schema.ts';

const PREFIXES = '@prefix : <http://e/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .';

/** Quads as JSON-like test input: TriG in which `:` stands for `http://e/`. */
export async function parseTrig(text: string): Promise<RDF.Quad[]> {
  const quads: RDF.Quad[] = [];
  for await (const quad of parseRdf(`${PREFIXES}\n${text}`, { contentType: 'application/trig' })) quads.push(quad);
  return quads;
}

/** A dataset of texts by label: TriG in which `:` stands for `http://e/`. */
export async function datasetOf(byLabel: Readonly<Record<string, string>>): Promise<StoreDataset> {
  const dataset = await openGraphDataset({ name: 'test', prefixes: { e: 'http://e/' } });
  for (const [label, text] of Object.entries(byLabel)) {
    const additions = (await parseTrig(text)).map((quad) => ({ quad, label }));
    await dataset.apply([{ deletions: [], additions }]);
  }
  return dataset;
}

export interface Asking extends ExecuteGraphQLOptions {
  readonly viewer?: Viewer;
  readonly variables?: Record<string, unknown>;
}

/** Asks and gives the answer as plain JSON. */
export async function ask(
  schema: GraphSchema,
  dataset: ReadableDataset,
  query: string,
  { viewer = createViewerOfEverything(), variables, ...options }: Asking = {},
): Promise<ExecutionResult> {
  const result = await executeGraphQL(schema, dataset, viewer, { query, variables }, options);
  return JSON.parse(JSON.stringify(result)) as ExecutionResult;
}

/** Asks a dataset, and again as if it offered the port alone: both answers must be the same, byte for byte. */
export async function askBoth(
  schema: GraphSchema,
  dataset: GraphDataset,
  query: string,
  asking: Asking = {},
): Promise<ExecutionResult> {
  const answer = await ask(schema, dataset, query, asking);
  const again = await ask(schema, portAlone(dataset), query, asking);
  if (JSON.stringify(again) !== JSON.stringify(answer))
    throw new Error(`by match: ${JSON.stringify(again)}\nby ids: ${JSON.stringify(answer)}`);
  return answer;
}

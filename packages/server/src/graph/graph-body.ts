import { defaultGraph, type GraphDataset, namedNode, quad, serializeRdf } from '@cairn/rdf-graph';
import type { Viewer } from '@cairn/security';

type Reading = Pick<GraphDataset, 'match'>;

/** Selection of quads: the whole dataset, or one graph without its name. */
export type WhichGraph =
  | { readonly type: 'dataset' }
  | { readonly type: 'default' }
  | { readonly type: 'named'; readonly iri: string };

export interface GraphFormat {
  readonly contentType: string;
  readonly prefixes: Readonly<Record<string, string>>;
}

/** Streams what a viewer sees of a graph or of the whole dataset. */
export function graphBody(
  dataset: Reading,
  viewer: Viewer,
  which: WhichGraph,
  format: GraphFormat,
): AsyncIterable<string> {
  const quads =
    which.type === 'dataset' ? dataset.match(viewer) : withoutGraph(dataset.match(viewer, patternOf(which)));
  return serializeRdf(quads, format);
}

export function patternOf(which: Exclude<WhichGraph, { type: 'dataset' }>): {
  readonly graph: ReturnType<typeof namedNode> | ReturnType<typeof defaultGraph>;
} {
  return { graph: which.type === 'default' ? defaultGraph() : namedNode(which.iri) };
}

async function* withoutGraph(quads: ReturnType<GraphDataset['match']>): AsyncGenerator<ReturnType<typeof quad>> {
  for await (const { subject, predicate, object } of quads) yield quad(subject, predicate, object);
}

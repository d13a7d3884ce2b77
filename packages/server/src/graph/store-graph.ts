import { CodedError } from '@cairn/errors';
import type { GraphDataset } from '@cairn/rdf-graph';
import type { Viewer } from '@cairn/security';
import { optionalText, type ParametersOf, statedText } from '../parameters/parameter.ts';
import { parseForm } from '../parameters/sent.ts';
import type { Context } from '../routing/context.ts';
import { patternOf, type WhichGraph } from './graph-body.ts';
import { absoluteIri } from './place.ts';

/** One graph of a dataset. */
export type OneGraph = Exclude<WhichGraph, { type: 'dataset' }>;

/** The parameters by which the Graph Store Protocol names a graph (SPARQL 1.1 Graph Store HTTP Protocol, 4.2). */
export const STORE_GRAPH: ParametersOf<{ graph: string | undefined; default: string | undefined }> = {
  graph: statedText('graph', { description: 'Absolute IRI of the named graph.' }),
  default: optionalText('default', { description: 'The default graph; its value does not matter.' }),
};

/**
 * The graph that a request names; the dataset when it names none.
 * @throws `ERR_PARAMETER` (invalid) when it names two, `ERR_IRI` (invalid) for a name that is no absolute IRI
 */
export function whichGraph({ request }: Context, graph: string | undefined): WhichGraph {
  const isDefault = parseForm(request.queryString).has('default');
  const iri = absoluteIri('graph', graph);
  if (!isDefault) return iri === undefined ? { type: 'dataset' } : { type: 'named', iri };
  if (iri === undefined) return { type: 'default' };
  throw badGraph('query parameters graph and default exclude each other; got both');
}

/** The one graph that a request names. @throws as {@link whichGraph}, and `ERR_PARAMETER` (invalid) when it names none */
export function oneGraph(context: Context, graph: string | undefined): OneGraph {
  const which = whichGraph(context, graph);
  if (which.type === 'dataset')
    throw badGraph('one of the query parameters graph and default must be given; got neither');
  return which;
}

/** True when the viewer sees a quad of a named graph; the default graph is always there. */
export async function isThere(dataset: GraphDataset, viewer: Viewer, which: OneGraph): Promise<boolean> {
  return which.type === 'default' || (await dataset.count(viewer, patternOf(which))) > 0;
}

export function noGraph(): CodedError {
  return new CodedError({ code: 'ERR_NO_GRAPH', kind: 'not-found', message: 'there is no graph of this name' });
}

function badGraph(message: string): CodedError {
  return new CodedError({ code: 'ERR_PARAMETER', kind: 'invalid', message });
}

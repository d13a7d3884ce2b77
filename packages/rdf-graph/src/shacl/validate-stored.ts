import { CodedError, checkList, checkObject, checkPort, checkText } from '@cairn/errors';
import { checkViewer, type Viewer } from '@cairn/security';
import type * as RDF from '@rdfjs/types';
import type { ReadableDataset } from '../graph/port/graph-dataset.ts';
import { checkTexts } from '../rdf/arguments.ts';
import { isAbsoluteIri } from '../rdf/iri.ts';
import { blankNode, namedNode } from '../rdf/terms.ts';
import { readStoredGraph } from './data/stored-graph.ts';
import type { ShaclReport } from './report/to-report.ts';
import { type ShaclGraph, takeGraph, type ValidateOptions, validate } from './validate.ts';

/** Options of {@link validateStored}. */
export interface ValidateStoredOptions extends Omit<ValidateOptions, 'target'> {
  /** `default`, `union` or the IRI of a named graph. Default `default`. */
  readonly graph?: string | undefined;
  /** A focus node as {@link parseTarget} takes it. Default every target. */
  readonly target?: string | undefined;
}

/**
 * Holds what a viewer sees of a stored graph to shapes. The report is that of a dataset which only ever held the
 * visible quads.
 * @throws what {@link validate} throws; `ERR_NO_GRAPH` (not-found); `ERR_SHACL_TARGET` (invalid)
 */
export async function validateStored(
  dataset: ReadableDataset,
  viewer: Viewer,
  shapes: ShaclGraph,
  options: ValidateStoredOptions = {},
): Promise<ShaclReport> {
  checkPort(dataset, 'reader', 'the dataset');
  checkViewer(viewer);
  checkList(shapes, 'the shapes');
  checkObject(options, 'the options of validateStored');
  const { target: wanted, graph, ...limits } = options;
  const allShapes = takeGraph(shapes);
  const prefixes = wanted === undefined ? {} : await dataset.prefixes(viewer);
  const target = wanted === undefined ? undefined : parseTarget(wanted, prefixes);
  const data = await readStoredGraph(dataset, viewer, graph ?? 'default', { signal: limits.signal });
  return validate(data, allShapes, { ...limits, target });
}

/**
 * The node that a text names: an IRI, `<IRI>`, a prefixed name by `prefixes`, or `_:label`.
 * @throws `ERR_SHACL_TARGET` (invalid)
 */
export function parseTarget(text: string, prefixes: Readonly<Record<string, string>>): RDF.Term {
  checkText(text, 'the target');
  checkTexts(prefixes, 'the prefixes');
  if (text.startsWith('_:') && text.length > 2) return blankNode(text.slice(2));
  if (text.startsWith('<') && text.endsWith('>')) return toIri(text.slice(1, -1), text);
  const colon = text.indexOf(':');
  const prefix = text.slice(0, Math.max(0, colon));
  const namespace = Object.hasOwn(prefixes, prefix) ? prefixes[prefix] : undefined;
  if (colon >= 0 && namespace !== undefined) return toIri(namespace + text.slice(colon + 1), text);
  return toIri(text, text);
}

function toIri(iri: string, text: string): RDF.Term {
  if (isAbsoluteIri(iri)) return namedNode(iri);
  const message = `target must be an IRI or a name with a known prefix; got ${JSON.stringify(text.slice(0, 200))}`;
  throw new CodedError({ code: 'ERR_SHACL_TARGET', kind: 'invalid', message });
}

import { parseRdfBatches, type ReadableDataset, serializeRdf } from '@cairn/rdf-graph';
import { parseTarget, type ShaclLimits, type ShaclReport, validate, validateStored } from '@cairn/rdf-graph/shacl';
import type { Viewer } from '@cairn/security';
import { type Evaluated, withCharset } from './result-answer.ts';

export interface ShaclWork {
  /** Shapes, and without `graph` the data as well. */
  readonly shapes: Uint8Array;
  readonly contentType: string;
  readonly baseIri: string;
  /** The stored graph to validate: `default`, `union` or an IRI. */
  readonly graph: string | undefined;
  /** The one node to validate: an IRI or a prefixed name. */
  readonly target: string | undefined;
  readonly reportType: string;
}

const REPORT_PREFIXES = { sh: 'http://www.w3.org/ns/shacl#', xsd: 'http://www.w3.org/2001/XMLSchema#' };

/** Validates, and writes the report. @throws what `validate` and `validateStored` throw, and syntax errors. */
export async function shaclReport(
  work: ShaclWork,
  dataset: ReadableDataset | undefined,
  viewer: Viewer,
  limits: ShaclLimits,
): Promise<Evaluated> {
  const { graph, target, reportType } = work;
  const { quads, prefixes } = await readShapes(work, limits.signal);
  let report: ShaclReport;
  if (graph === undefined || dataset === undefined) {
    const focus = target === undefined ? undefined : parseTarget(target, prefixes);
    report = await validate(quads, quads, { ...limits, target: focus });
  } else report = await validateStored(dataset, viewer, quads, { ...limits, graph, target });
  return {
    headers: { 'Content-Type': withCharset(reportType), Vary: 'Accept' },
    body: serializeRdf(report.quads, { contentType: reportType, prefixes: { ...REPORT_PREFIXES, ...prefixes } }),
  };
}

async function readShapes({ shapes, contentType, baseIri }: ShaclWork, signal: AbortSignal | undefined) {
  const prefixes: Record<string, string> = {};
  const batches = parseRdfBatches(shapes, {
    contentType,
    baseIri,
    onPrefix: (prefix, iri) =>
      Object.defineProperty(prefixes, prefix, { value: iri, enumerable: true, configurable: true }),
    signal,
  });
  const quads = [];
  for await (const batch of batches) for (const quad of batch) quads.push(quad);
  return { quads, prefixes };
}

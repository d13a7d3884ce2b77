import { checkObject, checkText } from '@cairn/errors';
import type { Viewer } from '@cairn/security';
import type * as RDF from '@rdfjs/types';
import type { GraphDataset } from '../port/graph-dataset.ts';
import { checkTextSource } from '../rdf/arguments.ts';
import { parseRdf } from '../rdf/parse.ts';
import { serializeRdf } from '../rdf/serialize.ts';
import type { TextSource } from '../rdf/text-source.ts';
import { readStoredGraph } from './data/stored-graph.ts';
import { ShaclGuard, type ShaclLimits } from './engine/limits.ts';
import { writeReport } from './report/write-report.ts';
import { validate } from './validate.ts';
import { parseTarget, type ValidateStoredOptions } from './validate-stored.ts';

/** A validation as plain data: what a worker thread is handed, and runs by {@link runShaclTask}. */
export interface ShaclTask {
  /** The shapes; without `data` they are the data as well. */
  readonly shapes: Uint8Array;
  readonly contentType: string;
  /** What relative IRIs of the shapes are resolved against. Without it they are an error. */
  readonly baseIri?: string | undefined;
  /** The data in N-Triples. Default the shapes. */
  readonly data?: Uint8Array | undefined;
  /** A focus node as {@link parseTarget} takes it. */
  readonly target?: string | undefined;
  /** The dataset's prefixes, for the target; those of the shapes' text come before them. Default none. */
  readonly prefixes?: Readonly<Record<string, string>> | undefined;
  /** The media type of the report. */
  readonly reportType: string;
  readonly limits?: Omit<ShaclLimits, 'signal' | 'now'> | undefined;
}

/** What a task gives. */
export interface ShaclTaskResult {
  readonly conforms: boolean;
  /** The report in the media type asked for. */
  readonly report: string;
}

/**
 * Reads the graphs of a task, validates, and writes the report.
 * @throws what `validate` throws; `ERR_RDF_SYNTAX` (invalid) with position, `ERR_RDF_MEDIA_TYPE` (unsupported);
 * `ERR_SHACL_TARGET` (invalid)
 */
export async function runShaclTask(
  given: ShaclTask,
  options: Pick<ShaclLimits, 'signal' | 'now'> = {},
): Promise<ShaclTaskResult> {
  checkObject(given, 'the task');
  // It is read on when other work has had its turn, so what is done to it meanwhile must not matter.
  const task = { ...given };
  checkTextSource(task.shapes);
  checkText(task.contentType, 'contentType');
  checkText(task.reportType, 'reportType');
  checkObject(options, 'the options of runShaclTask');
  const limits: ShaclLimits = { ...task.limits, ...options };
  const guard = new ShaclGuard(limits);
  const prefixes: Record<string, string> = { ...task.prefixes };
  const onPrefix = (prefix: string, iri: string): void => {
    prefixes[prefix] = iri;
  };
  const { contentType, baseIri } = task;
  const shapeBound = task.data === undefined ? 'data' : 'shapes';
  const shapes = await readQuads(task.shapes, { contentType, baseIri, onPrefix }, guard, shapeBound);
  const data =
    task.data !== undefined && (await readQuads(task.data, { contentType: 'application/n-triples' }, guard, 'data'));
  const target = task.target === undefined ? undefined : parseTarget(task.target, prefixes);
  const report = await validate(data || shapes, shapes, { ...limits, target });
  return { conforms: report.conforms, report: await writeReport(report, task.reportType) };
}

async function readQuads(
  source: TextSource,
  options: Parameters<typeof parseRdf>[1],
  guard: ShaclGuard,
  what: 'data' | 'shapes',
): Promise<RDF.Quad[]> {
  const quads: RDF.Quad[] = [];
  for await (const quad of parseRdf(source, options)) {
    quads.push(quad);
    guard.checkSize(what, quads.length);
    if (quads.length % 1024 === 0) await guard.pauseWhenDue();
  }
  return quads;
}

/**
 * What a viewer sees of a stored graph as the `data` of a {@link ShaclTask}, in N-Triples.
 * @throws `ERR_GRAPH_NOT_FOUND` (not-found), `ERR_SHACL_TOO_LARGE` (too-large), `ERR_TIME_LIMIT` (timeout)
 */
export async function copyStoredGraph(
  dataset: GraphDataset,
  viewer: Viewer,
  options: Omit<ValidateStoredOptions, 'target'> = {},
): Promise<Uint8Array> {
  checkObject(options, 'the options of copyStoredGraph');
  const guard = new ShaclGuard(options);
  const graph = await readStoredGraph(dataset, viewer, options.graph ?? 'default');
  guard.checkSize('data', graph.size);
  const encoder = new TextEncoder();
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of serializeRdf(graph, { contentType: 'application/n-triples' })) {
    const bytes = encoder.encode(piece);
    pieces.push(bytes);
    size += bytes.length;
    await guard.pauseWhenDue();
  }
  return joinPieces(pieces, size);
}

function joinPieces(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const joined = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}

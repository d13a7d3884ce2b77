import { isCodedError } from '@cairn/errors';
import { type BlobStore, HEADER, loadValue } from '@cairn/events';
import { findFormat, RDF_PATCH_MEDIA_TYPE } from '@cairn/rdf-graph';
import { checkStatedLabels } from '@cairn/rdf-graph/experimental';
import { checkStatedLabel, type Viewer } from '@cairn/security';
import { rdfTypeOf } from '../pipeline/detect-type.ts';
import type { AcceptedFile } from './accept.ts';

export interface LabelFaultOptions {
  readonly viewer: Viewer;
  readonly blobs: BlobStore;
  readonly signal: AbortSignal | undefined;
}

/**
 * Why an RDF file must not be taken in for the labels that it states itself; `undefined` for a file that may be, or that
 * can name no graph. Cost: reads such a file to its end.
 */
export async function findLabelFault(
  { filename, event }: AcceptedFile,
  { viewer, blobs, signal }: LabelFaultOptions,
): Promise<string | undefined> {
  const contentType = rdfTypeOf(filename, event.headers.get(HEADER.contentType));
  if (contentType === undefined || !canNameGraphs(contentType)) return undefined;
  const judge = (label: string, where: string): void => checkStatedLabel(label, { where, writer: viewer });
  try {
    await checkStatedLabels(await loadValue(event, blobs), { contentType, judge, signal });
    return undefined;
  } catch (error) {
    if (isCodedError(error) && FAULTS.has(error.kind)) return error.message;
    throw error;
  }
}

/** Kinds of errors for which a file is refused; others are no fault of the file. */
const FAULTS: ReadonlySet<string> = new Set(['invalid', 'too-large', 'unsupported']);

function canNameGraphs(contentType: string): boolean {
  return contentType === RDF_PATCH_MEDIA_TYPE || findFormat(contentType)?.quads === true;
}

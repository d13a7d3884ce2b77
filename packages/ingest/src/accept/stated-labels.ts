import { isCodedError } from '@cairn/errors';
import { type BlobStore, HEADER, loadValue } from '@cairn/events';
import { findFormat, RDF_PATCH_MEDIA_TYPE } from '@cairn/rdf-graph';
import { checkStatedLabels } from '@cairn/rdf-graph/experimental';
import { checkStatedLabel, type Viewer } from '@cairn/security';
import { rdfTypeOf } from '../pipeline/detect-type.ts';
import type { AcceptedFile } from './accept.ts';

export interface LabelFaultOptions {
  /** The label of the file as a whole. */
  readonly label: string;
  readonly viewer: Viewer;
  readonly blobs: BlobStore;
  readonly signal: AbortSignal | undefined;
}

/**
 * Why an RDF file must not be taken in for the labels that it states itself, or for what it takes away; `undefined` for a file that may be, or that
 * can name no graph. Cost: reads such a file to its end.
 */
export async function findLabelFault(
  { filename, event }: AcceptedFile,
  { label, viewer, blobs, signal }: LabelFaultOptions,
): Promise<string | undefined> {
  const contentType = rdfTypeOf(filename, event.headers.get(HEADER.contentType));
  if (contentType === undefined || !canNameGraphs(contentType)) return undefined;
  const judge = (stated: string, where: string): void => checkStatedLabel(stated, { where, writer: viewer });
  try {
    const { deletions } = await checkStatedLabels(await loadValue(event, blobs), { contentType, judge, signal });
    return deletions > 0 && !viewer.permits(label) ? BLIND_DELETION : undefined;
  } catch (error) {
    if (isCodedError(error) && FAULTS.has(error.kind)) return error.message;
    throw error;
  }
}

/** A deletion takes effect under the label of its patch: nobody takes away what they cannot see. */
const BLIND_DELETION = 'an RDF patch that takes away must have a label that its sender may read';

/** Kinds of errors for which a file is refused; others are no fault of the file. */
const FAULTS: ReadonlySet<string> = new Set(['invalid', 'too-large', 'unsupported']);

function canNameGraphs(contentType: string): boolean {
  return contentType === RDF_PATCH_MEDIA_TYPE || findFormat(contentType)?.quads === true;
}

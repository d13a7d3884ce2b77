import { CodedError, throwIfAborted } from '@cairn/errors';
import { createEvent, HEADER, type Position } from '@cairn/events';
import type { CorrectionRequest } from '@cairn/search';
import type { Viewer } from '@cairn/security';
import { EVENT_TYPE, TOPIC } from '../pipeline/contract.ts';
import { whileUnwritten } from '../projector/durability.ts';
import { type SearchProjection, storedDocument } from '../search-projection/context.ts';
import { applyCorrection, type Correction, correctedPlaces, documentLabel, entityLabels } from './correction.ts';

export interface CorrectionPorts extends Pick<SearchProjection, 'log' | 'index' | 'documentIndex'> {
  readonly nextId: () => string;
  /** Aborted, nothing is recorded any more. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Records that an entity of a document is corrected, as an event on `document.corrections`.
 * @throws `ERR_NO_MATCHING_ENTITY` (invalid) when the document does not exist, may not be seen by the viewer, or has no
 *   visible entity of that text and category: one error, so that nobody can tell which.
 */
export async function recordCorrection(
  viewer: Viewer,
  request: CorrectionRequest,
  ports: CorrectionPorts,
): Promise<Position> {
  const { documentUri, entityText, entityCategory, resolvedEntityUri, resolvedCategory } = request;
  const isAsked = request.indices === undefined || request.indices.includes(ports.documentIndex);
  const stored = isAsked ? await storedDocument(ports, documentUri) : undefined;
  const labels = stored === undefined ? [] : entityLabels(stored).filter((label) => viewer.permits(label));
  const correction: Correction = {
    ...{ documentUri, entityText, entityCategory, resolvedEntityUri, resolvedCategory },
    labels,
  };
  if (stored === undefined || applyCorrection(stored, correction) === undefined) {
    const message = 'the document has no entity of this text and category';
    throw new CodedError({ code: 'ERR_NO_MATCHING_ENTITY', kind: 'invalid', message });
  }
  const event = createEvent({
    id: ports.nextId(),
    type: EVENT_TYPE.correction,
    key: documentUri,
    headers: [
      [HEADER.documentId, documentUri],
      [HEADER.securityLabel, documentLabel(stored)],
      [HEADER.contentType, 'application/json'],
    ],
    value: JSON.stringify({ ...correction, corrected: correctedPlaces(stored, correction) }),
  });
  await whileUnwritten(async () => throwIfAborted(ports.signal));
  const [position] = await ports.log.append(TOPIC.corrections, [event]);
  return position;
}

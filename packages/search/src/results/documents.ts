import { type JsonObject, redactDocument, type Viewer } from '@cairn/security';
import type { Segment } from '../segment/segment.ts';
import { readStoredDocument } from '../segment/stored-documents.ts';

export interface Presentation {
  readonly viewer: Viewer;
  readonly showSecurityLabels: boolean;
}

/** A stored document as a viewer may see it; `undefined` when nothing of it, or not its `uri`, is visible. */
export function presentDocument(
  { segment }: { readonly segment: Segment },
  document: number,
  presentation: Presentation,
  defaultLabel: string | undefined,
): JsonObject | undefined {
  return redactForViewer(readStoredDocument(segment.stored, document), presentation, defaultLabel);
}

/** A document as a viewer may see it; `undefined` when nothing of it, or not its `uri`, is visible. */
export function redactForViewer(
  document: JsonObject,
  { viewer, showSecurityLabels }: Presentation,
  defaultLabel: string | undefined,
): JsonObject | undefined {
  const visible = redactDocument(document, viewer, { showSecurityLabels, defaultLabel });
  return visible?.['uri'] === undefined ? undefined : visible;
}

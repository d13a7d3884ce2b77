import type { SearchDocument } from '@cairn/search';
import { EVERYTHING, isConfigured, type SearchProjection } from './context.ts';

/** A document as it is stored, with all its labels; for writing it back. */
export async function storedDocument(
  projection: Pick<SearchProjection, 'index' | 'documentIndex'>,
  uri: string,
): Promise<SearchDocument | undefined> {
  const { index, documentIndex } = projection;
  if (!isConfigured(projection, documentIndex)) return undefined;
  const document = await index.getDocument(EVERYTHING, uri, { showSecurityLabels: true, indices: [documentIndex] });
  return document as SearchDocument | undefined;
}

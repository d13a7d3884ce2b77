import type { BlobStore, EventLog } from '@cairn/events';
import type { SearchDocument, SearchIndex } from '@cairn/search';
import { createViewerOfEverything } from '@cairn/security';
import type { CorrectionBook } from '../corrections/book.ts';
import type { Generator } from '../pipeline/to-search-document.ts';
import type { Clock } from '../port/clock.ts';
import type { Mutex } from '../projector/mutex.ts';

/** The index that projections write to, and what they share. */
export interface SearchProjection {
  readonly log: EventLog;
  readonly blobs: BlobStore;
  readonly index: SearchIndex;
  readonly documentIndex: string;
  readonly entityIndex: string;
  readonly generator: Generator;
  readonly clock: Clock;
  readonly corrections: CorrectionBook;
  /** Reading a document and writing it back must not cross another projection. */
  readonly work: Mutex;
  /** Lets others run; called for each event and entity. */
  readonly pause: () => Promise<void>;
}

/** Returns true if the index has a name that a projection writes to; one that is not configured takes nothing. */
export function isConfigured({ index }: Pick<SearchProjection, 'index'>, name: string): boolean {
  return index.indices.includes(name);
}

const EVERYTHING = createViewerOfEverything();

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

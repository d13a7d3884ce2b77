import type { BlobStore, EventLog } from '@cairn/events';
import type { SearchIndex } from '@cairn/search';
import { createViewerOfEverything } from '@cairn/security';
import { CorrectionBook } from '../corrections/book.ts';
import type { Generator } from '../pipeline/to-search-document.ts';
import type { Clock } from '../port/clock.ts';
import { Mutex } from '../projector/mutex.ts';
import { createBreather } from '../work/breather.ts';

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

export type SearchProjectionOptions = Pick<
  SearchProjection,
  'log' | 'blobs' | 'index' | 'documentIndex' | 'entityIndex' | 'generator' | 'clock'
>;

/** Returns true if the index has a name that a projection writes to; one that is not configured takes nothing. */
export function isConfigured({ index }: Pick<SearchProjection, 'index'>, name: string): boolean {
  return index.indices.includes(name);
}

/** The projections of one index, before any of them runs. */
export function createSearchProjection(options: SearchProjectionOptions): SearchProjection {
  return { ...options, corrections: new CorrectionBook(), work: new Mutex(), pause: createBreather(options.clock) };
}

/** Reads documents whole, for projections. Never for answers. */
export const EVERYTHING: ReturnType<typeof createViewerOfEverything> = createViewerOfEverything();

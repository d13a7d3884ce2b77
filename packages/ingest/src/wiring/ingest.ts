import type { EventLog, HeadersInit, Position } from '@cairn/events';
import type { ChangeSet, GraphDataset } from '@cairn/rdf-graph';
import type { CorrectionRequest, SearchIndex } from '@cairn/search';
import type { JsonObject, Viewer } from '@cairn/security';
import type { EraseValues, Erasure, Forgettable } from '../deletion/forget.ts';
import type { WaitOptions } from '../projector/position-waiters.ts';
import type { Projector, ProjectorFigures } from '../projector/projector.ts';
import type { ReannotationOptions } from '../reannotation/reannotate.ts';
import type { RebuildOptions } from '../rebuild/rebuild.ts';
import type { RouteConfig } from '../routes/route.ts';
import type { UploadOutcome, UploadRequest } from '../upload/upload.ts';

/** An upload by the name of its route. */
export type RoutedUpload = Omit<UploadRequest, 'route'> & {
  /** @see IngestOptions.routes */
  readonly route: string;
};

/** An update of a dataset, to be evaluated when its turn has come. */
export interface UpdateRequest extends WaitOptions {
  /** Name of the dataset. */
  readonly dataset: string;
  /** Computes the changes, from the dataset after every earlier update. */
  readonly evaluate: (dataset: GraphDataset) => Promise<ChangeSet>;
  /** Further headers of the events. */
  readonly headers?: HeadersInit | undefined;
  /** Who writes: labels that they state in a label graph must be ones that they may read. Default: an operator. */
  readonly writer?: Viewer | undefined;
}

/** Result of an update. */
export interface UpdateOutcome {
  readonly changes: ChangeSet;
  /** True when it added something that its writer may not read; never so for an operator. */
  readonly isHidden: boolean;
  /** Topic and position of its last event; the end of the topic when it changed nothing. */
  readonly topic: string;
  readonly position: Position | undefined;
}

/** Result of a load. */
export interface LoadOutcome {
  /** True when it was applied in time; else it is durable and will be. Always true unless `mayBeLate` was set. */
  readonly isApplied: boolean;
  readonly topic: string;
  readonly position: Position;
  /** True when it added something that its writer may not read; never so for an operator. */
  readonly isHidden: boolean;
}

/** RDF as it came, for a dataset. */
export interface LoadRequest extends WaitOptions {
  /** True when it is an outcome, and no error, that it is durable but not applied in time. Default false. */
  readonly mayBeLate?: boolean | undefined;
  readonly dataset: string;
  readonly contentType: string;
  /** Absolute IRI of the graph of all triples. Default: the default graph. An RDF patch names its graphs itself. */
  readonly graph?: string | undefined;
  /** Absolute IRI that relative ones are relative to. Without it they are an error. */
  readonly baseIri?: string | undefined;
  /** An array is copied at the call; a chunk of a stream is its source's again once the next is asked for. */
  readonly value: Uint8Array | AsyncIterable<Uint8Array>;
  /** True when nobody writes into the array until the call resolves: it is then not copied. Default false. */
  readonly isHandedOver?: boolean | undefined;
  /** Under which everything is added that no rule of its own labels. Default: the dataset's. */
  readonly label?: string | undefined;
  readonly headers?: HeadersInit | undefined;
  /** Who writes: every label that they state must be one that they may read. Default: an operator. */
  readonly writer?: Viewer | undefined;
}

/** Options of {@link Ingest.reannotate}. */
export type ReannotateRequest = Pick<ReannotationOptions, 'onProgress' | 'signal'>;

/** Options of {@link Ingest.forget}. */
export interface ForgetOptions extends WaitOptions {
  readonly eraseValues?: EraseValues | undefined;
}

/** Figures of ingest, for operators. */
export interface IngestFigures {
  readonly projectors: readonly ProjectorFigures[];
  /** Uploads in work. */
  readonly uploads: number;
  /** Entities whose names are looked for. */
  readonly names: number;
}

/** Everything between an uploaded file or an update and the caches. */
export interface Ingest {
  readonly log: EventLog;
  readonly routes: ReadonlyMap<string, RouteConfig>;
  /** The search index for readers: documents are presented as {@link presentDocument} makes them. */
  readonly search: SearchIndex;
  /** A dataset by its name. */
  dataset(name: string): GraphDataset | undefined;
  /** Starts every projector. Resolves when each knows where it goes on. */
  start(): Promise<void>;
  /** Stops every projector after the batch in work and makes the caches durable. The ports stay open. */
  stop(): Promise<void>;
  /**
   * Starts the stages anew, so that they make what was given up again (`noteGivenUpValues`). Resolves when each
   * knows where it begins. Cost: they read their topics again from the beginning, when there is anything to make.
   */
  restartStages(): Promise<void>;
  /** Takes files in. @throws `ERR_NO_ROUTE` (not-found), and as {@link acceptUpload}. */
  upload(request: RoutedUpload): Promise<UploadOutcome>;
  /**
   * Updates a dataset: evaluate, append, apply, one at a time. Resolves when the dataset and the search index have
   * applied it, so that its writer reads it.
   * @throws `ERR_NO_DATASET` (not-found), what the evaluation throws, `ERR_SECURITY_LABEL`, `ERR_LABEL_RULE` and
   *   `ERR_RDF_SYNTAX` (invalid) for labels that it states and may not, or for a rule that cannot apply: nothing is
   *   written then, nor for `ERR_PROJECTION_BEHIND` (unavailable) when the dataset is behind those before it and
   *   `ERR_CANCELLED` that says so. The waiting errors say that it is durable and are not retryable:
   *   `ERR_PROJECTION_TIMEOUT` (timeout), `ERR_PROJECTOR_STALLED`, `ERR_PROJECTOR_STOPPED`, `ERR_PROJECTOR_FAILED`
   *   (unavailable), `ERR_CANCELLED`; `ERR_DEAD_LETTER` (internal) when it can never be applied
   */
  update(request: UpdateRequest): Promise<UpdateOutcome>;
  /**
   * Reads RDF or an RDF patch to its end, appends it to a dataset's topic and waits as {@link Ingest.update} does.
   * @throws `ERR_RDF_SYNTAX`, `ERR_RDF_TARGET` for RDF that names another graph than the one given, `ERR_LABEL_RULE`,
   *   `ERR_SECURITY_LABEL` (invalid; also for a patch that takes away, with a writer and without a label), `ERR_RDF_MEDIA_TYPE` (unsupported),
   *   `ERR_RDF_TOO_LARGE` (too-large): nothing is appended then; `ERR_NO_DATASET` (not-found) and the waiting errors
   *   of {@link Ingest.update}
   */
  load(request: LoadRequest): Promise<LoadOutcome>;
  /**
   * Corrects an entity of a document and gives the document as the viewer then sees it.
   * @throws `ERR_NO_MATCHING_ENTITY` (invalid); the waiting errors of {@link Ingest.update}
   */
  correctEntity(viewer: Viewer, request: CorrectionRequest, options?: WaitOptions): Promise<CorrectionOutcome>;
  /**
   * Removes a document, by IRI or UUID, and what was derived from it. Durable when it resolves, applied a little later.
   * @throws `ERR_NO_DOCUMENT` (not-found)
   */
  deleteDocument(viewer: Viewer, id: string): Promise<{ readonly uri: string }>;
  /**
   * The documents that some IRIs or UUIDs name, whatever their labels, also those that were removed and not yet erased.
   * For operators. Cost: reads every topic.
   * @throws `ERR_NO_DOCUMENT` (not-found) when the log holds nothing of some of them, naming those
   */
  findForgettable(ids: readonly string[]): Promise<Forgettable[]>;
  /**
   * Removes one or many documents whatever their labels, by IRI or UUID, waits until every cache has, and erases what the
   * log and the blobs hold of them, and of those whose erasure was cut short before. Until {@link Ingest.endForgetting} is
   * called, forgetting them again goes on. For operators.
   * @throws as {@link Ingest.findForgettable}, before anything is erased; the waiting errors of {@link Ingest.update}; the removal stands then, and forgetting again goes on
   */
  forget(id: string | readonly string[], options?: ForgetOptions): Promise<Erasure>;
  /** To be called with the documents of an {@link Erasure} when the files of the caches hold nothing of them any more. */
  endForgetting(uris: readonly string[]): Promise<void>;
  /** The documents whose forgetting was begun and has not ended. */
  unfinishedForgetting(): Promise<readonly string[]>;
  /**
   * Looks for the names of now in every document and records what has changed: after names were added or taken away.
   * Returns the number of documents that changed; they are applied a little later. Cost: reads all texts.
   */
  reannotate(options?: ReannotateRequest): Promise<number>;
  /**
   * Removes uploaded blobs that no event refers to, and returns how many. Uploads may run meanwhile. After a start that
   * follows a crash this is done in the background anyway.
   */
  collectUploads(): Promise<number>;
  /**
   * Fills a fresh, empty index from the log and the datasets while the old one goes on answering, then puts it in its
   * place. Resolves with the old one, for the caller to close and remove. Recorded entities are replayed, not found anew.
   * @throws `ERR_REBUILD` (internal), `ERR_CANCELLED`; the old index stays then
   */
  rebuildSearch(fresh: SearchIndex, options?: RebuildOptions): Promise<SearchIndex>;
  /** The same for the dataset that has the name of the fresh one. @throws `ERR_NO_DATASET` (not-found) */
  rebuildDataset(fresh: GraphDataset, options?: RebuildOptions): Promise<GraphDataset>;
  /** Waits until all that the log holds now is in every cache, and what changed of names in the documents. */
  settle(options?: WaitOptions): Promise<void>;
  /** Waits until every cache that follows a topic has applied it up to a position. */
  waitFor(topic: string, position: Position, options?: WaitOptions): Promise<void>;
  /** Every projector that feeds a cache or a later stage, in the order of the pipeline. */
  readonly projectors: readonly Projector[];
  figures(): Promise<IngestFigures>;
}

/** The corrected document as its corrector sees it. */
export interface CorrectionOutcome {
  readonly document: JsonObject;
  readonly position: Position;
}

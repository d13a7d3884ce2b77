import type { BlobStore, EventLog } from '@cairn/events';
import type { GraphDataset } from '@cairn/rdf-graph';
import type { SearchIndex } from '@cairn/search';
import type { EntityMappingOptions } from '../entity-documents/mapping.ts';
import type { Generator } from '../pipeline/to-search-document.ts';
import type { Clock } from '../port/clock.ts';
import type { Extractor } from '../port/extractor.ts';
import type { HashContent } from '../port/hash-content.ts';
import type { BackOff, FlushPolicy, OnProjectorNotice } from '../projector/projector.ts';
import type { RouteConfig } from '../routes/route.ts';
import type { UploadQueueOptions } from '../upload/queue.ts';

/** A dataset that follows the topic of its own name. */
export interface DatasetOptions {
  readonly dataset: GraphDataset;
  /** The label of what comes without one. Default: nobody sees it. */
  readonly defaultLabel?: string | undefined;
}

/** How documents follow the names that change after they were read. */
export interface ReannotationPolicy {
  /** True when they do by themselves; else by `Ingest.reannotate` only. Default true. */
  readonly automatic?: boolean;
  /**
   * Least pause between two runs, milliseconds; what changes meanwhile is looked for in one. After a long run the pause
   * is four times as long as the run. Default 1,000.
   */
  readonly restMs?: number;
}

/** Options of {@link createIngest}. */
export interface IngestOptions {
  readonly log: EventLog;
  readonly blobs: BlobStore;
  readonly search: SearchIndex;
  readonly datasets: Iterable<DatasetOptions>;
  readonly extractor: Extractor;
  readonly routes: Iterable<RouteConfig>;
  readonly clock: Clock;
  /** A new unique name at every call, of `A-Z a-z 0-9 -`: a UUID. */
  readonly nextId: () => string;
  /** How uploaded content is hashed. Default: by the Web Cryptography API. */
  readonly hash?: HashContent;
  /** Named in the metadata of documents. Default `{name: 'cairn', version: '0'}`. */
  readonly generator?: Generator;
  /** Name of the index that holds documents. Default `doc-content`. */
  readonly documentIndex?: string;
  /** Name of the index that holds entities. Default `search`. */
  readonly entityIndex?: string;
  /** Names of the datasets whose entities are indexed and looked for in documents. Default `['knowledge']`. */
  readonly entityDatasets?: readonly string[];
  /** Name of the dataset that takes RDF files and what is said about documents. Default `knowledge`. */
  readonly documentDataset?: string;
  readonly mapping?: EntityMappingOptions;
  readonly queue?: UploadQueueOptions;
  /** Documents extracted at once. Default 2. */
  readonly extractions?: number;
  /**
   * Least time between two batches of documents in a stage, milliseconds: many small batches cost much more than a few
   * larger ones. What comes after a pause is taken at once. Default 25.
   */
  readonly gatherMs?: number;
  readonly reannotation?: ReannotationPolicy;
  readonly flushPolicy?: FlushPolicy;
  readonly backOff?: BackOff;
  /** Is told of dead letters, and of projectors that do not come on. */
  readonly onNotice?: OnProjectorNotice;
  /** Is told what a cache throws: `search` or the name of a dataset, and the error, which its caller gets as well. */
  readonly onCacheError?: (cache: string, error: unknown) => void;
  /** Is told of stored state that was damaged and could be done without: what it was, and the error. */
  readonly onDamage?: (what: string, error: unknown) => void;
}

import type { Position } from '@cairn/events';
import type { UploadPart } from '@cairn/ingest';
import type { CorrectionRequest, JsonObject } from '@cairn/search';
import type { Viewer } from '@cairn/security';

/** Headers of a request: names compare without case. */
export interface RequestHeaders {
  get(name: string): string | undefined;
}

/** Files that somebody uploads to a route. */
export interface UploadRequest {
  /** The name of the route. */
  readonly route: string;
  readonly headers: RequestHeaders;
  readonly parts: AsyncIterable<UploadPart>;
  readonly viewer: Viewer;
  readonly signal?: AbortSignal | undefined;
}

/** What became of an upload: one result per file. */
export interface UploadAnswer {
  readonly successful: boolean;
  readonly documents: readonly {
    readonly successful: boolean;
    readonly filename: string;
    readonly id: string;
    readonly status: string;
  }[];
}

/** Who writes RDF, where, and under which label. */
export interface GraphWrite {
  readonly dataset: string;
  readonly viewer: Viewer;
  /** Default: the one of the dataset. */
  readonly label: string | undefined;
  readonly requestId: string;
  readonly signal?: AbortSignal | undefined;
}

/** A SPARQL update to be evaluated and published. */
export interface UpdateRequest extends GraphWrite {
  readonly text: string;
  readonly baseIri?: string | undefined;
  readonly defaultGraphs?: readonly string[] | undefined;
  readonly namedGraphs?: readonly string[] | undefined;
}

/** RDF to be loaded, in any syntax. */
export interface RdfRequest extends GraphWrite {
  readonly contentType: string;
  readonly value: Uint8Array;
}

/** The writes of the service: every one an event on the log, acknowledged when it is durable. */
export interface Intake {
  upload(request: UploadRequest): Promise<UploadAnswer>;
  /** Resolves when dataset and search index have applied it; the position is `undefined` when nothing changed. */
  update(request: UpdateRequest): Promise<Position | undefined>;
  /** As {@link Intake.update}. */
  loadRdf(request: RdfRequest): Promise<Position>;
  /** The corrected document as the viewer may see it; `undefined` when no visible entity matches. */
  correctEntity(viewer: Viewer, request: CorrectionRequest): Promise<JsonObject | undefined>;
  /** Waits until everything acknowledged so far has reached the caches. */
  settle(timeoutMs: number): Promise<void>;
  /** Why projections do not go on, in words; empty when all is well. */
  faults(): Promise<string[]>;
}

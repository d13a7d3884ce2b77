import type { NextTurn, TopicPositions } from '@cairn/events';
import type { Viewer } from '@cairn/security';
import type * as RDF from '@rdfjs/types';
import type { GraphReader, ReaderOptions } from './graph-reader.ts';

/** A quad and one label it is stored under. */
export interface LabelledQuad {
  readonly quad: RDF.Quad;
  /** In a deletion `undefined` means: under every label. Always given in an addition. */
  readonly label: string | undefined;
}

/** A prefix, without its colon, that short forms get, or lose when the IRI is `undefined`. */
export interface PrefixChange {
  readonly prefix: string;
  readonly iri: string | undefined;
  /** Who may see it. In a removal `undefined` means: under every label. Always given otherwise. */
  readonly label: string | undefined;
}

/** Changes to a dataset: the deletions first, then the additions; applied whole or not at all. */
export interface ChangeSet {
  readonly deletions: readonly LabelledQuad[];
  readonly additions: readonly LabelledQuad[];
  /** Changes to what {@link ReadableDataset.prefixes} gives, in order. Default none. */
  readonly prefixes?: readonly PrefixChange[] | undefined;
}

/** A pattern of quads; an absent position matches any term. */
export interface QuadPattern {
  readonly subject?: RDF.Term | null | undefined;
  readonly predicate?: RDF.Term | null | undefined;
  readonly object?: RDF.Term | null | undefined;
  readonly graph?: RDF.Term | null | undefined;
}

/** Caps on the work of one evaluation. The rows of the result do not depend on the plan; time and memory may. */
export interface GraphBudget {
  /** Wall-clock milliseconds. Default 30,000. Fails with `ERR_TIME_LIMIT` (timeout). */
  readonly timeLimitMs?: number | undefined;
  /** Rows of the result. Default 10,000,000. Fails with `ERR_RESULT_ROWS` (exhausted). */
  readonly maxRows?: number | undefined;
  /** Bytes of intermediate results, and of what an update changes as written out. Default 1 GiB. Fails with `ERR_QUERY_MEMORY` (exhausted). */
  readonly maxMemoryBytes?: number | undefined;
  /**
   * Steps of about ten nanoseconds that the expressions of one solution may take. Default 8,000,000. Fails with
   * `ERR_QUERY_WORK` (exhausted).
   */
  readonly maxSolutionWork?: number | undefined;
}

/** Options of every evaluation. */
export interface Evaluation {
  readonly signal?: AbortSignal | undefined;
  readonly budget?: GraphBudget | undefined;
  /** Base IRI for relative IRIs in the text. */
  readonly baseIri?: string | undefined;
  /** The protocol's default-graph-uri: replaces the FROM clauses of the text. */
  readonly defaultGraphs?: readonly string[] | undefined;
  /** The protocol's named-graph-uri. */
  readonly namedGraphs?: readonly string[] | undefined;
  /** The instant that NOW() gives, milliseconds since the epoch. Default 0: engines read no clock. */
  readonly nowMs?: number | undefined;
  /** Random numbers in [0, 1) for RAND(), UUID() and STRUUID(). Default: these functions raise an error. */
  readonly random?: (() => number) | undefined;
  /** How a long evaluation lets others run. Default: {@link nextTurn} of no party; a server gives each user their own. */
  readonly nextTurn?: NextTurn | undefined;
}

/** Options of an update: what a query takes, and the label of what it adds. */
export interface UpdateEvaluation extends Evaluation {
  /** The label under which quads are added. */
  readonly label: string;
}

/** One solution: the bound variables (without `?`) and their terms. */
export type Solution = ReadonlyMap<string, RDF.Term>;

/** The answer of a query. Iterables are lazy; consuming one may throw what the evaluation throws. */
export type QueryResult =
  | {
      readonly type: 'bindings';
      readonly variables: readonly string[];
      readonly solutions: AsyncIterable<Solution>;
    }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'quads'; readonly quads: AsyncIterable<RDF.Quad> };

/** The reading half of a {@link GraphDataset}. */
export interface ReadableDataset {
  readonly name: string;
  /** @throws `ERR_SPARQL_SYNTAX` (invalid) with position. */
  query(viewer: Viewer, text: string, evaluation?: Evaluation): Promise<QueryResult>;
  /** The visible quads that match a pattern, each once, as they are when reading begins. */
  match(viewer: Viewer, pattern?: QuadPattern): AsyncIterable<RDF.Quad>;
  /** How many visible quads match. */
  count(viewer: Viewer, pattern?: QuadPattern): Promise<number>;
  /** Opens the viewer's present view, by ids. A dataset that has no ids of its own returns `readByMatch`. */
  reader(viewer: Viewer, options?: ReaderOptions): Promise<GraphReader>;
  /** The visible prefixes for short forms: prefix without colon to IRI. Of several IRIs the last that was given counts. */
  prefixes(viewer: Viewer): Promise<Readonly<Record<string, string>>>;
}

/**
 * A set of labelled quads that answers SPARQL for a viewer.
 *
 * A quad may be stored under several labels and is visible when any of them permits; it is one quad to whoever sees
 * it. The default graph is the graph term of type DefaultGraph.
 *
 * Laws for implementers (`@cairn/rdf-graph/conformance` checks them, in two levels):
 * - `core`: what `apply` changed MUST be visible to every later call when its promise resolves, whole or not at all;
 *   a running query MUST go on over the state in which it began. Applying a change set twice MUST change nothing the
 *   second time. An update MUST neither match nor delete what its viewer may not see.
 *   An answer that is read a second time MUST come whole again, or throw `ERR_ALREADY_READ` (`readableOnce`).
 * - `non-interference`: the answer over all quads MUST equal the answer over only the visible ones.
 */
export interface GraphDataset extends ReadableDataset {
  /**
   * Evaluates an update over what the viewer may see and returns what it would change, without applying it.
   * Deletions name the labels that the viewer may see; no-ops are left out.
   */
  evaluateUpdate(viewer: Viewer, text: string, evaluation: UpdateEvaluation): Promise<ChangeSet>;
  /**
   * Applies change sets in order, as one step. `positions` are recorded with it.
   *
   * Reading begins in the call, and lists, rows and labels are copied: change sets that are read within a slice of a few
   * milliseconds may be changed at once. Of longer ones the rows that follow are copied in the next turns of the event
   * loop, so do not change those before the promise resolves. Quads and terms are not copied: as RDF/JS has it, they are
   * immutable.
   * @throws `ERR_ARGUMENT` (invalid) for an addition without a label or a term that is none; nothing is applied then.
   */
  apply(changes: readonly ChangeSet[], positions?: TopicPositions): Promise<void>;
  /** Every quad that matches, once per label it is stored under. For projections that keep the labels, not for answers. */
  matchLabelled(pattern?: QuadPattern): AsyncIterable<LabelledQuad>;
  /** The positions recorded by the last {@link GraphDataset.apply} of each topic: a copy, not what the dataset goes by. */
  positions(): TopicPositions;
  /** Makes what was applied durable where the implementation stores anything, with its positions. */
  flush(): Promise<void>;
  /** Every later call MUST be refused with `ERR_DATASET_CLOSED` (unavailable); a second close is none. */
  close(): Promise<void>;
}

import type { CodedErrorOptions } from '@cairn/errors';
import type { Evaluation, GraphBudget, SharedSnapshot } from '@cairn/rdf-graph';
import type { OntologyQuestion } from '../../ontology/view.ts';
import type { GraphFormat, WhichGraph } from '../graph-body.ts';
import type { ShaclWork } from '../shacl-report.ts';

/** Work on its way to a worker: everything that it needs, as data. */
export type Task = QueryTask | GraphTask | OntologyTask | ShaclTask;

interface AnyTask {
  /** Whose work it is: threads and places are shared by user. */
  readonly user: string;
  readonly dataset: string;
  readonly snapshot: SharedSnapshot;
  readonly timeLimitMs: number;
}

export interface GraphTask extends AnyTask {
  readonly kind: 'graph';
  readonly which: WhichGraph;
  readonly format: GraphFormat;
}

export interface OntologyTask extends AnyTask {
  readonly kind: 'ontology';
  readonly stylePredicate: string;
  readonly question: OntologyQuestion;
}

export interface ShaclTask extends ShaclWork, Omit<AnyTask, 'snapshot'> {
  readonly kind: 'shacl';
  /** The stored data; without it the body is validated. */
  readonly snapshot: SharedSnapshot | undefined;
  readonly prefixes: Readonly<Record<string, string>>;
}

export interface QueryTask extends AnyTask, Pick<Evaluation, 'baseIri' | 'defaultGraphs' | 'namedGraphs' | 'nowMs'> {
  readonly kind: 'query';
  readonly text: string;
  readonly prefixes: Readonly<Record<string, string>>;
  /** The Accept header of the request. */
  readonly accept: string | undefined;
  readonly budget: GraphBudget;
}

/** Message of the main thread: begin, give the next piece of the result, forget it, say that you are there. */
export type ToWorker =
  | { readonly type: 'start'; readonly id: number; readonly task: Task }
  | { readonly type: 'pull'; readonly id: number }
  | { readonly type: 'cancel'; readonly id: number }
  | { readonly type: 'ping' };

/** Message of a worker: the headers of the answer, a piece of its body, why there is no more, or that it is there. */
export type FromWorker =
  | { readonly type: 'begun'; readonly id: number; readonly headers: Readonly<Record<string, string>> }
  | { readonly type: 'piece'; readonly id: number; readonly text: string; readonly isLast: boolean }
  | { readonly type: 'failed'; readonly id: number; readonly error: CodedErrorOptions }
  | { readonly type: 'pong' };

export type TaskMessage = Exclude<FromWorker, { type: 'pong' }>;

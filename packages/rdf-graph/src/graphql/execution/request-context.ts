import type { NextTurn } from '@cairn/events';
import type { Viewer } from '@cairn/security';
import type { FieldNode, GraphQLError } from 'graphql';
import type { GraphReader } from '../../graph/port/graph-reader.ts';
import type { TermId } from '../../graph/port/term-kind.ts';
import { type GraphView, openView } from '../graph/view.ts';
import type { Entity } from '../platform/entity.ts';
import type { EntityFinder } from '../port/entity-finder.ts';
import type { ExecutionGuard } from './guard.ts';

/** A list that was completed apart, and where in the answer it belongs. */
export interface LongList {
  readonly path: readonly (string | number)[];
  readonly items: readonly unknown[];
  readonly errors: readonly GraphQLError[];
}

/** An error that a field threw. */
export interface FieldFailure {
  readonly error: unknown;
  readonly nodes: readonly FieldNode[];
  readonly path: readonly (string | number)[];
}

/** Fields of the running execution. */
export interface FieldCounts {
  /** Those that are at work. */
  open: number;
  readonly failures: FieldFailure[];
}

/** A request as one execution has it: of the whole, or of a portion of a long list in its answer. */
export interface RequestContext {
  readonly viewer: Viewer;
  /** The viewer's view when the request began. */
  readonly reader: GraphReader;
  readonly guard: ExecutionGuard;
  /** Prefixes without colon, for short forms. */
  readonly prefixes: Readonly<Record<string, string>>;
  readonly search: EntityFinder | undefined;
  readonly signal: AbortSignal | undefined;
  readonly nextTurn: NextTurn | undefined;
  readonly variables: { readonly [name: string]: unknown };
  readonly entities: Map<GraphView, Map<TermId, Entity>>;
  /** Values that are made once per request, by key. */
  readonly memo: Map<string, unknown>;
  /** The arguments of each field of the document, read once per request. */
  readonly arguments: Map<FieldNode, unknown>;
  /** Result for each arguments object, or the error: see {@link onceOf}. */
  readonly compiled: Map<object, { readonly value?: unknown; readonly error?: unknown }>;
  /** Lists of the running execution that were completed apart. */
  readonly longLists: LongList[];
  readonly fields: FieldCounts;
}

/** The view that relations are read from: all graphs as one. */
export function wholeView({ reader }: RequestContext): GraphView {
  // biome-ignore lint/style/noNonNullAssertion: the union of all graphs is always there
  return openView(reader, 'union')!;
}

/** The view that says what may be a start: of one graph, or of all without a name; see `openView`. */
export function startView({ reader }: RequestContext, graph: string | null | undefined): GraphView | undefined {
  return openView(reader, graph ?? 'union');
}

/** Computes a result from a field's arguments once per request, however many objects have the field. */
export function onceOf<Value>({ compiled }: RequestContext, args: object, create: () => Value): Value {
  let known = compiled.get(args);
  if (known === undefined) {
    try {
      known = { value: create() };
    } catch (error) {
      known = { error };
    }
    compiled.set(args, known);
  }
  if (known.error !== undefined) throw known.error;
  return known.value as Value;
}

export function once<Value>(context: RequestContext, key: string, create: () => Value): Value {
  const known = context.memo.get(key);
  if (known !== undefined) return known as Value;
  const value = create();
  context.memo.set(key, value);
  return value;
}

import type { NextTurn } from '@cairn/events';
import type { SearchIndex } from '@cairn/search';
import type { Viewer } from '@cairn/security';
import type { FieldNode } from 'graphql';
import type { Snapshot } from '../../store/snapshot.ts';
import type { TermId } from '../../store/term-kind.ts';
import { openView } from '../graph/open-view.ts';
import type { GraphView } from '../graph/view.ts';
import type { Entity } from '../platform/entity.ts';
import type { ExecutionGuard } from './guard.ts';
import type { LongList } from './long-lists.ts';

/** What the resolvers of one request share. */
export interface RequestContext {
  readonly viewer: Viewer;
  readonly snapshot: Snapshot;
  readonly guard: ExecutionGuard;
  /** Prefixes without colon, for short forms. */
  readonly prefixes: Readonly<Record<string, string>>;
  readonly search: SearchIndex | undefined;
  readonly signal: AbortSignal | undefined;
  readonly nextTurn: NextTurn | undefined;
  /** As they came with the request. */
  readonly variables: { readonly [name: string]: unknown };
  /** Lists of the running execution that were completed apart. */
  readonly longLists: LongList[];
  /** The entities of each view, each once. */
  readonly entities: Map<GraphView, Map<TermId, Entity>>;
  /** Values that are made once per request, by key. */
  readonly memo: Map<string, unknown>;
  /** The arguments of each field of the document, read once per request. */
  readonly arguments: Map<FieldNode, unknown>;
  /** What was made of an arguments object, or why nothing could be: see {@link onceOf}. */
  readonly compiled: Map<object, unknown>;
}

/** The view that relations are read from: all graphs as one. */
export function wholeView({ snapshot }: RequestContext): GraphView {
  return openView(snapshot, 'union')!;
}

/** The view that says what may be a start: of one graph, or of all without a name; see `openView`. */
export function startView({ snapshot }: RequestContext, graph: string | null | undefined): GraphView | undefined {
  return openView(snapshot, graph ?? 'union');
}

/** What is made of a field's arguments, once per request however many objects the field is asked of. */
export function onceOf<Value>({ compiled }: RequestContext, args: object, create: () => Value): Value {
  const known = compiled.get(args);
  if (known instanceof Failure) throw known.error;
  if (known !== undefined) return known as Value;
  try {
    const value = create();
    compiled.set(args, value);
    return value;
  } catch (error) {
    compiled.set(args, new Failure(error));
    throw error;
  }
}

class Failure {
  readonly error: unknown;

  constructor(error: unknown) {
    this.error = error;
  }
}

/** The value of a key, made once per request. */
export function once<Value>(context: RequestContext, key: string, create: () => Value): Value {
  const known = context.memo.get(key);
  if (known !== undefined) return known as Value;
  const value = create();
  context.memo.set(key, value);
  return value;
}

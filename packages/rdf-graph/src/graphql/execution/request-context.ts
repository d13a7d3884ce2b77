import type { SearchIndex } from '@cairn/search';
import type { Viewer } from '@cairn/security';
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
  /** As they came with the request. */
  readonly variables: { readonly [name: string]: unknown };
  /** Lists of the running execution that were completed apart. */
  readonly longLists: LongList[];
  /** The entities of each view, each once. */
  readonly entities: Map<GraphView, Map<TermId, Entity>>;
  /** Values that are made once per request, by key. */
  readonly memo: Map<string, unknown>;
}

/** The view of a graph by its name; see `openView`. */
export function viewOf(context: RequestContext, graph: string | null | undefined): GraphView | undefined {
  return openView(context.snapshot, graph);
}

/** The value of a key, made once per request. */
export function once<Value>(context: RequestContext, key: string, create: () => Value): Value {
  const known = context.memo.get(key);
  if (known !== undefined) return known as Value;
  const value = create();
  context.memo.set(key, value);
  return value;
}

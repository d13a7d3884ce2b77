import { CodedError } from '@cairn/errors';
import type * as Ast from 'sparqljs';
import { DEFAULT_GRAPH_ID, type TermId } from '../../graph/port/term-kind.ts';
import { QuadTable } from '../../graph/store/quad-table.ts';
import { inTurns } from '../../graph/store/scheduler.ts';
import type { Snapshot } from '../../graph/store/snapshot.ts';
import type { Guard } from '../query/guard.ts';
import { forEachQuad, QUADS_PER_TURN, type RunningUpdate } from './update-run.ts';

/** Runs an operation of graph management over what the writer sees. Empty graphs are not recorded. */
export async function manageGraphs(operation: Ast.ManagementOperation, update: RunningUpdate): Promise<void> {
  const { overlay } = update;
  switch (operation.type) {
    case 'clear':
    case 'drop':
      return clear(graphsOf(operation.graph, await inTurns(overlay.snapshot())), update);
    case 'create':
      return create(operation, await inTurns(overlay.snapshot()));
    case 'copy':
    case 'move':
    case 'add':
      return transfer(operation, update);
    case 'load':
      return load(operation, update);
  }
}

function graphsOf(reference: Ast.GraphReference, snapshot: Snapshot): Iterable<TermId> {
  if (reference.all) return snapshot.graphs();
  if (reference.named) return snapshot.namedGraphs();
  return [reference.default ? DEFAULT_GRAPH_ID : snapshot.idOf(nameOf(reference))];
}

function nameOf({ name }: Pick<Ast.GraphOrDefault, 'name'>): Ast.IriTerm {
  if (name === undefined) throw new Error('a graph has neither a name nor is it the default one');
  return name;
}

async function quadsOf(snapshot: Snapshot, graph: TermId, guard: Guard): Promise<QuadTable> {
  if (graph === 0) return new QuadTable();
  const quads = new QuadTable(Math.max(8, await inTurns(snapshot.countInSlices(0, 0, 0, graph))));
  for (const found of snapshot.quadIdsInSlices(0, 0, 0, graph)) {
    if (found !== undefined) {
      const [s, p, o, g] = found;
      quads.set(s, p, o, g, 0);
      if (quads.size % QUADS_PER_TURN !== 0) continue;
    }
    await guard.pauseWhenDue();
  }
  return quads;
}

async function clear(graphs: Iterable<TermId>, { overlay, guard }: RunningUpdate): Promise<void> {
  const snapshot = await inTurns(overlay.snapshot());
  for (const graph of graphs) {
    const quads = await quadsOf(snapshot, graph, guard);
    await forEachQuad(quads, guard, (s, p, o) => overlay.delete(s, p, o, graph));
    guard.check();
  }
}

function create({ graph, silent }: Ast.CreateOperation, snapshot: Snapshot): void {
  const id = snapshot.idOf(nameOf(graph));
  if (silent || id === 0 || !snapshot.namedGraphs().includes(id)) return;
  throw new CodedError({
    code: 'ERR_GRAPH_EXISTS',
    kind: 'conflict',
    message: `CREATE needs a graph that is not there yet; <${nameOf(graph).value}> is`,
  });
}

async function transfer(operation: Ast.CopyMoveAddOperation, update: RunningUpdate): Promise<void> {
  const { overlay, guard, store } = update;
  const idOf = (graph: Ast.GraphOrDefault) =>
    graph.default ? DEFAULT_GRAPH_ID : store.dictionary.intern(nameOf(graph));
  const source = idOf(operation.source);
  const destination = idOf(operation.destination);
  if (source === destination) return;
  const quads = await quadsOf(await inTurns(overlay.snapshot()), source, guard);
  // Unspecified: the standard lets a service fail here; a misspelt name would empty the destination.
  if (quads.size === 0 && !operation.source.default) {
    if (operation.silent) return;
    throw noGraph(operation);
  }
  if (operation.type !== 'add') await clear([destination], update);
  await forEachQuad(quads, guard, (s, p, o) => overlay.add(s, p, o, destination));
  if (operation.type === 'move') await clear([source], update);
}

function noGraph({ type, source }: Ast.CopyMoveAddOperation): CodedError {
  return new CodedError({
    code: 'ERR_NO_GRAPH',
    kind: 'not-found',
    message: `${type.toUpperCase()} needs a graph that is there; nothing of <${nameOf(source).value}> is to be seen`,
  });
}

async function load(operation: Ast.LoadOperation, update: RunningUpdate): Promise<void> {
  const { overlay, guard } = update;
  const { dictionary } = update.store;
  try {
    const quads = await update.load?.(operation.source.value, update.evaluation.signal);
    if (quads === undefined) throw loadRefused(operation.source.value);
    const graph = operation.destination ? dictionary.intern(operation.destination) : DEFAULT_GRAPH_ID;
    let read = 0;
    for (const { subject, predicate, object } of quads) {
      overlay.add(dictionary.intern(subject), dictionary.intern(predicate), dictionary.intern(object), graph);
      if (++read % QUADS_PER_TURN === 0) await guard.pauseWhenDue();
    }
  } catch (error) {
    if (!operation.silent) throw error;
  }
}

function loadRefused(iri: string): CodedError {
  return new CodedError({ code: 'ERR_LOAD_REFUSED', kind: 'denied', message: `LOAD is not allowed here: ${iri}` });
}

import { CodedError } from '@cairn/errors';
import type * as Ast from 'sparqljs';
import { DEFAULT_GRAPH_ID, type TermId } from '../../graph/port/term-kind.ts';
import { QuadTable } from '../../graph/store/quad-table.ts';
import { inTurns } from '../../graph/store/scheduler.ts';
import type { Snapshot } from '../../graph/store/snapshot.ts';
import type { Guard } from '../query/guard.ts';
import type { Overlay } from './overlay.ts';
import type { UpdateRun } from './update-run.ts';

/** Quads between two looks at the event loop. */
const QUADS_PER_TURN = 512;

/** Runs an operation of graph management over what the writer sees. Empty graphs are not recorded. */
export async function manageGraphs(
  operation: Ast.ManagementOperation,
  overlay: Overlay,
  run: UpdateRun,
  guard: Guard,
): Promise<void> {
  switch (operation.type) {
    case 'clear':
    case 'drop':
      return clear(overlay, graphsOf(operation.graph, await inTurns(overlay.snapshot())), guard);
    case 'create':
      return create(operation, await inTurns(overlay.snapshot()));
    case 'copy':
    case 'move':
    case 'add':
      return transfer(operation, overlay, run, guard);
    case 'load':
      return load(operation, overlay, run, guard);
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

async function clear(overlay: Overlay, graphs: Iterable<TermId>, guard: Guard): Promise<void> {
  const snapshot = await inTurns(overlay.snapshot());
  for (const graph of graphs) {
    const quads = await quadsOf(snapshot, graph, guard);
    for (let row = 0; row < quads.size; row++) {
      overlay.delete(quads.s[row], quads.p[row], quads.o[row], graph);
      if (row % QUADS_PER_TURN === QUADS_PER_TURN - 1) await guard.pauseWhenDue();
    }
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

async function transfer(
  operation: Ast.CopyMoveAddOperation,
  overlay: Overlay,
  run: UpdateRun,
  guard: Guard,
): Promise<void> {
  const { dictionary } = run.store;
  const idOf = (graph: Ast.GraphOrDefault) => (graph.default ? DEFAULT_GRAPH_ID : dictionary.intern(nameOf(graph)));
  const source = idOf(operation.source);
  const destination = idOf(operation.destination);
  if (source === destination) return;
  const quads = await quadsOf(await inTurns(overlay.snapshot()), source, guard);
  if (operation.type !== 'add') await clear(overlay, [destination], guard);
  for (let row = 0; row < quads.size; row++) {
    overlay.add(quads.s[row], quads.p[row], quads.o[row], destination);
    if (row % QUADS_PER_TURN === QUADS_PER_TURN - 1) await guard.pauseWhenDue();
  }
  if (operation.type === 'move') await clear(overlay, [source], guard);
}

async function load(operation: Ast.LoadOperation, overlay: Overlay, run: UpdateRun, guard: Guard): Promise<void> {
  const { dictionary } = run.store;
  try {
    const quads = await run.load?.(operation.source.value, run.evaluation.signal);
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

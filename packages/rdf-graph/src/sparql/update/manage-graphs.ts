import { CodedError } from '@cairn/errors';
import type * as RDF from '@rdfjs/types';
import type * as Ast from 'sparqljs';
import { QuadTable } from '../../store/quad-table.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { DEFAULT_GRAPH_ID, type TermId } from '../../store/term-kind.ts';
import type { Guard } from '../query/guard.ts';
import type { UpdateRun } from './evaluate-update.ts';
import type { Overlay } from './overlay.ts';

/** Reads the triples of a document for LOAD; `undefined` when the IRI is not allowed. */
export type LoadGraph = (iri: string, signal: AbortSignal | undefined) => Promise<Iterable<RDF.Quad> | undefined>;

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
      clear(overlay, graphsOf(operation.graph, overlay.snapshot()), guard);
      break;
    case 'create':
      create(operation, overlay);
      break;
    case 'copy':
    case 'move':
    case 'add':
      transfer(operation, overlay, run, guard);
      break;
    case 'load':
      await load(operation, overlay, run);
  }
}

function graphsOf(reference: Ast.GraphReference, snapshot: Snapshot): Iterable<TermId> {
  if (reference.all) return snapshot.graphs();
  if (reference.named) return snapshot.namedGraphs();
  return [reference.default ? DEFAULT_GRAPH_ID : snapshot.idOf(reference.name!)];
}

function quadsOf(snapshot: Snapshot, graph: TermId): QuadTable {
  const quads = new QuadTable();
  if (graph !== 0) snapshot.forEach(0, 0, 0, graph, (s, p, o, g) => quads.set(s, p, o, g, 0));
  return quads;
}

function clear(overlay: Overlay, graphs: Iterable<TermId>, guard: Guard): void {
  const snapshot = overlay.snapshot();
  for (const graph of graphs) {
    const quads = quadsOf(snapshot, graph);
    for (let row = 0; row < quads.size; row++) overlay.delete(quads.s[row]!, quads.p[row]!, quads.o[row]!, graph);
    guard.check();
  }
}

function create({ graph, silent }: Ast.CreateOperation, overlay: Overlay): void {
  const id = overlay.snapshot().idOf(graph.name!);
  if (silent || id === 0 || !overlay.snapshot().namedGraphs().includes(id)) return;
  throw new CodedError({
    code: 'ERR_GRAPH_EXISTS',
    kind: 'conflict',
    message: `CREATE needs a graph that is not there yet; <${graph.name!.value}> is`,
  });
}

function transfer(operation: Ast.CopyMoveAddOperation, overlay: Overlay, run: UpdateRun, guard: Guard): void {
  const { dictionary } = run.store;
  const idOf = (graph: Ast.GraphOrDefault) => (graph.default ? DEFAULT_GRAPH_ID : dictionary.intern(graph.name!));
  const source = idOf(operation.source);
  const destination = idOf(operation.destination);
  if (source === destination) return;
  const quads = quadsOf(overlay.snapshot(), source);
  if (operation.type !== 'add') clear(overlay, [destination], guard);
  for (let row = 0; row < quads.size; row++) overlay.add(quads.s[row]!, quads.p[row]!, quads.o[row]!, destination);
  if (operation.type === 'move') clear(overlay, [source], guard);
}

async function load(operation: Ast.LoadOperation, overlay: Overlay, run: UpdateRun): Promise<void> {
  const { dictionary } = run.store;
  try {
    const quads = await run.load?.(operation.source.value, run.evaluation.signal);
    if (quads === undefined) throw loadRefused(operation.source.value);
    const graph = operation.destination ? dictionary.intern(operation.destination) : DEFAULT_GRAPH_ID;
    for (const { subject, predicate, object } of quads) {
      overlay.add(dictionary.intern(subject), dictionary.intern(predicate), dictionary.intern(object), graph);
    }
  } catch (error) {
    if (!operation.silent) throw error;
  }
}

function loadRefused(iri: string): CodedError {
  return new CodedError({ code: 'ERR_LOAD_REFUSED', kind: 'denied', message: `LOAD is not allowed here: ${iri}` });
}

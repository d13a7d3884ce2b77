import { CodedError } from '@cairn/errors';
import type * as RDF from '@rdfjs/types';
import type * as Ast from 'sparqljs';
import type { ChangeSet, Evaluation } from '../../graph/port/graph-dataset.ts';
import type { TermId } from '../../graph/port/term-kind.ts';
import { QUAD_BYTES, QuadTable } from '../../graph/store/quad-table.ts';
import { inTurns } from '../../graph/store/scheduler.ts';
import { defaultGraph } from '../../rdf/terms.ts';
import { translateGroup } from '../algebra/translate-pattern.ts';
import { beginTranslation } from '../algebra/translate-select.ts';
import { unitInput } from '../execute/batch.ts';
import { Execution } from '../execute/execution.ts';
import { LOCAL_BASE } from '../execute/local-terms.ts';
import { MemoryBudget } from '../execute/memory-budget.ts';
import { Compiler } from '../plan/compiler.ts';
import { aloneInput } from '../plan/input.ts';
import type { Planning } from '../plan/planner.ts';
import { PlanningWork } from '../plan/planning-work.ts';
import { StoreStatistics } from '../plan/store-statistics.ts';
import { type DatasetClause, isDatasetGiven, toActiveDataset } from '../query/active-dataset.ts';
import { slicesWithinStack } from '../query/depth.ts';
import { Driver } from '../query/drive.ts';
import { sourcesOf } from '../query/evaluate.ts';
import { Guard } from '../query/guard.ts';
import { fillTemplate, type TemplateQuad, toTemplateQuad } from '../query/template.ts';
import { deleteData, insertData } from './change-data.ts';
import { manageGraphs } from './manage-graphs.ts';
import { Overlay } from './overlay.ts';
import { forEachQuad, QUADS_PER_TURN, type RunningUpdate, type UpdateRun } from './update-run.ts';

/** Runs the operations of an update one after the other, each over the result of those before, and gives the change. */
export async function evaluateUpdate(update: Ast.Update, run: UpdateRun): Promise<ChangeSet> {
  const memory = new MemoryBudget(run.evaluation.budget?.maxMemoryBytes);
  const overlay = new Overlay(run.store, run.viewer, run.evaluation.label, memory);
  const running = { ...run, overlay, guard: new Guard(run.evaluation, run.nowMs) };
  for (const operation of update.updates) {
    running.guard.check();
    if (!('updateType' in operation)) await manageGraphs(operation, running);
    else if (operation.updateType === 'insert') await insertData(operation.insert, running);
    else if (operation.updateType === 'delete') await deleteData(operation.delete, running);
    else await modify(operation, update.base, running);
  }
  return inTurns(overlay.toChangeSet());
}

/** An operation whose quads come from solutions. */
type PatternOperation = Exclude<Ast.InsertDeleteOperation, { updateType: 'insert' | 'delete' }>;

interface Modification {
  readonly delete: readonly Ast.Quads[];
  readonly insert: readonly Ast.Quads[];
  readonly where: readonly Ast.Pattern[];
  readonly with?: RDF.Term | undefined;
  readonly using?: DatasetClause | undefined;
}

function toModification(operation: PatternOperation): Modification {
  const { delete: deleted = [] } = operation;
  if (operation.updateType === 'deletewhere') return { delete: deleted, insert: [], where: deleted.map(toPattern) };
  const { insert = [], where, graph, using } = operation;
  return { delete: deleted, insert, where, with: graph as RDF.Term | undefined, using };
}

function toPattern(quads: Ast.Quads): Ast.Pattern {
  if (quads.type === 'bgp') return quads;
  return { type: 'graph', name: quads.name, patterns: [{ type: 'bgp', triples: quads.triples }] };
}

async function modify(operation: PatternOperation, baseIri: string | undefined, update: RunningUpdate): Promise<void> {
  const { overlay, guard, evaluation } = update;
  const modification = toModification(operation);
  const snapshot = await inTurns(overlay.snapshot());
  const work = new PlanningWork(evaluation.budget?.maxSolutionWork);
  const compiler = new Compiler(new StoreStatistics(snapshot), work);
  const toTemplate = (quads: readonly Ast.Quads[]) => templateOf(quads, modification.with, compiler);
  const deletion = toTemplate(modification.delete);
  const insertion = toTemplate(modification.insert);
  const needed = new Set([...variablesOf(modification.delete), ...variablesOf(modification.insert)]);
  const plan = await inTurns(slicesWithinStack(planOf(modification.where, needed, compiler)));
  checkDataset(modification, evaluation);
  const dataset = toActiveDataset(snapshot, modification.using, evaluation);
  const withGraph = modification.with !== undefined && modification.using === undefined && !isDatasetGiven(evaluation);
  const active = withGraph ? { ...dataset, defaultGraphs: idsOf(snapshot.idOf(modification.with)) } : dataset;
  const execution = new Execution(snapshot, active, sourcesOf(baseIri, update));
  const driver = new Driver(plan(execution, unitInput()), guard);
  const deleted = new QuadTable();
  const inserted = new QuadTable();
  for (let batch = await driver.next(); batch !== undefined; batch = await driver.next()) {
    guard.countRows(batch.size);
    await fill(deleted, execution, fillTemplate(execution, deletion, batch), false, driver);
    await fill(inserted, execution, fillTemplate(execution, insertion, batch), true, driver);
    await driver.breathe();
  }
  await forEachQuad(deleted, guard, (s, p, o, g) => overlay.delete(s, p, o, g));
  await forEachQuad(inserted, guard, (s, p, o, g) => overlay.add(s, p, o, g));
}

function* planOf(where: readonly Ast.Pattern[], needed: ReadonlySet<string>, compiler: Compiler): Planning {
  const algebra = translateGroup(where, beginTranslation());
  yield;
  return yield* compiler.compile(algebra, aloneInput(needed));
}

function idsOf(id: TermId): TermId[] {
  return id === 0 ? [] : [id];
}

/** The protocol forbids its parameters beside USING and WITH. */
function checkDataset({ using, with: graph }: Modification, evaluation: Evaluation): void {
  if (!isDatasetGiven(evaluation) || (using === undefined && graph === undefined)) return;
  throw new CodedError({
    code: 'ERR_UPDATE_DATASET',
    kind: 'invalid',
    message: 'using-graph-uri and using-named-graph-uri cannot stand beside USING or WITH in the update',
  });
}

function templateOf(quads: readonly Ast.Quads[], graph: RDF.Term | undefined, compiler: Compiler): TemplateQuad[] {
  const slotOf = (name: string) => compiler.slots.of(name);
  return quads.flatMap((part) => {
    const target = part.type === 'graph' ? part.name : (graph ?? defaultGraph());
    return part.triples.map((triple) => toTemplateQuad(triple, target, slotOf));
  });
}

function variablesOf(quads: readonly Ast.Quads[]): string[] {
  const names: string[] = [];
  const visit = (term: RDF.Term): void => {
    if (term.termType === 'Variable') names.push(term.value);
    if (term.termType === 'Quad') for (const part of [term.subject, term.predicate, term.object]) visit(part);
  };
  for (const part of quads) {
    if (part.type === 'graph') visit(part.name);
    for (const { subject, predicate, object } of part.triples) {
      for (const term of [subject, predicate as RDF.Term, object]) visit(term);
    }
  }
  return names;
}

/** Takes quads over; terms that the store does not hold yet are interned only where they are to be added. */
async function fill(
  table: QuadTable,
  execution: Execution,
  quads: Iterable<readonly TermId[]>,
  interns: boolean,
  driver: Driver,
): Promise<void> {
  let count = 0;
  for (const ids of quads) {
    if (++count % QUADS_PER_TURN === 0) await driver.breathe();
    if (!interns && ids.some((id) => id >= LOCAL_BASE)) continue;
    const [s, p, o, g] = ids.map((id) => (id >= LOCAL_BASE ? execution.dictionary.intern(execution.term(id)) : id));
    if (table.set(s, p, o, g, 0)) execution.memory.take(QUAD_BYTES);
  }
}

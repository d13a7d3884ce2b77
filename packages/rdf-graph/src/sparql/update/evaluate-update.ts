import { CodedError } from '@cairn/errors';
import type * as RDF from '@rdfjs/types';
import type * as Ast from 'sparqljs';
import type { ChangeSet } from '../../graph/port/graph-dataset.ts';
import type { TermId } from '../../graph/port/term-kind.ts';
import { QUAD_BYTES, QuadTable } from '../../graph/store/quad-table.ts';
import { inTurns } from '../../graph/store/scheduler.ts';
import { defaultGraph } from '../../rdf/terms.ts';
import { beginTranslation } from '../algebra/translate.ts';
import { translateGroup } from '../algebra/translate-pattern.ts';
import { unitInput } from '../execute/batch.ts';
import { Execution } from '../execute/execution.ts';
import { LOCAL_BASE } from '../execute/local-terms.ts';
import { MemoryBudget } from '../execute/memory-budget.ts';
import { Compiler } from '../plan/compiler.ts';
import { aloneInput } from '../plan/input.ts';
import type { Planning } from '../plan/planner.ts';
import { PlanningWork } from '../plan/planning-work.ts';
import { StoreStatistics } from '../plan/store-statistics.ts';
import { toActiveDataset } from '../query/active-dataset.ts';
import { slicesWithinStack } from '../query/depth.ts';
import { Driver } from '../query/drive.ts';
import { sourcesOf } from '../query/evaluate.ts';
import { Guard } from '../query/guard.ts';
import { fillTemplate, type TemplateQuad, toTemplateQuad } from '../query/template.ts';
import { deleteData, insertData } from './change-data.ts';
import { manageGraphs } from './manage-graphs.ts';
import { Overlay } from './overlay.ts';
import type { UpdateRun } from './update-run.ts';

/** Quads of a template between two looks at the event loop. */
const QUADS_PER_TURN = 512;

/** Runs the operations of an update one after the other, each over the result of those before, and gives the change. */
export async function evaluateUpdate(update: Ast.Update, run: UpdateRun): Promise<ChangeSet> {
  const memory = new MemoryBudget(run.evaluation.budget?.maxMemoryBytes);
  const overlay = new Overlay(run.store, run.viewer, run.evaluation.label, memory);
  const guard = new Guard(run.evaluation, run.nowMs);
  for (const operation of update.updates) {
    guard.check();
    if (!('updateType' in operation)) await manageGraphs(operation, overlay, run, guard);
    else if (operation.updateType === 'insert') await insertData(operation.insert, overlay, run, guard);
    else if (operation.updateType === 'delete')
      await deleteData(operation.delete, overlay, run.store.dictionary, guard);
    else await modify(operation, update.base, overlay, run, guard);
  }
  return inTurns(overlay.toChangeSet());
}

/** An operation whose quads come from solutions. */
type PatternOperation = Exclude<Ast.InsertDeleteOperation, { updateType: 'insert' | 'delete' }>;

interface Modification {
  readonly delete: readonly Ast.Quads[];
  readonly insert: readonly Ast.Quads[];
  readonly where: readonly Ast.Pattern[];
  readonly with: RDF.Term | undefined;
  readonly using: { default: readonly RDF.Term[]; named: readonly RDF.Term[] } | undefined;
}

function toModification(operation: PatternOperation): Modification {
  const none = { delete: [], insert: [], where: [], with: undefined, using: undefined };
  switch (operation.updateType) {
    case 'deletewhere':
      return { ...none, delete: operation.delete, where: operation.delete.map(toPattern) };
    case 'insertdelete':
      return {
        delete: operation.delete ?? [],
        insert: operation.insert ?? [],
        where: operation.where,
        with: operation.graph as RDF.Term | undefined,
        using: operation.using,
      };
  }
}

function toPattern(quads: Ast.Quads): Ast.Pattern {
  if (quads.type === 'bgp') return quads;
  return { type: 'graph', name: quads.name, patterns: [{ type: 'bgp', triples: quads.triples }] };
}

async function modify(
  operation: PatternOperation,
  baseIri: string | undefined,
  overlay: Overlay,
  run: UpdateRun,
  guard: Guard,
): Promise<void> {
  const modification = toModification(operation);
  const snapshot = await inTurns(overlay.snapshot());
  const work = new PlanningWork(run.evaluation.budget?.maxSolutionWork);
  const compiler = new Compiler(new StoreStatistics(snapshot), work);
  const toTemplate = (quads: readonly Ast.Quads[]) => templateOf(quads, modification.with, compiler);
  const deletion = toTemplate(modification.delete);
  const insertion = toTemplate(modification.insert);
  const needed = new Set([...variablesOf(modification.delete), ...variablesOf(modification.insert)]);
  const plan = await inTurns(slicesWithinStack(planOf(modification.where, needed, compiler)));
  const dataset = toActiveDataset(snapshot, clauseOf(modification, run), run.evaluation);
  const withGraph = modification.with !== undefined && !isDatasetGiven(modification, run);
  const active = withGraph ? { ...dataset, defaultGraphs: idsOf(snapshot.idOf(modification.with)) } : dataset;
  const execution = new Execution(snapshot, active, sourcesOf(baseIri, { ...run, snapshot }));
  const driver = new Driver(plan(execution, unitInput()), guard);
  const deleted = new QuadTable();
  const inserted = new QuadTable();
  for (let batch = await driver.next(); batch !== undefined; batch = await driver.next()) {
    guard.countRows(batch.size);
    await fill(deleted, execution, fillTemplate(execution, deletion, batch), false, driver);
    await fill(inserted, execution, fillTemplate(execution, insertion, batch), true, driver);
    await driver.breathe();
  }
  await applyTables(overlay, deleted, inserted, driver);
}

function* planOf(where: readonly Ast.Pattern[], needed: ReadonlySet<string>, compiler: Compiler): Planning {
  const algebra = translateGroup(where, beginTranslation());
  yield;
  return yield* compiler.compile(algebra, aloneInput(needed));
}

function idsOf(id: TermId): TermId[] {
  return id === 0 ? [] : [id];
}

function isDatasetGiven({ using }: Modification, { evaluation }: UpdateRun): boolean {
  return (
    using !== undefined || (evaluation.defaultGraphs ?? []).length > 0 || (evaluation.namedGraphs ?? []).length > 0
  );
}

/** The protocol forbids its parameters beside USING and WITH. */
function clauseOf(modification: Modification, run: UpdateRun): Modification['using'] {
  const { defaultGraphs = [], namedGraphs = [] } = run.evaluation;
  const isGiven = defaultGraphs.length > 0 || namedGraphs.length > 0;
  if (isGiven && (modification.using !== undefined || modification.with !== undefined)) {
    throw new CodedError({
      code: 'ERR_UPDATE_DATASET',
      kind: 'invalid',
      message: 'using-graph-uri and using-named-graph-uri cannot stand beside USING or WITH in the update',
    });
  }
  return modification.using;
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

async function applyTables(overlay: Overlay, deleted: QuadTable, inserted: QuadTable, driver: Driver): Promise<void> {
  for (let row = 0; row < deleted.size; row++) {
    if (row % QUADS_PER_TURN === QUADS_PER_TURN - 1) await driver.breathe();
    overlay.delete(deleted.s[row], deleted.p[row], deleted.o[row], deleted.g[row]);
  }
  for (let row = 0; row < inserted.size; row++) {
    if (row % QUADS_PER_TURN === QUADS_PER_TURN - 1) await driver.breathe();
    overlay.add(inserted.s[row], inserted.p[row], inserted.o[row], inserted.g[row]);
  }
}

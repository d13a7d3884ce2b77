import type * as RDF from '@rdfjs/types';
import { type TermId, UNBOUND } from '../../graph/port/term-kind.ts';
import {
  type Batch,
  batchInput,
  bytesOf,
  eachBatch,
  idAt,
  keepSlots,
  type Plan,
  planOf,
  type Steps,
  sliceBatch,
  takeRows,
  withColumn,
} from './batch.ts';
import type { Execution } from './execution.ts';
import type { PreparedEvaluator } from './exists.ts';
import { RowSet } from './row-set.ts';

export function pipeline(plans: readonly Plan[]): Plan {
  return (execution, input) =>
    plans.reduce((steps, plan, at) => plan(execution, at === 0 ? steps : held(execution, steps)), input);
}

/**
 * Counts each batch while the plan after it works on it, as memory and as work: a thousand plans in a row hold a
 * thousand batches of up to a thousand columns, and make all of them before the first row comes out.
 */
function* held(execution: Execution, steps: Steps): Steps {
  for (const batch of steps) {
    if (batch === undefined) {
      yield undefined;
      continue;
    }
    const bytes = bytesOf(batch);
    execution.memory.take(bytes);
    try {
      if (execution.work.didCopy(bytes)) yield undefined;
      yield batch;
    } finally {
      execution.memory.release(bytes);
    }
  }
}

export function union(operands: readonly Plan[]): Plan {
  return eachBatch(unite, operands);
}

function* unite(operands: readonly Plan[], execution: Execution, batch: Batch): Steps {
  for (const operand of operands) yield* operand(execution, batchInput(batch));
}

type Assignments = readonly (readonly [slot: number, prepared: PreparedEvaluator])[];

/** Sets variables to the values of expressions, one after the other; an error leaves a variable unbound. */
export function extend(assignments: Assignments): Plan {
  return eachBatch(assign, assignments);
}

function* assign(assignments: Assignments, execution: Execution, batch: Batch): Steps {
  const columns = batch.columns.slice();
  const extended: Batch = { size: batch.size, columns };
  const targets: Uint32Array[] = [];
  for (const [slot, { exists }] of assignments) {
    // Inside EXISTS the outer row may bind it: an error leaves that.
    const target = batch.columns[slot]?.slice() ?? new Uint32Array(batch.size);
    targets.push(target);
    columns[slot] = target;
    for (const test of exists) yield* test.prepare(execution, extended);
  }
  for (let row = 0; row < batch.size; row++) {
    execution.beginSolution();
    for (let i = 0; i < targets.length; i++) {
      const id = assignments[i][1].evaluator.id(execution, extended, row);
      if (id !== UNBOUND) targets[i][row] = id;
    }
    if (execution.work.isDue() || (row & 1023) === 1023) yield undefined;
  }
  yield extended;
}

/** Drops the columns that nobody wants any more. */
export function project(slots: readonly number[]): Plan {
  return planOf(projectAll, slots);
}

function* projectAll(slots: readonly number[], _execution: Execution, input: Steps): Steps {
  for (const batch of input) yield batch && keepSlots(batch, slots);
}

/** Each solution once. */
export function distinct(slots: readonly number[]): Plan {
  return planOf(distinctRows, slots);
}

function* distinctRows(slots: readonly number[], execution: Execution, input: Steps): Steps {
  const seen = new RowSet(slots.length, execution.memory);
  for (const batch of input) yield batch && newRows(seen, slots, batch);
}

function newRows(seen: RowSet, slots: readonly number[], batch: Batch): Batch | undefined {
  const rows = new Uint32Array(batch.size);
  let size = 0;
  for (let row = 0; row < batch.size; row++) if (seen.admit(batch.columns, slots, row)) rows[size++] = row;
  return size === 0 ? undefined : takeRows(batch, rows, size);
}

/** OFFSET and LIMIT: stops the plans before it as soon as it has enough. */
export function slice(offset: number, limit: number = Number.POSITIVE_INFINITY): Plan {
  return planOf(cut, { offset, limit });
}

interface Page {
  readonly offset: number;
  readonly limit: number;
}

function* cut({ offset, limit }: Page, _execution: Execution, input: Steps): Steps {
  if (limit === 0) return;
  let skip = offset;
  let left = limit;
  for (const batch of input) {
    const start = Math.min(skip, batch?.size ?? 0);
    const end = Math.min(batch?.size ?? 0, start + left);
    skip -= start;
    left -= end - start;
    yield batch && end > start ? sliceBatch(batch, start, end) : undefined;
    if (left === 0) return;
  }
}

/** GRAPH with a variable, one graph after the other: the variable is the graph, or the solution falls out. */
export function graphLoop(name: string, slot: number, child: Plan): Plan {
  return eachBatch(eachGraph, { name, slot, child });
}

interface GraphLoop {
  readonly name: string;
  readonly slot: number;
  readonly child: Plan;
}

function* eachGraph({ name, slot, child }: GraphLoop, execution: Execution, batch: Batch): Steps {
  for (const graph of execution.namedGraphs()) {
    for (const output of child(execution.inGraph(name, graph), batchInput(batch))) {
      yield output && bindGraph(output, slot, graph);
    }
  }
}

function bindGraph(batch: Batch, slot: number, graph: TermId): Batch | undefined {
  const rows = new Uint32Array(batch.size);
  let size = 0;
  for (let row = 0; row < batch.size; row++) {
    const own = idAt(batch, slot, row);
    if (own === UNBOUND || own === graph) rows[size++] = row;
  }
  if (size === 0) return undefined;
  return withColumn(takeRows(batch, rows, size), slot, new Uint32Array(size).fill(graph));
}

/** VALUES as a table. Stands alone: its one input row binds nothing. */
export function values(slots: readonly number[], rows: ValuesTable['rows']): Plan {
  return eachBatch(table, { slots, rows });
}

interface ValuesTable {
  readonly slots: readonly number[];
  readonly rows: readonly (readonly (RDF.Term | undefined)[])[];
}

function* table({ slots, rows }: ValuesTable, execution: Execution): Steps {
  const columns: (Uint32Array | undefined)[] = [];
  slots.forEach((slot, i) => {
    columns[slot] = Uint32Array.from(rows, (row) => (row[i] === undefined ? UNBOUND : execution.idOf(row[i])));
  });
  yield { size: rows.length, columns };
}

/** The input as it is: what a refused SERVICE gives that is SILENT. */
export const pass: Plan = (_execution, input) => input;

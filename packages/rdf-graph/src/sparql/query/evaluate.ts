import { readableOnce } from '@cairn/errors';
import type { NowMs } from '@cairn/events';
import type * as RDF from '@rdfjs/types';
import type { Evaluation, QueryResult, Solution } from '../../graph/port/graph-dataset.ts';
import type { QuadIds } from '../../graph/port/graph-reader.ts';
import { DEFAULT_GRAPH_ID, type TermId, TermKind, UNBOUND } from '../../graph/port/term-kind.ts';
import type { Snapshot } from '../../graph/store/snapshot.ts';
import { quad } from '../../rdf/terms.ts';
import { type Batch, idAt, unitInput } from '../execute/batch.ts';
import { Execution, type FunctionSources } from '../execute/execution.ts';
import { LOCAL_BASE } from '../execute/local-terms.ts';
import { RowSet } from '../execute/row-set.ts';
import { toActiveDataset } from './active-dataset.ts';
import { Driver, inBreaths, iterate } from './drive.ts';
import { Guard } from './guard.ts';
import type { CompiledQuery, PreparedQuery } from './prepare.ts';
import { fillTemplate } from './template.ts';

export interface QueryRun {
  readonly snapshot: Snapshot;
  readonly evaluation: Evaluation;
  /** The clock. */
  readonly nowMs: NowMs | undefined;
  /** A label that no blank node has. */
  freshLabel(): string;
}

/** Runs a compiled query. Solutions and quads are computed as they are taken. */
export async function evaluateQuery(
  query: PreparedQuery,
  compiled: CompiledQuery,
  run: QueryRun,
): Promise<QueryResult> {
  const dataset = toActiveDataset(run.snapshot, query.from, run.evaluation);
  const execution = new Execution(run.snapshot, dataset, sourcesOf(query.baseIri, run));
  const guard = new Guard(run.evaluation, run.nowMs);
  guard.check();
  const driver = new Driver(compiled.plan(execution, unitInput()), guard);
  switch (query.form) {
    case 'SELECT':
      return {
        type: 'bindings',
        variables: query.variables,
        solutions: iterate(driver, (batch) => {
          guard.countRows(batch.size);
          return toSolutions(execution, batch, query.variables, compiled.slots);
        }),
      };
    case 'ASK': {
      const found = await driver.next();
      driver.close();
      return { type: 'boolean', value: found !== undefined };
    }
    case 'CONSTRUCT': {
      const toQuads = distinctQuads(execution, guard);
      const toItems = (batch: Batch) => toQuads(fillTemplate(execution, compiled.template, batch));
      return { type: 'quads', quads: iterate(driver, toItems) };
    }
    case 'DESCRIBE': {
      const quads = describe(execution, driver, distinctQuads(execution, guard), query.described, compiled.slots);
      return { type: 'quads', quads: readableOnce(quads) };
    }
  }
}

export function sourcesOf(
  baseIri: string | undefined,
  { evaluation, freshLabel }: Pick<QueryRun, 'evaluation' | 'freshLabel'>,
): FunctionSources {
  return {
    nowMs: evaluation.nowMs ?? 0,
    random: evaluation.random,
    baseIri: baseIri ?? evaluation.baseIri,
    maxMemoryBytes: evaluation.budget?.maxMemoryBytes,
    maxSolutionWork: evaluation.budget?.maxSolutionWork,
    freshLabel,
  };
}

const TRIPLE_SLOTS = [0, 1, 2];

/** So many triples that came before may follow one another before others have their turn. */
const REPEATED_PER_TURN = 512;

type ToQuads = (quads: Iterable<QuadIds>) => Generator<RDF.Quad | undefined>;

/** A graph is a set: each triple comes once. `undefined` where others may have their turn. */
function distinctQuads(execution: Execution, guard: Guard): ToQuads {
  const seen = new RowSet(3, execution.memory);
  const row = [new Uint32Array(1), new Uint32Array(1), new Uint32Array(1)];
  return function* (quads) {
    let repeated = 0;
    for (const [s, p, o] of quads) {
      row[0][0] = s;
      row[1][0] = p;
      row[2][0] = o;
      if (!seen.admit(row, TRIPLE_SLOTS, 0)) {
        if (++repeated % REPEATED_PER_TURN === 0) yield undefined;
        continue;
      }
      guard.countRows(1);
      yield quad(execution.term(s), execution.term(p), execution.term(o));
    }
  };
}

async function* describe(
  execution: Execution,
  driver: Driver,
  toQuads: ToQuads,
  described: readonly RDF.Term[],
  slots: readonly number[],
): AsyncGenerator<RDF.Quad> {
  const seen = new Set<TermId>();
  const ids = described.map((term) => execution.idOf(term));
  yield* inBreaths(driver, toQuads(describeResources(execution, ids, seen)));
  if (slots.length === 0) return;
  yield* iterate(driver, (batch) => toQuads(describeResources(execution, idsIn(batch, slots), seen)));
}

/** About what a node takes in a set or a list. */
const BYTES_PER_NODE = 32;

/**
 * Describes resources: every triple of the default graph they are the subject of, and those of the blank nodes reached
 * from there (a concise bounded description). Those in `seen` were described before.
 */
function* describeResources(execution: Execution, resources: Iterable<TermId>, seen: Set<TermId>): Generator<QuadIds> {
  for (const resource of resources) {
    const pending = [resource];
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      if (node === UNBOUND || node >= LOCAL_BASE || seen.has(node)) continue;
      execution.memory.take(BYTES_PER_NODE);
      seen.add(node);
      for (const ids of triplesOf(execution, node)) {
        yield ids;
        if (execution.dictionary.kind(ids[2]) !== TermKind.blankNode) continue;
        execution.memory.take(BYTES_PER_NODE);
        pending.push(ids[2]);
      }
    }
  }
}

function* triplesOf({ snapshot, dataset }: Execution, node: TermId): Generator<QuadIds> {
  for (const graph of dataset.defaultGraphs) {
    for (const [s, p, o] of snapshot.quadIds(node, UNBOUND, UNBOUND, graph)) yield [s, p, o, DEFAULT_GRAPH_ID];
  }
}

function* idsIn(batch: Batch, slots: readonly number[]): Generator<TermId> {
  for (let row = 0; row < batch.size; row++) for (const slot of slots) yield idAt(batch, slot, row);
}

/** The solutions of a batch as maps from variable to term, in the order of the variables. */
function* toSolutions(
  execution: Execution,
  batch: Batch,
  variables: readonly string[],
  slots: readonly number[],
): Generator<Solution> {
  for (let row = 0; row < batch.size; row++) {
    const solution = new Map<string, RDF.Term>();
    for (let i = 0; i < slots.length; i++) {
      const id = idAt(batch, slots[i], row);
      if (id !== UNBOUND) solution.set(variables[i], execution.term(id));
    }
    yield solution;
  }
}

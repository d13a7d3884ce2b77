import type { NowMs } from '@cairn/events';
import type * as RDF from '@rdfjs/types';
import type { Evaluation, QueryResult } from '../../graph/port/graph-dataset.ts';
import type { QuadIds } from '../../graph/port/graph-reader.ts';
import type { Snapshot } from '../../graph/store/snapshot.ts';
import { quad } from '../../rdf/terms.ts';
import { type Batch, unitInput } from '../execute/batch.ts';
import { Execution, type FunctionSources } from '../execute/execution.ts';
import { RowSet } from '../execute/row-set.ts';
import { toActiveDataset } from './active-dataset.ts';
import { Describer } from './describe.ts';
import { Driver, inBreaths, iterate } from './drive.ts';
import { Guard } from './guard.ts';
import type { CompiledQuery, PreparedQuery } from './prepare.ts';
import { toSolutions } from './solution.ts';
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
    case 'CONSTRUCT':
      return {
        type: 'quads',
        quads: quadsOf(execution, driver, guard, (batch) => fillTemplate(execution, compiled.template, batch)),
      };
    case 'DESCRIBE':
      return { type: 'quads', quads: describe(execution, driver, guard, query, compiled) };
  }
}

export function sourcesOf(baseIri: string | undefined, { evaluation, freshLabel }: QueryRun): FunctionSources {
  return {
    nowMs: evaluation.nowMs ?? 0,
    random: evaluation.random,
    baseIri: baseIri ?? evaluation.baseIri,
    maxMemoryBytes: evaluation.budget?.maxMemoryBytes,
    maxSolutionWork: evaluation.budget?.maxSolutionWork,
    freshLabel,
  };
}

function quadsOf(
  execution: Execution,
  driver: Driver,
  guard: Guard,
  toIds: (batch: Batch) => Iterable<QuadIds>,
): AsyncIterableIterator<RDF.Quad> {
  const seen = new RowSet(3, execution.memory);
  return iterate(driver, (batch) => distinctQuads(execution, guard, seen, toIds(batch)));
}

const TRIPLE_SLOTS = [0, 1, 2];

/** So many triples that came before may follow one another before others have their turn. */
const REPEATED_PER_TURN = 512;

/** A graph is a set: each triple comes once. `undefined` where others may have their turn. */
function* distinctQuads(
  execution: Execution,
  guard: Guard,
  seen: RowSet,
  quads: Iterable<QuadIds>,
): Generator<RDF.Quad | undefined> {
  let repeated = 0;
  const row = [new Uint32Array(1), new Uint32Array(1), new Uint32Array(1)];
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
}

async function* describe(
  execution: Execution,
  driver: Driver,
  guard: Guard,
  query: PreparedQuery,
  compiled: CompiledQuery,
): AsyncGenerator<RDF.Quad> {
  const describer = new Describer(execution);
  const seen = new RowSet(3, execution.memory);
  for (const term of query.described) {
    yield* inBreaths(driver, distinctQuads(execution, guard, seen, describer.of(execution.idOf(term))));
  }
  if (compiled.slots.length === 0) return;
  yield* iterate(driver, (batch) => distinctQuads(execution, guard, seen, describer.ofBatch(batch, compiled.slots)));
}

import type * as RDF from '@rdfjs/types';
import type { Evaluation, QueryResult } from '../../port/graph-dataset.ts';
import { quad } from '../../rdf/terms.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { type Batch, unitInput } from '../execute/batch.ts';
import { Execution, type FunctionSources } from '../execute/execution.ts';
import { RowSet } from '../execute/row-set.ts';
import { toActiveDataset } from './active-dataset.ts';
import { Describer } from './describe.ts';
import { Driver, inBreaths, iterate } from './drive.ts';
import { Guard, type Now } from './guard.ts';
import type { CompiledQuery, PreparedQuery } from './prepare.ts';
import { toSolutions } from './solution.ts';
import { fillTemplate, type QuadIds } from './template.ts';

/** What a query runs with. */
export interface QueryRun {
  readonly snapshot: Snapshot;
  readonly evaluation: Evaluation;
  readonly now: Now | undefined;
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
  const x = new Execution(run.snapshot, dataset, sourcesOf(query.baseIri, run));
  const guard = new Guard(run.evaluation, run.now);
  guard.check();
  const driver = new Driver(compiled.plan.run(x, unitInput()), guard);
  switch (query.form) {
    case 'SELECT':
      return {
        type: 'bindings',
        variables: query.variables,
        solutions: iterate(driver, (batch) => {
          guard.countRows(batch.size);
          return toSolutions(x, batch, query.variables, compiled.slots);
        }),
      };
    case 'ASK': {
      const found = await driver.next();
      driver.close();
      return { type: 'boolean', value: found !== undefined };
    }
    case 'CONSTRUCT':
      return { type: 'quads', quads: quadsOf(x, driver, guard, (batch) => fillTemplate(x, compiled.template, batch)) };
    case 'DESCRIBE':
      return { type: 'quads', quads: describe(x, driver, guard, query, compiled) };
  }
}

/** What functions may ask for, from the options of an evaluation. */
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
  x: Execution,
  driver: Driver,
  guard: Guard,
  toIds: (batch: Batch) => Iterable<QuadIds>,
): AsyncIterableIterator<RDF.Quad> {
  const seen = new RowSet(3, x.memory);
  return iterate(driver, (batch) => distinctQuads(x, guard, seen, toIds(batch)));
}

const TRIPLE_SLOTS = [0, 1, 2];

/** So many triples that came before may follow one another before others have their turn. */
const REPEATED_PER_TURN = 512;

/** A graph is a set: each triple comes once. `undefined` where others may have their turn. */
function* distinctQuads(
  x: Execution,
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
    const before = seen.size;
    if (seen.add(row, TRIPLE_SLOTS, 0) !== before) {
      if (++repeated % REPEATED_PER_TURN === 0) yield undefined;
      continue;
    }
    guard.countRows(1);
    yield quad(x.term(s), x.term(p), x.term(o));
  }
}

async function* describe(
  x: Execution,
  driver: Driver,
  guard: Guard,
  query: PreparedQuery,
  compiled: CompiledQuery,
): AsyncGenerator<RDF.Quad> {
  const describer = new Describer(x);
  const seen = new RowSet(3, x.memory);
  for (const term of query.described) {
    yield* inBreaths(driver, distinctQuads(x, guard, seen, describer.of(x.idOf(term))));
  }
  if (compiled.slots.length === 0) return;
  yield* iterate(driver, (batch) => distinctQuads(x, guard, seen, describer.ofBatch(batch, compiled.slots)));
}

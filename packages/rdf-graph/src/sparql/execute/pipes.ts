import type * as RDF from '@rdfjs/types';
import { type TermId, TermKind, UNBOUND } from '../../store/term-kind.ts';
import {
  type Batch,
  batchInput,
  bytesOf,
  idAt,
  type Plan,
  type Steps,
  sliceBatch,
  takeRows,
  withColumn,
} from './batch.ts';
import { ConstantEvaluator } from './evaluator.ts';
import type { Execution } from './execution.ts';
import type { PreparedEvaluator } from './exists.ts';
import { LOCAL_BASE } from './local-terms.ts';
import type { Place } from './pattern-join.ts';
import { RowSet } from './row-set.ts';

/** Plans one after the other. */
export class Pipeline implements Plan {
  readonly #plans: readonly Plan[];

  constructor(plans: readonly Plan[]) {
    this.#plans = plans;
  }

  run(x: Execution, input: Steps): Steps {
    return this.#plans.reduce((steps, plan, at) => plan.run(x, at === 0 ? steps : held(x, steps)), input);
  }
}

/**
 * Counts each batch while the plan after it works on it, as memory and as work: a thousand plans in a row hold a
 * thousand batches of up to a thousand columns, and make all of them before the first row comes out.
 */
function* held(x: Execution, steps: Steps): Steps {
  for (const batch of steps) {
    if (batch === undefined) {
      yield undefined;
      continue;
    }
    const bytes = bytesOf(batch);
    x.memory.take(bytes);
    try {
      if (x.work.didCopy(bytes)) yield undefined;
      yield batch;
    } finally {
      x.memory.release(bytes);
    }
  }
}

/** The solutions of every operand. */
export class UnionPlan implements Plan {
  readonly #operands: readonly Plan[];

  constructor(operands: readonly Plan[]) {
    this.#operands = operands;
  }

  *run(x: Execution, input: Steps): Steps {
    for (const batch of input) {
      if (batch === undefined) yield undefined;
      else for (const operand of this.#operands) yield* operand.run(x, batchInput(batch));
    }
  }
}

/** Sets variables to the values of expressions, one after the other; an error leaves a variable unbound. */
export class ExtendPlan implements Plan {
  readonly #assignments: readonly (readonly [slot: number, prepared: PreparedEvaluator])[];

  constructor(assignments: readonly (readonly [number, PreparedEvaluator])[]) {
    this.#assignments = assignments;
  }

  *run(x: Execution, input: Steps): Steps {
    for (const batch of input) {
      if (batch === undefined) yield undefined;
      else yield* this.#extend(x, batch);
    }
  }

  *#extend(x: Execution, batch: Batch): Steps {
    const columns = batch.columns.slice();
    const extended: Batch = { size: batch.size, columns };
    for (const [slot, { exists }] of this.#assignments) {
      columns[slot] = new Uint32Array(batch.size);
      for (const test of exists) yield* test.prepare(x, extended);
    }
    for (let row = 0; row < batch.size; row++) {
      x.beginSolution();
      for (const [slot, { evaluator }] of this.#assignments) columns[slot]![row] = evaluator.id(x, extended, row);
      if (x.work.isDue() || (row & 1023) === 1023) yield undefined;
    }
    yield extended;
  }
}

/** Drops the columns that nobody wants any more. */
export class ProjectPlan implements Plan {
  readonly #slots: readonly number[];

  constructor(slots: readonly number[]) {
    this.#slots = slots;
  }

  *run(_x: Execution, input: Steps): Steps {
    for (const batch of input) {
      if (batch === undefined) {
        yield undefined;
        continue;
      }
      const columns: (Uint32Array | undefined)[] = [];
      for (const slot of this.#slots) if (batch.columns[slot] !== undefined) columns[slot] = batch.columns[slot];
      yield { size: batch.size, columns };
    }
  }
}

/** Each solution once. */
export class DistinctPlan implements Plan {
  readonly #slots: readonly number[];

  constructor(slots: readonly number[]) {
    this.#slots = slots;
  }

  *run(x: Execution, input: Steps): Steps {
    const seen = new RowSet(this.#slots.length, x.memory);
    for (const batch of input) {
      if (batch === undefined) {
        yield undefined;
        continue;
      }
      const rows = new Uint32Array(batch.size);
      let size = 0;
      for (let row = 0; row < batch.size; row++) {
        const before = seen.size;
        if (seen.add(batch.columns, this.#slots, row) === before) rows[size++] = row;
      }
      yield size === 0 ? undefined : takeRows(batch, rows, size);
    }
  }
}

/** OFFSET and LIMIT: stops the plans before it as soon as it has enough. */
export class SlicePlan implements Plan {
  readonly #offset: number;
  readonly #limit: number;

  constructor(offset: number, limit: number | undefined) {
    this.#offset = offset;
    this.#limit = limit ?? Number.POSITIVE_INFINITY;
  }

  *run(_x: Execution, input: Steps): Steps {
    if (this.#limit === 0) return;
    let skip = this.#offset;
    let left = this.#limit;
    for (const batch of input) {
      if (batch === undefined) {
        yield undefined;
        continue;
      }
      const start = Math.min(skip, batch.size);
      skip -= start;
      const end = Math.min(batch.size, start + left);
      left -= end - start;
      if (end > start) yield sliceBatch(batch, start, end);
      else yield undefined;
      if (left === 0) return;
    }
  }
}

/** GRAPH with a variable, one graph after the other: the variable is the graph, or the solution falls out. */
export class GraphLoop implements Plan {
  readonly #name: string;
  readonly #slot: number;
  readonly #child: Plan;

  constructor(name: string, slot: number, child: Plan) {
    this.#name = name;
    this.#slot = slot;
    this.#child = child;
  }

  *run(x: Execution, input: Steps): Steps {
    for (const batch of input) {
      if (batch === undefined) {
        yield undefined;
        continue;
      }
      for (const graph of x.namedGraphs()) {
        for (const output of this.#child.run(x.inGraph(this.#name, graph), batchInput(batch))) {
          yield output && this.#inGraph(output, graph);
        }
      }
    }
  }

  #inGraph(batch: Batch, graph: TermId): Batch | undefined {
    const rows = new Uint32Array(batch.size);
    let size = 0;
    for (let row = 0; row < batch.size; row++) {
      const own = idAt(batch, this.#slot, row);
      if (own === UNBOUND || own === graph) rows[size++] = row;
    }
    if (size === 0) return undefined;
    return withColumn(takeRows(batch, rows, size), this.#slot, new Uint32Array(size).fill(graph));
  }
}

/** VALUES as a table. */
export class ValuesPlan implements Plan {
  readonly #slots: readonly number[];
  readonly #rows: readonly (readonly (RDF.Term | undefined)[])[];

  constructor(slots: readonly number[], rows: readonly (readonly (RDF.Term | undefined)[])[]) {
    this.#slots = slots;
    this.#rows = rows;
  }

  *run(x: Execution, input: Steps): Steps {
    // Stands alone: its one input row binds nothing.
    for (const batch of input) {
      if (batch === undefined) continue;
      const columns: (Uint32Array | undefined)[] = [];
      this.#slots.forEach((slot, i) => {
        columns[slot] = Uint32Array.from(this.#rows, (row) => (row[i] === undefined ? UNBOUND : x.idOf(row[i])));
      });
      yield { size: this.#rows.length, columns };
    }
  }
}

/** No solutions, or with SILENT the input as it is: what a refused SERVICE gives. */
export class PassPlan implements Plan {
  run(_x: Execution, input: Steps): Steps {
    return input;
  }
}

/** Takes a quoted triple apart: keeps the rows whose triple fits, and binds what is new. */
export class UnquotePlan implements Plan {
  readonly #slot: number;
  readonly #places: readonly Place[];
  readonly #constants: readonly (ConstantEvaluator | undefined)[];

  constructor(slot: number, places: readonly Place[]) {
    this.#slot = slot;
    this.#places = places;
    this.#constants = places.map((place) => (place.type === 'term' ? new ConstantEvaluator(place.term) : undefined));
  }

  *run(x: Execution, input: Steps): Steps {
    for (const batch of input) yield batch === undefined ? undefined : this.#unquote(x, batch);
  }

  #unquote(x: Execution, batch: Batch): Batch | undefined {
    const columns = batch.columns.slice();
    for (const place of this.#places) {
      if (place.type === 'new' && place.slot >= 0) columns[place.slot] = new Uint32Array(batch.size);
      if (place.type === 'maybe') {
        columns[place.slot] = columns[place.slot]?.slice(0, batch.size) ?? new Uint32Array(batch.size);
      }
    }
    const rows = new Uint32Array(batch.size);
    let size = 0;
    for (let row = 0; row < batch.size; row++) {
      const ids = partsOf(x, idAt(batch, this.#slot, row));
      if (ids !== undefined && this.#fits(x, ids, columns, row)) rows[size++] = row;
    }
    return size === 0 ? undefined : takeRows({ size: batch.size, columns }, rows, size);
  }

  #fits(x: Execution, ids: readonly number[], columns: (Uint32Array | undefined)[], row: number): boolean {
    for (let i = 0; i < ids.length; i++) {
      const place = this.#places[i];
      const id = ids[i];
      if (place.type === 'term') {
        if (this.#constants[i]!.id(x) !== id) return false;
      } else if (place.type === 'bound') {
        if (columns[place.slot]![row] !== id) return false;
      } else if (place.type === 'repeat') {
        if (ids[place.place] !== id) return false;
      } else if (place.slot >= 0) {
        const column = columns[place.slot]!;
        if (place.type === 'maybe' && column[row] !== UNBOUND && column[row] !== id) return false;
        column[row] = id;
      }
    }
    return true;
  }
}

function partsOf(x: Execution, id: number): readonly number[] | undefined {
  if (id === UNBOUND) return undefined;
  if (id < LOCAL_BASE) return x.dictionary.kind(id) === TermKind.triple ? x.dictionary.tripleIds(id) : undefined;
  const term = x.term(id);
  return term.termType === 'Quad' ? [x.idOf(term.subject), x.idOf(term.predicate), x.idOf(term.object)] : undefined;
}

import type * as RDF from '@rdfjs/types';
import type { Solution } from '../../graph/port/graph-dataset.ts';
import { UNBOUND } from '../../graph/port/term-kind.ts';
import { type Batch, idAt } from '../execute/batch.ts';
import type { Execution } from '../execute/execution.ts';

/** The solutions of a batch as maps from variable to term, in the order of the variables. */
export function* toSolutions(
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

import type * as RDF from '@rdfjs/types';
import { type Plan, planOf, type Steps } from './batch.ts';
import type { Execution } from './execution.ts';

/** Lets rows through where the dataset has a named graph: one of which something is visible. */
export function whereGraphIs(graph: RDF.Term): Plan {
  return planOf(letThrough, graph);
}

function* letThrough(graph: RDF.Term, execution: Execution, input: Steps): Steps {
  if (yield* execution.hasNamedGraph(execution.idOf(graph))) yield* input;
}

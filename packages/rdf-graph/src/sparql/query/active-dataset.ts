import type * as RDF from '@rdfjs/types';
import type { Evaluation } from '../../graph/port/graph-dataset.ts';
import type { Snapshot } from '../../graph/store/snapshot.ts';
import { namedNode } from '../../rdf/terms.ts';
import { type ActiveDataset, WHOLE_DATASET } from '../execute/execution.ts';

export interface DatasetClause {
  readonly default: readonly RDF.Term[];
  readonly named: readonly RDF.Term[];
}

/** Returns true if the protocol's parameters name a dataset. */
export function isDatasetGiven({ defaultGraphs = [], namedGraphs = [] }: Evaluation): boolean {
  return defaultGraphs.length > 0 || namedGraphs.length > 0;
}

/** The dataset of a query: the protocol's parameters replace the clauses of the text. */
export function toActiveDataset(
  snapshot: Snapshot,
  clause: DatasetClause | undefined,
  evaluation: Evaluation,
): ActiveDataset {
  const { defaultGraphs = [], namedGraphs = [] } = evaluation;
  const given = { default: defaultGraphs.map(namedNode), named: namedGraphs.map(namedNode) };
  const chosen = isDatasetGiven(evaluation) ? given : clause;
  if (chosen === undefined) return WHOLE_DATASET;
  const idsOf = (terms: readonly RDF.Term[]) =>
    [...new Set(terms.map((term) => snapshot.idOf(term)))].filter((id) => id !== 0);
  return { defaultGraphs: idsOf(chosen.default), namedGraphs: new Set(idsOf(chosen.named)) };
}

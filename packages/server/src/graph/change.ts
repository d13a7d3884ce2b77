import type { UpdateOutcome } from '@cairn/ingest';
import type { ChangeSet, GraphDataset } from '@cairn/rdf-graph';
import type { HttpAnswer } from '../http/message.ts';
import { guardOntologyUpdate, ONTOLOGY_DATASET } from '../ontology/update-guard.ts';
import type { Context } from '../routing/context.ts';
import { hiddenWarning } from './label.ts';

/** Changes a dataset in the name of the caller; a change of the ontology is looked at first. */
export function changeDataset(
  context: Context,
  dataset: string,
  evaluate: (current: GraphDataset) => Promise<ChangeSet>,
): Promise<UpdateOutcome> {
  return context.services.ingest.update({
    dataset,
    async evaluate(current) {
      const changes = await evaluate(current);
      if (dataset === ONTOLOGY_DATASET) {
        const { stylePredicate } = context.configuration.ontology;
        await guardOntologyUpdate(current, context.viewer, changes, stylePredicate);
      }
      return changes;
    },
    headers: [['Request-ID', context.requestId]],
    writer: context.viewer,
    timeoutMs: context.configuration.graph.applyTimeoutMs,
    signal: context.signal,
  });
}

/** The label of what a dataset is given without one. */
export function defaultLabelOf({ configuration }: Context, dataset: string): string {
  return configuration.datasets[dataset]?.defaultLabel ?? '!';
}

/** The answer to a write, with where its event stands. */
export function changeAnswer(
  status: number,
  body: string,
  { position, isHidden }: Pick<UpdateOutcome, 'position' | 'isHidden'>,
  headers: Readonly<Record<string, string>> = {},
): HttpAnswer {
  return {
    status,
    headers: {
      'Content-Type': 'text/plain; charset=utf-8',
      ...(position === undefined ? {} : { 'Cairn-Position': position }),
      ...hiddenWarning(isHidden),
      ...headers,
    },
    body,
  };
}

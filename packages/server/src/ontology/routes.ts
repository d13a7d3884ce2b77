import type { Theme } from '@cairn/ontology';
import { StoreDataset } from '@cairn/rdf-graph';
import { DATASET, datasetOf, GRAPH_FAULTS } from '../graph/dataset.ts';
import { jsonAnswer } from '../http/json-answer.ts';
import type { HttpAnswer } from '../http/message.ts';
import { choice, flag, texts } from '../parameters/parameter.ts';
import type { Context } from '../routing/context.ts';
import { defineRoute, type Route } from '../routing/route.ts';
import { type OntologyQuestion, viewOntology } from './view.ts';
import { readVisibleOntology } from './visible-ontology.ts';

/** Larger ones are read by a worker, in quads that the caller may see. */
const MAX_QUADS_HERE = 20_000;

async function answer(context: Context, name: string, question: OntologyQuestion): Promise<HttpAnswer> {
  const { services, viewer, configuration, signal } = context;
  const { stylePredicate } = configuration.ontology;
  const dataset = datasetOf(context, name);
  if (
    services.queryWorkers !== undefined &&
    dataset instanceof StoreDataset &&
    (await dataset.count(viewer)) > MAX_QUADS_HERE
  ) {
    const snapshot = dataset.snapshot(viewer).share();
    const { timeLimitMs } = configuration.graph;
    const task = {
      kind: 'ontology',
      user: context.user.name,
      dataset: name,
      snapshot,
      timeLimitMs,
      stylePredicate,
      question,
    } as const;
    return { status: 200, ...(await services.queryWorkers.answer(task, signal)) };
  }
  return jsonAnswer(viewOntology(await readVisibleOntology(dataset, viewer, stylePredicate), question));
}

export const ontologyFindings: Route = defineRoute({
  area: 'graph',
  method: 'GET',
  path: '/{dataset}/findings',
  operation: 'ontologyFindings',
  summary: 'What the rules of ontology authoring find in the dataset, as far as the caller may see it.',
  access: 'graph.read',
  parameters: DATASET,
  answers: [{ status: 200, description: 'The findings, by rule.', schema: 'OntologyFindings' }, ...GRAPH_FAULTS],
  handle: (context, { dataset }) => answer(context, dataset, { type: 'findings' }),
});

export const ontologyStyles: Route = defineRoute({
  area: 'graph',
  method: 'GET',
  path: '/{dataset}/styles',
  operation: 'ontologyStyles',
  summary: 'The display styles of classes, complete with defaults, for one theme.',
  access: 'graph.read',
  parameters: {
    ...DATASET,
    classes: texts('class', { description: 'IRIs of classes; without any, every class of the dataset.' }),
    theme: choice<Theme>('theme', { description: 'The theme.', choices: ['dark', 'light'], fallback: 'dark' }),
    inherit: flag('inherit', { description: 'Whether a class without a style takes that of its nearest ancestor.' }),
  },
  answers: [{ status: 200, description: 'One record a class.', schema: 'OntologyStyles' }, ...GRAPH_FAULTS],
  handle: (context, { dataset, ...question }) => answer(context, dataset, { type: 'styles', ...question }),
});

import { createStyleResolver, type Theme, toFlatStyle } from '@cairn/ontology';
import { DATASET, datasetOf, GRAPH_FAULTS } from '../graph/dataset.ts';
import { jsonAnswer } from '../http/json-answer.ts';
import { choice, flag, texts } from '../parameters/parameter.ts';
import type { Context } from '../routing/context.ts';
import { defineRoute, type Route } from '../routing/route.ts';
import { readVisibleOntology, type VisibleOntology } from './visible-ontology.ts';

function visibleOntologyOf(context: Context, dataset: string): Promise<VisibleOntology> {
  const { stylePredicate } = context.configuration.ontology;
  return readVisibleOntology(datasetOf(context, dataset), context.viewer, stylePredicate);
}

/** `GET /{dataset}/findings`: what the rules of ontology authoring find. */
export const ontologyFindings: Route = defineRoute({
  area: 'graph',
  method: 'GET',
  path: '/{dataset}/findings',
  operation: 'ontologyFindings',
  summary: 'What the rules of ontology authoring find in the dataset, as far as the caller may see it.',
  access: 'graph.read',
  parameters: DATASET,
  answers: [{ status: 200, description: 'The findings, by rule.', schema: 'OntologyFindings' }, ...GRAPH_FAULTS],
  async handle(context, { dataset }) {
    const { findings } = await visibleOntologyOf(context, dataset);
    return jsonAnswer({ findings });
  },
});

/** `GET /{dataset}/styles`: how classes are displayed. */
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
  async handle(context, { dataset, classes, theme, inherit }) {
    const { model } = await visibleOntologyOf(context, dataset);
    const resolver = createStyleResolver(model, { inherit });
    const styles = classes.length === 0 ? resolver.resolveAll() : classes.map((iri) => resolver.resolve(iri));
    return jsonAnswer({ styles: styles.map((style) => toFlatStyle(style, theme)) });
  },
});

import { jsonAnswer } from '../http/json-answer.ts';
import { flag, integer, requiredText } from '../parameters/parameter.ts';
import { defineRoute, postTwin, type Route } from '../routing/route.ts';
import { indexOf, SEARCH_FAULTS, toOperation } from './answers.ts';
import { INDICES, QUERY, RANGE, TYPE_FILTER, toRange, toTypeFilter } from './filters.ts';

/** `GET /facets`: counts of one field's values among the matches. */
export const facets: Route = defineRoute({
  area: 'search',
  method: 'GET',
  path: '/facets',
  operation: 'facets',
  summary: 'Counts the values of one field among the documents that match.',
  access: 'search.read',
  parameters: {
    ...QUERY,
    facet: requiredText('facet', {
      description: 'Path of the field to group by, split on `/`.',
      base64By: 'is-facet-base64',
      example: 'types',
    }),
    isFacetBase64: flag('is-facet-base64', { description: 'Whether facet is base64.' }),
    ...RANGE,
    ...TYPE_FILTER,
    sampleSize: integer('sample-size', {
      description: 'Documents sampled, in rank order.',
      minimum: 1,
      maximum: 5000,
      fallback: 1000,
    }),
    ...INDICES,
  },
  answers: [{ status: 200, description: 'The counts.', schema: 'FacetResults' }, ...SEARCH_FAULTS],
  async handle(context, values) {
    const results = await indexOf(context).facets(context.viewer, {
      ...toOperation(context, values),
      query: values.query,
      type: values.type,
      facet: values.facet,
      sampleSize: values.sampleSize,
      typeFilter: await toTypeFilter(context, values),
      range: toRange(values, context.source),
    });
    return jsonAnswer(results);
  },
});

export const facetsByPost: Route = postTwin(facets);

import { jsonAnswer } from '../http/json-answer.ts';
import { flag, integer, requiredText } from '../parameters/parameter.ts';
import { defineRoutePair, type Route } from '../routing/route.ts';
import { indexOf, NO_LIKED_DOCUMENT, SEARCH_FAULTS, SEARCH_READ, toOperation } from './answers.ts';
import { INDICES, LANGUAGES, QUERY, RANGE, TYPE_FILTER, toFilters, toLanguages } from './filters.ts';
import { RELEVANCE, toRelevance } from './relevance.ts';

export const facets: readonly Route[] = defineRoutePair({
  ...SEARCH_READ,
  path: '/facets',
  operation: 'facets',
  summary: 'Counts the values of one field among the documents that match.',
  parameters: {
    ...QUERY,
    ...LANGUAGES,
    ...RELEVANCE,
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
  answers: [{ status: 200, description: 'The counts.', schema: 'FacetResults' }, NO_LIKED_DOCUMENT, ...SEARCH_FAULTS],
  async handle(context, values) {
    const { query, type, facet, sampleSize } = values;
    const own = { query, type, languages: toLanguages(values), facet, sampleSize };
    const filters = await toFilters(context, values);
    const request = Object.assign(toOperation(context, values), own, toRelevance(values), filters);
    return jsonAnswer(await indexOf(context).facets(context.viewer, request));
  },
});

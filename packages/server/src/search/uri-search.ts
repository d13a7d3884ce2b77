import { jsonAnswer } from '../http/json-answer.ts';
import { defineRoute, type Route } from '../routing/route.ts';
import { indexOf, NO_LIKED_DOCUMENT, SEARCH_FAULTS, SEARCH_READ, toOperation } from './answers.ts';
import { INDICES, PAGE, QUERY, RANGE, TYPE_FILTER, toFilters } from './filters.ts';
import { RELEVANCE, toRelevance } from './relevance.ts';

export const uriSearch: Route = defineRoute({
  ...SEARCH_READ,
  path: '/documents/uri-search',
  operation: 'uriSearch',
  summary: 'Searches documents and answers with their `uri` alone.',
  parameters: { ...QUERY, ...RELEVANCE, ...PAGE, ...TYPE_FILTER, ...RANGE, ...INDICES },
  answers: [
    { status: 200, description: 'The page of results.', schema: 'SearchResults' },
    NO_LIKED_DOCUMENT,
    ...SEARCH_FAULTS,
  ],
  async handle(context, values) {
    const { query, type, limit, offset } = values;
    const own = { query, type, limit, offset };
    const filters = await toFilters(context, values);
    const request = Object.assign(toOperation(context, values), own, toRelevance(values), filters);
    const found = await indexOf(context).search(context.viewer, request);
    const results = found.results.map(({ id, score, document }) => ({ id, score, document: { uri: document['uri'] } }));
    return jsonAnswer({ ...found, results });
  },
});

import { jsonAnswer } from '../http/json-answer.ts';
import { defineRoute, type Route } from '../routing/route.ts';
import { indexOf, SEARCH_FAULTS, toOperation } from './answers.ts';
import { INDICES, PAGE, QUERY, RANGE, TYPE_FILTER, toRange, toTypeFilter } from './filters.ts';

/** `GET /documents/uri-search`: search that answers with ids alone, as graph clients want it. */
export const uriSearch: Route = defineRoute({
  area: 'search',
  method: 'GET',
  path: '/documents/uri-search',
  operation: 'uriSearch',
  summary: 'Searches documents and answers with their `uri` alone.',
  access: 'search.read',
  parameters: { ...QUERY, ...PAGE, ...TYPE_FILTER, ...RANGE, ...INDICES },
  answers: [{ status: 200, description: 'The page of results.', schema: 'SearchResults' }, ...SEARCH_FAULTS],
  async handle(context, values) {
    const found = await indexOf(context).search(context.viewer, {
      ...toOperation(context, values),
      query: values.query,
      type: values.type,
      limit: values.limit,
      offset: values.offset,
      typeFilter: await toTypeFilter(context, values),
      range: toRange(values, context.source),
    });
    const results = found.results.map(({ id, score, document }) => ({ id, score, document: { uri: document['uri'] } }));
    return jsonAnswer({ ...found, results });
  },
});

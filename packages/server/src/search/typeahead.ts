import { jsonAnswer } from '../http/json-answer.ts';
import { requiredText, texts } from '../parameters/parameter.ts';
import { defineRoute, postTwin, type Route } from '../routing/route.ts';
import { indexOf, SEARCH_FAULTS, toOperation } from './answers.ts';
import { INDICES, PAGE, QUERY, RANGE, SHOW_LABELS, TYPE_FILTER, toRange, toTypeFilter } from './filters.ts';

/** `GET /typeahead`: suggestions while a text is typed. */
export const typeahead: Route = defineRoute({
  area: 'search',
  method: 'GET',
  path: '/typeahead',
  operation: 'typeahead',
  summary: 'Suggests documents for a text that is being typed.',
  access: 'search.read',
  parameters: {
    query: requiredText('query', {
      description: 'The text being completed: its last word is a prefix.',
      example: 'neil arm',
    }),
    type: QUERY.type,
    ...PAGE,
    fields: texts('fields', {
      description: 'Fields to look in, comma-separated or repeated; `*` stands for any characters.',
      commaSeparated: true,
      example: '*primaryName',
    }),
    ...TYPE_FILTER,
    ...RANGE,
    ...SHOW_LABELS,
    ...INDICES,
  },
  answers: [
    { status: 200, description: 'The suggestions; their `type` is `phrase`.', schema: 'SearchResults' },
    ...SEARCH_FAULTS,
  ],
  async handle(context, values) {
    const results = await indexOf(context).typeahead(context.viewer, {
      ...toOperation(context, values),
      query: values.query,
      fields: values.fields.length === 0 ? undefined : values.fields,
      limit: values.limit,
      offset: values.offset,
      typeFilter: await toTypeFilter(context, values),
      range: toRange(values, context.source),
      showSecurityLabels: values.showSecurityLabels,
    });
    return jsonAnswer(results);
  },
});

export const typeaheadByPost: Route = postTwin(typeahead);

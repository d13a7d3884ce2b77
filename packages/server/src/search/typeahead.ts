import { jsonAnswer } from '../http/json-answer.ts';
import { requiredText, texts } from '../parameters/parameter.ts';
import { defineRoutePair, type Route } from '../routing/route.ts';
import { indexOf, SEARCH_FAULTS, SEARCH_READ, toOperation } from './answers.ts';
import { FUZZINESS, INDICES, PAGE, QUERY, RANGE, SHOW_LABELS, TYPE_FILTER, toFilters, toFuzziness } from './filters.ts';

export const typeahead: readonly Route[] = defineRoutePair({
  ...SEARCH_READ,
  path: '/typeahead',
  operation: 'typeahead',
  summary: 'Suggests documents for a text that is being typed.',
  parameters: {
    query: requiredText('query', {
      description: 'The text being completed: its last word is a prefix.',
      example: 'neil arm',
    }),
    type: QUERY.type,
    ...FUZZINESS,
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
    const { query, limit, offset, showSecurityLabels } = values;
    const fields = values.fields.length === 0 ? undefined : values.fields;
    const own = { query, limit, offset, showSecurityLabels, fields, fuzziness: toFuzziness(values) };
    const request = Object.assign(toOperation(context, values), own, await toFilters(context, values));
    return jsonAnswer(await indexOf(context).typeahead(context.viewer, request));
  },
});

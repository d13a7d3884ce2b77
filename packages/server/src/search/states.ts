import { jsonAnswer } from '../http/json-answer.ts';
import { optionalText } from '../parameters/parameter.ts';
import { defineRoutePair, type Route } from '../routing/route.ts';
import { checkIdCount, indexOf, SEARCH_FAULTS, SEARCH_READ, toOperation } from './answers.ts';
import { IDS, INDICES, RANGE, SHOW_LABELS, toRange } from './filters.ts';

export const states: readonly Route[] = defineRoutePair({
  ...SEARCH_READ,
  path: '/states',
  operation: 'states',
  summary: 'The states of entities, up to 10,000 for each.',
  parameters: {
    ...IDS,
    sort: optionalText('sort', {
      description: 'Comma-separated fields: `<field` ascending, `>field` or a bare `field` descending, or `score`.',
      example: '<start',
    }),
    ...RANGE,
    ...SHOW_LABELS,
    ...INDICES,
  },
  answers: [
    { status: 200, description: 'For each id its states, or null.', schema: 'StatesSelection' },
    ...SEARCH_FAULTS,
  ],
  async handle(context, values) {
    checkIdCount(context, values.ids);
    const found = await indexOf(context).states(context.viewer, {
      ...toOperation(context, values),
      ids: values.ids,
      sort: values.sort,
      range: toRange(values, context.source),
      showSecurityLabels: values.showSecurityLabels,
    });
    return jsonAnswer(found);
  },
});

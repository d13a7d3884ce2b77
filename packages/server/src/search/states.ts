import { jsonAnswer } from '../http/json-answer.ts';
import { optionalText } from '../parameters/parameter.ts';
import { defineRoute, postTwin, type Route } from '../routing/route.ts';
import { indexOf, SEARCH_FAULTS, toOperation } from './answers.ts';
import { IDS, INDICES, RANGE, SHOW_LABELS, toRange } from './filters.ts';
import { checkIdCount } from './id-count.ts';

/** `GET /states`: the states of entities. */
export const states: Route = defineRoute({
  area: 'search',
  method: 'GET',
  path: '/states',
  operation: 'states',
  summary: 'The states of entities, up to 10,000 for each.',
  access: 'search.read',
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

export const statesByPost: Route = postTwin(states);

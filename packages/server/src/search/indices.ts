import { jsonAnswer } from '../http/json-answer.ts';
import { defineRoute, type Route } from '../routing/route.ts';
import { indexOf, SEARCH_FAULTS, SEARCH_READ } from './answers.ts';

export const listIndices: Route = defineRoute({
  ...SEARCH_READ,
  path: '/indices',
  operation: 'listIndices',
  summary: 'Names of the configured indices.',
  parameters: {},
  answers: [{ status: 200, description: 'The names.', schema: 'IndexList' }, ...SEARCH_FAULTS],
  handle: async (context) => jsonAnswer({ indices: indexOf(context).indices }),
});

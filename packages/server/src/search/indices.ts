import { jsonAnswer } from '../http/json-answer.ts';
import { defineRoute, type Route } from '../routing/route.ts';
import { indexOf, SEARCH_FAULTS } from './answers.ts';

/** `GET /indices`: the configured indices. */
export const listIndices: Route = defineRoute({
  area: 'search',
  method: 'GET',
  path: '/indices',
  operation: 'listIndices',
  summary: 'Names of the configured indices.',
  access: 'search.read',
  parameters: {},
  answers: [{ status: 200, description: 'The names.', schema: 'IndexList' }, ...SEARCH_FAULTS],
  handle: async (context) => jsonAnswer({ indices: indexOf(context).indices }),
});

import { jsonAnswer } from '../http/json-answer.ts';
import { defineRoute, postTwin, type Route } from '../routing/route.ts';
import { indexOf, SEARCH_FAULTS, toOperation } from './answers.ts';
import { IDS, INDICES, SHOW_LABELS } from './filters.ts';
import { checkIdCount } from './id-count.ts';

/** `GET /list`: several documents by id. */
export const listDocuments: Route = defineRoute({
  area: 'search',
  method: 'GET',
  path: '/list',
  operation: 'listDocuments',
  summary: 'Several documents by id.',
  access: 'search.read',
  parameters: { ...IDS, ...SHOW_LABELS, ...INDICES },
  answers: [
    { status: 200, description: 'For each id its document, or null.', schema: 'DocumentSelection' },
    ...SEARCH_FAULTS,
  ],
  async handle(context, values) {
    checkIdCount(context, values.ids);
    const documents = await indexOf(context).getDocuments(context.viewer, values.ids, {
      ...toOperation(context, values),
      showSecurityLabels: values.showSecurityLabels,
    });
    return jsonAnswer(documents);
  },
});

export const listDocumentsByPost: Route = postTwin(listDocuments);

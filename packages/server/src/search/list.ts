import { jsonAnswer } from '../http/json-answer.ts';
import { defineRoutePair, type Route } from '../routing/route.ts';
import { checkIdCount, indexOf, SEARCH_FAULTS, SEARCH_READ, toOperation } from './answers.ts';
import { IDS, INDICES, SHOW_LABELS } from './filters.ts';

export const listDocuments: readonly Route[] = defineRoutePair({
  ...SEARCH_READ,
  path: '/list',
  operation: 'listDocuments',
  summary: 'Several documents by id.',
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

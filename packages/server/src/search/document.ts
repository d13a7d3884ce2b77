import { CodedError } from '@cairn/errors';
import { jsonAnswer } from '../http/json-answer.ts';
import type { HttpAnswer } from '../http/message.ts';
import { flag, type ParameterValues, requiredText } from '../parameters/parameter.ts';
import type { Context } from '../routing/context.ts';
import { defineRoute, postTwin, type Route } from '../routing/route.ts';
import { indexOf, SEARCH_FAULTS, SEARCH_READ, toOperation } from './answers.ts';
import { INDICES, SHOW_LABELS } from './filters.ts';

const answers = [
  { status: 200, description: 'The document.', schema: 'Document' },
  { status: 404, description: 'No such document, or none that the user may see.' },
  ...SEARCH_FAULTS,
];

function parametersOf(inPath: boolean) {
  return {
    id: requiredText('id', {
      description: 'Id of the document: its IRI, or the id that its upload answered.',
      inPath,
      base64By: 'is-base64',
      example: 'https://example.org/apollo/11',
    }),
    isBase64: flag('is-base64', { description: 'Whether the id is base64.' }),
    ...SHOW_LABELS,
    ...INDICES,
  };
}

export const getDocument: Route = defineRoute({
  ...SEARCH_READ,
  path: '/documents/{id}',
  operation: 'getDocument',
  summary: 'One document by id.',
  parameters: parametersOf(true),
  answers,
  handle: findDocument,
});

export const getDocumentByPost: Route = postTwin(getDocument, {
  path: '/documents/id',
  parameters: parametersOf(false),
});

async function findDocument(
  context: Context,
  values: ParameterValues<ReturnType<typeof parametersOf>>,
): Promise<HttpAnswer> {
  const document = await indexOf(context).getDocument(context.viewer, values.id, {
    ...toOperation(context, values),
    showSecurityLabels: values.showSecurityLabels,
  });
  if (document !== undefined) return jsonAnswer(document);
  throw new CodedError({ code: 'ERR_NO_DOCUMENT', kind: 'not-found', message: 'there is no document with this id' });
}

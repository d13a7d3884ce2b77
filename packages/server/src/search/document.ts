import { CodedError } from '@cairn/errors';
import { jsonAnswer } from '../http/json-answer.ts';
import type { HttpAnswer } from '../http/message.ts';
import { flag, type Parameter, type ParameterValues, requiredText } from '../parameters/parameter.ts';
import type { Context } from '../routing/context.ts';
import { defineRoute, type Route } from '../routing/route.ts';
import { indexOf, SEARCH_FAULTS, toOperation } from './answers.ts';
import { INDICES, SHOW_LABELS } from './filters.ts';

const answers = [
  { status: 200, description: 'The document.', schema: 'Document' },
  { status: 404, description: 'No such document, or none that the user may see.' },
  ...SEARCH_FAULTS,
];

type DocumentParameters = {
  readonly id: Parameter<string>;
  readonly isBase64: Parameter<boolean>;
  readonly showSecurityLabels: Parameter<boolean>;
  readonly indices: Parameter<readonly string[]>;
};

function parametersOf(inPath: boolean): DocumentParameters {
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

/** `GET /documents/{id}`. */
export const getDocument: Route = defineRoute({
  area: 'search',
  method: 'GET',
  path: '/documents/{id}',
  operation: 'getDocument',
  summary: 'One document by id.',
  access: 'search.read',
  parameters: parametersOf(true),
  answers,
  handle: findDocument,
});

/** `POST /documents/id`. */
export const getDocumentByPost: Route = defineRoute({
  area: 'search',
  method: 'POST',
  path: '/documents/id',
  operation: 'getDocumentByPost',
  summary: 'One document by id. Parameters in a form body.',
  access: 'search.read',
  intake: 'form',
  parameters: parametersOf(false),
  answers,
  handle: findDocument,
});

async function findDocument(context: Context, values: ParameterValues<DocumentParameters>): Promise<HttpAnswer> {
  const document = await indexOf(context).getDocument(context.viewer, values.id, {
    ...toOperation(context, values),
    showSecurityLabels: values.showSecurityLabels,
  });
  if (document !== undefined) return jsonAnswer(document);
  throw new CodedError({ code: 'ERR_NO_DOCUMENT', kind: 'not-found', message: 'there is no document with this id' });
}

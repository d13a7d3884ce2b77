import { CodedError, isCodedError } from '@cairn/errors';
import { readMultipart } from '@cairn/node-runtime';
import { hiddenWarning } from '../graph/label.ts';
import { jsonAnswer } from '../http/json-answer.ts';
import { toProblem } from '../http/problem.ts';
import { requiredText } from '../parameters/parameter.ts';
import type { Context } from '../routing/context.ts';
import { defineRoute, type Route } from '../routing/route.ts';

const FILE = { type: 'string', format: 'binary' };

/** `POST /documents/{route}/upload`: native documents by multipart. */
export const uploadDocuments: Route = defineRoute({
  area: 'ingest',
  method: 'POST',
  path: '/documents/{route}/upload',
  operation: 'uploadDocuments',
  summary: 'Uploads native documents to a route, any number of files in parts of any name.',
  access: 'ingest.write',
  intake: 'body',
  parameters: {
    route: requiredText('route', {
      description: 'Name of a configured route.',
      inPath: true,
      configured: ({ routes }) => routes.map(({ name }) => name),
      example: 'local',
    }),
  },
  requestHeaders: [
    {
      name: 'Security-Label',
      required: true,
      description: 'Label of the documents; one that the sender may read.',
      example: 'clearance=S',
    },
    { name: 'Distribution-Id', required: false, description: 'Distribution id of the documents.' },
    { name: 'Policy-Information', required: false, description: 'EDH or IDH policy information as JSON.' },
  ],
  body: {
    types: ['multipart/form-data'],
    description: 'The files.',
    schema: {
      type: 'object',
      properties: { file: { type: 'array', minItems: 1, items: FILE } },
      required: ['file'],
      additionalProperties: FILE,
    },
  },
  answers: [
    {
      status: 202,
      description:
        'Every file is accepted and durable. `Cairn-Warning` and `status` say when its sender may not read it.',
      schema: 'UploadResponse',
    },
    { status: 400, description: 'Some files are refused; the others are accepted.', schema: 'UploadFailure' },
    { status: 404, description: 'No such route.' },
    { status: 503, description: 'Too many uploads, or no room to write.' },
  ],
  async handle(context, { route }) {
    requireRoute(context, route);
    try {
      const outcome = await context.services.ingest.upload({
        route,
        headers: carriedHeaders(context),
        parts: readMultipart(context.request.body, {}, context.signal),
        viewer: context.viewer,
        signal: context.signal,
      });
      const answer = jsonAnswer({ documents: outcome.documents }, outcome.successful ? 202 : 400);
      return { ...answer, headers: { ...answer.headers, ...hiddenWarning(outcome.isHidden) } };
    } catch (error) {
      // A refusal of the whole upload has the shape of both: the upload response and the problem.
      if (!isCodedError(error) || error.kind !== 'invalid') throw error;
      return jsonAnswer({ documents: [], ...toProblem(error, context.request.path) }, 400);
    }
  },
});

function requireRoute({ configuration }: Context, name: string): void {
  if (configuration.routes.some((route) => route.name === name)) return;
  throw new CodedError({ code: 'ERR_NO_ROUTE', kind: 'not-found', message: 'there is no route of this name' });
}

function carriedHeaders({ request, requestId }: Context): { get(name: string): string | undefined } {
  return {
    get: (name) => (name.toLowerCase() === 'request-id' ? requestId : request.header(name.toLowerCase())),
  };
}

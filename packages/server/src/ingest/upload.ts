import { CodedError, isCodedError } from '@cairn/errors';
import type { RouteConfig } from '@cairn/ingest';
import { type MultipartLimits, readMultipart } from '@cairn/node-runtime';
import { hiddenWarning } from '../graph/label.ts';
import { jsonAnswer } from '../http/json-answer.ts';
import { contentTypeOf } from '../http/media-type.ts';
import { toProblem } from '../http/problem.ts';
import { requiredText } from '../parameters/parameter.ts';
import type { Context } from '../routing/context.ts';
import { defineRoute, type Route } from '../routing/route.ts';

const FILE = { type: 'string', format: 'binary' };

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
    { status: 408, description: 'The upload was sent too slowly.' },
    { status: 413, description: 'Too many files or parts.' },
    { status: 429, description: 'Too many uploads of this user at once.' },
    { status: 503, description: 'Too many uploads, or no room to write.' },
  ],
  async handle(context, { route }) {
    const { maxFiles } = requireRoute(context, route);
    contentTypeOf(context.request);
    try {
      const outcome = await context.services.ingest.upload({
        route,
        headers: carriedHeaders(context),
        parts: readMultipart(context.request.body, limitsOf(context, maxFiles), context.signal),
        viewer: context.viewer,
        sender: context.user.name,
        signal: context.signal,
      });
      const answer = jsonAnswer({ documents: outcome.documents }, outcome.successful ? 202 : 400);
      return { ...answer, headers: { ...answer.headers, ...hiddenWarning(outcome.isHidden) } };
    } catch (error) {
      if (!isCodedError(error)) throw error;
      // The request is late, not the service: 408 and not 503.
      if (error.code === 'ERR_MULTIPART' && error.kind === 'timeout')
        throw new CodedError({ code: 'ERR_BODY_TIMEOUT', kind: 'timeout', message: error.message, cause: error });
      // A refusal of the whole upload has the shape of both: the upload response and the problem.
      if (error.kind !== 'invalid') throw error;
      return jsonAnswer({ documents: [], ...toProblem(error, context.request.path) }, 400);
    }
  },
});

/** Files over the limit of a route that are refused one by one; an upload with more of them is refused as a whole. */
const SPARE_FILES = 100;
/** Parts that are no files. */
const SPARE_PARTS = 1_000;

function limitsOf({ configuration }: Context, maxFiles: number): MultipartLimits {
  const { minUploadBytesPerSecond, uploadGraceMs, uploadWindowMs } = configuration.server.limits;
  return {
    maxFiles: maxFiles + SPARE_FILES,
    maxParts: maxFiles + SPARE_FILES + SPARE_PARTS,
    minBytesPerSecond: minUploadBytesPerSecond,
    rateGraceMs: uploadGraceMs,
    rateWindowMs: uploadWindowMs,
  };
}

function requireRoute({ configuration }: Context, name: string): RouteConfig {
  const found = configuration.routes.find((route) => route.name === name);
  if (found !== undefined) return found;
  throw new CodedError({ code: 'ERR_NO_ROUTE', kind: 'not-found', message: 'there is no route of this name' });
}

function carriedHeaders({ request, requestId }: Context): { get(name: string): string | undefined } {
  return { get: (name) => (name.toLowerCase() === 'request-id' ? requestId : request.header(name.toLowerCase())) };
}

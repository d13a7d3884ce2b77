import { CodedError } from '@cairn/errors';
import type { CorrectionRequest } from '@cairn/search';
import { readJsonObject } from '../http/body.ts';
import { jsonAnswer } from '../http/json-answer.ts';
import { shown } from '../parameters/read.ts';
import type { Context } from '../routing/context.ts';
import { defineRoute, type Route } from '../routing/route.ts';
import { SEARCH_FAULTS, toIndices } from './answers.ts';

type Field = 'documentUri' | 'entityText' | 'entityCategory' | 'resolvedEntityUri' | 'resolvedCategory';

const FIELDS: Readonly<Record<Field, { readonly isUri: boolean; readonly description: string }>> = {
  documentUri: { isUri: true, description: 'Document to update.' },
  entityText: { isUri: false, description: 'Text of the entity.' },
  entityCategory: { isUri: true, description: 'Current category of the entity.' },
  resolvedEntityUri: { isUri: true, description: 'Resolved entity.' },
  resolvedCategory: { isUri: true, description: 'New category.' },
};

const ABSOLUTE_URI = /^[A-Za-z][A-Za-z0-9+.-]*:[^\s<>"{}|\\^`]*$/;

export const updateEntity: Route = defineRoute({
  area: 'search',
  method: 'POST',
  path: '/documents/update-entity',
  operation: 'updateEntity',
  summary: 'Sets the resolved URI and category of an entity inside a document, and merges entities that become equal.',
  access: 'search.write',
  intake: 'body',
  parameters: {},
  body: {
    types: ['application/json'],
    description: 'Where the entity is, and what it is.',
    schema: {
      type: 'object',
      properties: {
        ...Object.fromEntries(
          Object.entries(FIELDS).map(([name, { isUri, description }]) => [
            name,
            { type: 'string', description, ...(isUri ? { format: 'uri' } : { minLength: 1, pattern: '\\S' }) },
          ]),
        ),
        indices: { type: 'string', description: 'Indices to look in; all by default.' },
      },
      required: Object.keys(FIELDS),
      additionalProperties: false,
    },
    example: {
      documentUri: 'https://example.org/documents/1',
      entityText: 'Eagle',
      entityCategory: 'https://example.org/apollo#Thing',
      resolvedEntityUri: 'https://example.org/apollo/eagle',
      resolvedCategory: 'https://example.org/apollo#LunarModule',
    },
  },
  answers: [
    { status: 200, description: 'The updated document.', schema: 'Document' },
    { status: 400, description: 'No visible entity matches, or the request is invalid.' },
    ...SEARCH_FAULTS,
  ],
  async handle(context) {
    const request = await readRequest(context);
    const options = { timeoutMs: context.configuration.graph.applyTimeoutMs, signal: context.signal };
    const { document } = await context.services.ingest.correctEntity(context.viewer, request, options);
    return jsonAnswer(document);
  },
});

async function readRequest(context: Context): Promise<CorrectionRequest> {
  const { indices, ...body } = await readJsonObject(context.request, context.bodyLimits);
  const faults = [
    ...unknownKeys(body),
    ...(Object.keys(FIELDS) as Field[]).flatMap((name) => faultOf(name, body[name])),
  ];
  if (faults.length > 0) {
    const code = faults.length === 1 ? 'ERR_PARAMETER' : 'ERR_PARAMETERS';
    throw new CodedError({ code, kind: 'invalid', message: `${context.source.endpoint}: ${faults.join('; ')}` });
  }
  const fields = body as Readonly<Record<Field, string>>;
  return { ...fields, indices: toIndices(context, indicesOf(indices)), signal: context.signal };
}

function unknownKeys(body: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(body)
    .filter((key) => !Object.hasOwn(FIELDS, key))
    .map((key) => `body field ${shown(key)} is unknown`);
}

function faultOf(name: Field, value: unknown): string[] {
  if (value === undefined || value === null || value === '') return [`body field ${name} is required`];
  if (typeof value !== 'string') return [`body field ${name} must be text; got ${shown(JSON.stringify(value))}`];
  const isFit = !FIELDS[name].isUri || ABSOLUTE_URI.test(value);
  return isFit ? [] : [`body field ${name} must be an absolute URI; got ${shown(value)}`];
}

function indicesOf(value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  const texts = Array.isArray(value) ? value : [value];
  return texts
    .flatMap((text) => String(text).split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

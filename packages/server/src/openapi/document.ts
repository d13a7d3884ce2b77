import type { Configuration } from '../config/configuration.ts';
import type { Parameter } from '../parameters/parameter.ts';
import { permissionOf } from '../routing/access.ts';
import type { AnswerDescription, Route } from '../routing/route.ts';
import { ref, SCHEMAS } from './schemas.ts';

type Json = Readonly<Record<string, unknown>>;

/** The OpenAPI 3.1 document of a table of routes. */
export function toOpenApi(routes: readonly Route[], configuration: Configuration, version: string): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes) {
    const path = pathOf(route, configuration);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: toOperation(route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Cairn',
      version,
      description: 'Find things in documents and in a knowledge graph when not everybody may see everything.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: SCHEMAS,
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      headers: { 'Request-ID': { description: 'Identifies the request in the log.', schema: { type: 'string' } } },
    },
  };
}

/** The path of a route, with the prefix of its area. */
export function pathOf(route: Route, { server }: Configuration): string {
  return `${route.area === 'root' ? '' : server.paths[route.area]}${route.path}`;
}

function toOperation(route: Route): Json {
  const inBody = route.intake === 'form';
  const parameters = Object.values(route.parameters).filter(({ inPath }) => inPath || !inBody);
  const permission = permissionOf(route.access, '{dataset}');
  return {
    operationId: route.operation,
    tags: [route.area],
    summary: route.summary,
    ...(permission === undefined ? {} : { description: `Needs the permission \`${permission}\`.` }),
    security: route.access === 'public' ? [] : [{ bearer: [] }],
    parameters: [...parameters.map(toParameter), ...(route.requestHeaders ?? []).map(toHeader)],
    ...(inBody ? { requestBody: toFormBody(route) } : {}),
    ...(route.body === undefined ? {} : { requestBody: toBody(route) }),
    responses: Object.fromEntries(toResponses(route)),
  };
}

function toParameter(parameter: Parameter<unknown>): Json {
  return {
    name: parameter.name,
    in: parameter.inPath ? 'path' : 'query',
    required: parameter.required,
    description: parameter.description,
    schema: toSchema(parameter),
    ...(parameter.repeatable ? { explode: true, style: 'form' } : {}),
    ...(parameter.example === undefined
      ? {}
      : { example: parameter.repeatable ? [parameter.example] : parameter.example }),
  };
}

function toSchema(parameter: Parameter<unknown>): Json {
  const { type, choices, minimum, maximum, fallback, repeatable } = parameter;
  const isBounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  const one = {
    type,
    ...(choices === undefined ? {} : { enum: choices }),
    ...(minimum === undefined ? {} : { minimum }),
    ...(isBounded ? { maximum } : {}),
    ...(fallback === undefined || repeatable || parameter.required ? {} : { default: fallback }),
  };
  return repeatable ? { type: 'array', items: one } : one;
}

function toHeader({ name, required, description, example }: NonNullable<Route['requestHeaders']>[number]): Json {
  return {
    name,
    in: 'header',
    required,
    description,
    schema: { type: 'string' },
    ...(example === undefined ? {} : { example }),
  };
}

function toFormBody(route: Route): Json {
  const fields = Object.values(route.parameters).filter(({ inPath }) => !inPath);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(
      fields.map((field) => [field.name, { ...toSchema(field), description: field.description }]),
    ),
    required: fields.filter(({ required }) => required).map(({ name }) => name),
  };
  return { required: true, content: { 'application/x-www-form-urlencoded': { schema } } };
}

function toBody({ body }: Route): Json {
  const { types, description, schema, example } = body as NonNullable<Route['body']>;
  const media = { schema: schema ?? { type: 'string' }, ...(example === undefined ? {} : { example }) };
  return { required: true, description, content: Object.fromEntries(types.map((type) => [type, media])) };
}

function toResponses(route: Route): [string, Json][] {
  return answersOf(route).map((answer) => [String(answer.status), toResponse(answer)]);
}

/** The answers of a route, those that every endpoint shares included, each status once. */
export function answersOf(route: Route): readonly AnswerDescription[] {
  const byStatus = new Map<number, AnswerDescription>();
  for (const answer of [...route.answers, ...SHARED_ANSWERS.filter(({ applies }) => applies(route))]) {
    const known = byStatus.get(answer.status);
    byStatus.set(answer.status, known ?? answer);
  }
  return [...byStatus.values()].sort((a, b) => a.status - b.status);
}

const SHARED_ANSWERS: readonly (AnswerDescription & { applies(route: Route): boolean })[] = [
  {
    status: 400,
    description: 'Invalid parameters.',
    applies: ({ parameters, ignoreUnknown }) => ignoreUnknown !== true || Object.keys(parameters).length > 0,
  },
  { status: 401, description: 'No user.', applies: ({ access }) => access !== 'public' },
  { status: 403, description: 'The user lacks the permission.', applies: ({ access }) => access !== 'public' },
  { status: 408, description: 'The body did not arrive in time.', applies: ({ intake }) => intake !== 'query' },
  { status: 413, description: 'The body is too large.', applies: ({ intake }) => intake !== 'query' },
  { status: 415, description: 'The body has another type.', applies: ({ intake }) => intake !== 'query' },
  { status: 500, description: 'The server failed to process the request.', applies: () => true },
  {
    status: 503,
    description: 'The service starts, stops or is too busy.',
    applies: ({ whileStarting }) => whileStarting !== true,
  },
];

function toResponse(answer: AnswerDescription): Json {
  const isProblem = answer.status >= 400 && answer.schema === undefined;
  const types = answer.types ?? [isProblem ? 'application/problem+json' : 'application/json'];
  const schema = isProblem ? ref('Problem') : answer.schema === undefined ? { type: 'string' } : ref(answer.schema);
  const content = Object.fromEntries(types.map((type) => [type, { schema }]));
  const hasContent = answer.status !== 204;
  return {
    description: answer.description,
    headers: { 'Request-ID': { $ref: '#/components/headers/Request-ID' } },
    ...(hasContent ? { content } : {}),
  };
}

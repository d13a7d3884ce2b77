import type { Configuration } from '../config/configuration.ts';
import type { Parameter } from '../parameters/parameter.ts';
import { permissionOf } from '../routing/access.ts';
import { type AnswerDescription, PROBES, pathOf, type Route } from '../routing/route.ts';
import { anyOf, ref, SCHEMAS } from './schemas.ts';

type Json = Readonly<Record<string, unknown>>;

export function toOpenApi(routes: readonly Route[], configuration: Configuration, version: string): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes) {
    const path = pathOf(route, configuration);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: toOperation(route, configuration) };
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

function toOperation(route: Route, configuration: Configuration): Json {
  const inBody = route.intake === 'form';
  const parameters = Object.values(route.parameters).filter(({ inPath }) => inPath || !inBody);
  const permission = permissionOf(route.access, '{dataset}');
  return {
    operationId: route.operation,
    tags: [route.area],
    summary: route.summary,
    ...(permission === undefined ? {} : { description: `Needs the permission \`${permission}\`.` }),
    security: route.access === 'public' ? [] : [{ bearer: [] }],
    parameters: [
      ...parameters.map((parameter) => toParameter(parameter, configuration)),
      ...(route.requestHeaders ?? []).map(toHeader),
    ],
    ...(inBody ? { requestBody: toFormBody(route, configuration) } : {}),
    ...(route.body === undefined ? {} : { requestBody: toBody(route) }),
    responses: Object.fromEntries(answersOf(route).map((answer) => [String(answer.status), toResponse(answer)])),
  };
}

function toParameter(parameter: Parameter<unknown>, configuration: Configuration): Json {
  const { example } = parameter;
  return {
    name: parameter.name,
    in: parameter.inPath ? 'path' : 'query',
    required: parameter.required,
    description: parameter.description,
    schema: toSchema(parameter, configuration),
    ...(parameter.repeatable ? { explode: true, style: 'form' } : {}),
    ...(example !== undefined && { example: parameter.repeatable ? [example] : example }),
  };
}

function toSchema(parameter: Parameter<unknown>, configuration: Configuration): Json {
  const { type, minimum, maximum, fallback, repeatable, required, refusesBlank } = parameter;
  const choices = parameter.choices ?? parameter.configured?.(configuration);
  const one = {
    type,
    ...(choices === undefined ? {} : { enum: choices }),
    ...(type === 'string' && (required || refusesBlank === true) && choices === undefined ? NOT_BLANK : {}),
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
    ...(fallback === undefined || repeatable || required ? {} : { default: fallback }),
  };
  return repeatable ? { type: 'array', items: one, ...(required ? { minItems: 1 } : {}) } : one;
}

/** A text that must say something. */
const NOT_BLANK = { minLength: 1, pattern: '\\S' };

function toHeader({ name, required, description, example }: NonNullable<Route['requestHeaders']>[number]): Json {
  return {
    name,
    in: 'header',
    required,
    description,
    schema: { type: 'string', ...(required ? NOT_BLANK : {}) },
    ...(example === undefined ? {} : { example }),
  };
}

function toFormBody(route: Route, configuration: Configuration): Json {
  const fields = Object.values(route.parameters).filter(({ inPath }) => !inPath);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(
      fields.map((field) => [field.name, { ...toSchema(field, configuration), description: field.description }]),
    ),
    required: fields.filter(({ required }) => required).map(({ name }) => name),
    ...(route.ignoreUnknown === true ? {} : { additionalProperties: false }),
  };
  return { required: true, content: { 'application/x-www-form-urlencoded': { schema } } };
}

function toBody({ body }: Route): Json {
  const { types, description, media = {}, ...common } = body as NonNullable<Route['body']>;
  const content = types.map((type): [string, Json] => {
    const { schema = { type: 'string' }, example } = media[type] ?? common;
    return [type, { schema, ...(example === undefined ? {} : { example }) }];
  });
  return { required: true, description, content: Object.fromEntries(content) };
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

const hasUser = ({ access }: Route): boolean => access !== 'public';
const hasBody = ({ intake }: Route): boolean => intake !== 'query';
const hasParameters = ({ parameters, ignoreUnknown }: Route): boolean =>
  ignoreUnknown !== true || Object.keys(parameters).length > 0;
/** Others have one type, which comes whatever Accept says. */
const choosesType = ({ answers }: Route): boolean =>
  answers.some(({ status, types = [] }) => status < 300 && types.length > 1);
const needsEngines = ({ whileStarting }: Route): boolean => whileStarting !== true;

const mayBeTooBusy = ({ path }: Route): boolean => !PROBES.has(path);

const SHARED_ANSWERS: readonly (AnswerDescription & { applies(route: Route): boolean })[] = [
  { status: 400, description: 'Invalid parameters.', applies: hasParameters },
  { status: 401, description: 'No user.', applies: hasUser },
  { status: 403, description: 'The user lacks the permission.', applies: hasUser },
  { status: 406, description: 'None of the formats is acceptable.', applies: choosesType },
  { status: 408, description: 'The body did not arrive in time.', applies: hasBody },
  { status: 413, description: 'The body is too large.', applies: hasBody },
  { status: 415, description: 'The body has another type.', applies: hasBody },
  { status: 429, description: 'Too many requests of this user at once.', applies: hasUser },
  { status: 500, description: 'The server failed to process the request.', applies: () => true },
  { status: 503, description: 'The service starts, stops or is too busy.', applies: needsEngines },
  { status: 503, description: 'The server is too busy.', applies: mayBeTooBusy },
];

function toResponse(answer: AnswerDescription): Json {
  const content = answer.status >= 400 ? toFaultContent(answer) : toContent(answer);
  return {
    description: answer.description,
    headers: { 'Request-ID': { $ref: '#/components/headers/Request-ID' } },
    ...(answer.status === 204 ? {} : { content }),
  };
}

function toContent({ types = ['application/json'], schema }: AnswerDescription): Json {
  return Object.fromEntries(
    types.map((type) => [
      type,
      { schema: schema === undefined || !type.endsWith('json') ? schemaOf(type) : ref(schema) },
    ]),
  );
}

/** Text is a string; JSON that has no schema here (results of SPARQL, RDF) follows its own standard. */
function schemaOf(type: string): Json {
  return type.endsWith('json') ? {} : { type: 'string' };
}

/** Describes an endpoint's own answers, and problems in the three types that Accept chooses from. */
function toFaultContent(answer: AnswerDescription): Json {
  const own = answer.schema === undefined ? {} : toContent(answer);
  const json = answer.schema === undefined ? ref('Problem') : anyOf(ref(answer.schema), ref('Problem'));
  return {
    ...own,
    'application/problem+json': { schema: ref('Problem') },
    'application/json': { schema: json },
    'text/plain': { schema: { type: 'string' } },
  };
}

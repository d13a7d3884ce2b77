import {
  answerGraphQLHttp,
  createDatasetSchema,
  createPlatformSchema,
  createTraversalSchema,
  type GraphSchema,
} from '@cairn/rdf-graph/graphql';
import type { GraphSettings } from '../config/configuration.ts';
import { readBody } from '../http/body.ts';
import { contentTypeOf } from '../http/media-type.ts';
import type { HttpAnswer } from '../http/message.ts';
import { withSubclassFilters } from '../ontology/subclasses.ts';
import { optionalText, protocolText } from '../parameters/parameter.ts';
import type { Context } from '../routing/context.ts';
import { type AnswerDescription, defineRoute, type Route } from '../routing/route.ts';
import { DATASET, datasetOf } from './dataset.ts';

type Mode = 'execute' | 'validate';

/** Parameters of a GET; a missing `query` is reported in GraphQL's format, not as a problem. */
const PARAMETERS = {
  query: protocolText('query', { description: 'The document.', example: '{ __typename }' }),
  operationName: optionalText('operationName', { description: 'Which operation of the document.' }),
  variables: optionalText('variables', { description: 'Variables as JSON.' }),
  extensions: optionalText('extensions', { description: 'Extensions as JSON; taken and not used.' }),
};

const BODY = {
  types: ['application/json'],
  description: 'The request.',
  schema: {
    type: 'object',
    properties: {
      query: { type: 'string' },
      operationName: { type: ['string', 'null'] },
      variables: { type: ['object', 'null'] },
      extensions: { type: ['object', 'null'] },
    },
    required: ['query'],
    additionalProperties: false,
  },
  example: { query: '{ __typename }' },
};

const GRAPHQL = { schema: 'GraphQLAnswer', types: ['application/json', 'application/graphql-response+json'] } as const;

/** The same as text, where nothing is executed. */
const TEXT_TOO = { schema: 'GraphQLAnswer', types: ['text/plain', ...GRAPHQL.types] } as const;

const REFUSALS: readonly AnswerDescription[] = [
  { ...GRAPHQL, status: 400, description: 'Invalid request, with GraphQL errors.' },
  { status: 401, description: 'No user.' },
  { status: 403, description: 'The user lacks the permission.' },
  { status: 404, description: 'Unknown dataset.' },
  { ...GRAPHQL, status: 406, description: 'Neither of the formats is acceptable.' },
  { ...GRAPHQL, status: 413, description: 'The request is too large.' },
  { status: 503, description: 'The server still starts, or a time limit ran out.' },
];

/** Of a request with a body. */
const BODY_REFUSAL: AnswerDescription = { ...GRAPHQL, status: 415, description: 'The body is not JSON in UTF-8.' };

const ANSWERS: Readonly<Record<Mode, readonly AnswerDescription[]>> = {
  execute: [{ ...GRAPHQL, status: 200, description: 'The result, possibly partial.' }, ...REFUSALS],
  validate: [
    {
      ...TEXT_TOO,
      status: 200,
      description: 'The text `Query is valid`; for who takes JSON alone `{"data":{}}`.',
    },
    ...REFUSALS.map((answer) => (answer.schema === undefined ? answer : { ...answer, types: TEXT_TOO.types })),
  ],
};

/** The twelve endpoints of GraphQL: three schemas, execution and validation, GET and POST. */
export function graphQLRoutes({ platformSegment }: GraphSettings): Route[] {
  const schemas: readonly (readonly [segment: string, schema: GraphSchema])[] = [
    ['', createDatasetSchema()],
    ['/traversal', createTraversalSchema()],
    [`/${platformSegment}`, createPlatformSchema({ name: platformSegment })],
  ];
  return schemas.flatMap(([segment, schema]) => [
    ...routePair(segment, schema, 'execute'),
    ...routePair(segment, schema, 'validate'),
  ]);
}

function routePair(segment: string, schema: GraphSchema, mode: Mode): Route[] {
  const isPlatform = segment !== '' && segment !== '/traversal';
  const name = segment === '' ? 'Dataset' : isPlatform ? 'Platform' : 'Traversal';
  const common = {
    area: 'graph',
    path: `/{dataset}${segment}/${mode === 'execute' ? 'graphql' : 'validate'}`,
    access: 'graph.read',
    ignoreUnknown: true,
  } as const;
  const answers = ANSWERS[mode];
  const bodyTypes = mode === 'execute' ? GRAPHQL.types : TEXT_TOO.types;
  const summary = `${mode === 'execute' ? 'Executes' : 'Validates'} GraphQL against the ${name.toLowerCase()} schema.`;
  const get = defineRoute({
    ...common,
    method: 'GET',
    answers,
    operation: `${mode}${name}GraphQL`,
    summary,
    parameters: { ...DATASET, ...PARAMETERS },
    handle: (context, { dataset }) => answer(context, dataset, schema, mode),
  });
  const post = defineRoute({
    ...common,
    method: 'POST',
    answers: [...answers, { ...BODY_REFUSAL, types: bodyTypes }],
    operation: `${mode}${name}GraphQLByPost`,
    summary: `${summary} The request in a JSON body.`,
    intake: 'body',
    body: BODY,
    parameters: DATASET,
    handle: (context, { dataset }) => answer(context, dataset, schema, mode),
  });
  return [get, post];
}

async function answer(context: Context, name: string, schema: GraphSchema, mode: Mode): Promise<HttpAnswer> {
  const { request, configuration, services, viewer, signal, nextTurn } = context;
  const dataset = datasetOf(context, name);
  const isPost = request.method === 'POST';
  const body = isPost ? await readBody(request, context.bodyLimits) : undefined;
  const headers = { accept: request.header('accept'), 'content-type': isPost ? contentTypeOf(request) : undefined };
  const { introspection, graphqlLimits, timeLimitMs } = configuration.graph;
  const response = await answerGraphQLHttp(
    { method: isPost ? 'POST' : 'GET', headers, query: request.queryString, body },
    {
      schema,
      dataset,
      viewer,
      mode,
      introspection,
      limits: { ...graphqlLimits, timeLimitMs },
      search: services.search === undefined ? undefined : withSubclassFilters(context, services.search),
      signal,
      nextTurn,
      nowMs: () => performance.now(),
    },
  );
  return { ...response, headers: { ...response.headers, Vary: 'Accept' } };
}

import { CodedError } from '@cairn/errors';
import type { GraphSettings } from '../config/configuration.ts';
import { readText } from '../http/body.ts';
import { requireMediaType } from '../http/media-type.ts';
import type { HttpAnswer } from '../http/message.ts';
import { type Parameter, statedText, texts } from '../parameters/parameter.ts';
import { parameterFault } from '../parameters/read.ts';
import { parseForm, parseLongForm } from '../parameters/sent.ts';
import { requireAccess } from '../routing/access.ts';
import type { Context } from '../routing/context.ts';
import { defineRoute, type Route } from '../routing/route.ts';
import { answerQuery } from './answer-query.ts';
import { DATASET, datasetOf, GRAPH_FAULTS, GRAPH_READ, type StatedGraphs, toEvaluation } from './dataset.ts';
import { LABEL_HEADER } from './label.ts';
import { SPARQL_RESULT_TYPES } from './result-answer.ts';
import { describeService } from './service-description.ts';
import { type Form, formOf, single, UPDATE_EXAMPLE, UPDATE_TYPE, update } from './update.ts';

const QUERY_TYPE = 'application/sparql-query';
const FORM_TYPE = 'application/x-www-form-urlencoded';

const GRAPHS = {
  defaultGraphs: texts('default-graph-uri', { description: 'Default graph, in place of the FROM clauses.' }),
  namedGraphs: texts('named-graph-uri', { description: 'Named graph, in place of the FROM NAMED clauses.' }),
};

const ANSWERS = [
  { status: 200, description: 'The result, in the format that Accept prefers.', types: SPARQL_RESULT_TYPES },
  ...GRAPH_FAULTS,
];

const EXAMPLE = 'SELECT * WHERE { ?s ?p ?o } LIMIT 10';

/** The endpoints of SPARQL queries: `query`, its aliases when configured, and the combined `sparql`. */
export function graphQueryRoutes({ queryAliases }: GraphSettings): Route[] {
  const names = queryAliases ? ['query', 'get', 'read'] : ['query'];
  return [...names.flatMap((name) => [queryByGet(name), queryByPost(name)]), queryByGet('sparql'), sparqlByPost];
}

/** Refuses a request that asked for something else than a description: an update by GET, a misspelt `query`. */
function refuseForeignNames({ request, source }: Context): void {
  const known = new Set(Object.values(GRAPHS).map(({ name }: Parameter<unknown>) => name));
  for (const name of parseForm(request.queryString).keys()) {
    if (!known.has(name)) throw parameterFault(source, 'query', 'is required beside other parameters');
  }
}

function queryByGet(name: string): Route {
  return defineRoute({
    ...GRAPH_READ,
    method: 'GET',
    path: `/{dataset}/${name}`,
    operation: `graph${capital(name)}`,
    summary: 'Runs a SPARQL query over what the caller may see. Without parameters: what the service can do.',
    parameters: {
      ...DATASET,
      query: statedText('query', {
        description: 'The query. When nothing is asked, the answer is the description of the service.',
        example: EXAMPLE,
      }),
      ...GRAPHS,
    },
    answers: ANSWERS,
    async handle(context, { dataset, query, ...graphs }) {
      if (query !== undefined) return runQuery(context, dataset, query, graphs);
      datasetOf(context, dataset);
      refuseForeignNames(context);
      return describeService(context, name === 'sparql' ? ['SPARQL11Query', 'SPARQL11Update'] : ['SPARQL11Query']);
    },
  });
}

function queryByPost(name: string): Route {
  return defineRoute({
    ...GRAPH_READ,
    method: 'POST',
    path: `/{dataset}/${name}`,
    operation: `graph${capital(name)}ByPost`,
    summary: 'Runs a SPARQL query in the body.',
    intake: 'body',
    parameters: { ...DATASET, ...GRAPHS },
    body: {
      types: [QUERY_TYPE, FORM_TYPE],
      description: 'The query; in a form as `query`.',
      example: EXAMPLE,
      media: { [FORM_TYPE]: formOf('query', EXAMPLE, Object.values(GRAPHS)) },
    },
    answers: ANSWERS,
    async handle(context, { dataset, ...graphs }) {
      datasetOf(context, dataset);
      const type = requireMediaType(context.request, [QUERY_TYPE, FORM_TYPE]);
      return queryInBody(context, dataset, type, graphs);
    },
  });
}

/** `POST /{dataset}/sparql`: query or update, as the body says. */
const sparqlByPost: Route = defineRoute({
  ...GRAPH_READ,
  method: 'POST',
  path: '/{dataset}/sparql',
  operation: 'graphSparqlByPost',
  summary: 'Runs a SPARQL query or update in the body. An update needs the permission to write.',
  intake: 'body',
  parameters: {
    ...DATASET,
    ...GRAPHS,
    usingGraphs: texts('using-graph-uri', { description: 'Default graph of WHERE clauses of an update.' }),
    usingNamedGraphs: texts('using-named-graph-uri', { description: 'Named graph of WHERE clauses of an update.' }),
  },
  requestHeaders: [LABEL_HEADER],
  body: {
    types: [QUERY_TYPE, UPDATE_TYPE, FORM_TYPE],
    description: 'The query or update; in a form as `query` or `update`.',
    example: EXAMPLE,
    media: {
      [FORM_TYPE]: formOf('query', EXAMPLE, Object.values(GRAPHS)),
      [UPDATE_TYPE]: { example: UPDATE_EXAMPLE },
    },
  },
  answers: ANSWERS,
  async handle(context, { dataset, usingGraphs, usingNamedGraphs, ...graphs }) {
    datasetOf(context, dataset);
    const type = requireMediaType(context.request, [QUERY_TYPE, UPDATE_TYPE, FORM_TYPE]);
    if (type === QUERY_TYPE) return queryInBody(context, dataset, type, graphs);
    const form = type === FORM_TYPE ? await readForm(context) : undefined;
    if (form?.has('update') === false) return queryInForm(context, dataset, form, graphs);
    if (form?.has('query') === true) {
      const message = 'the form must hold query or update; got both';
      throw new CodedError({ code: 'ERR_PARAMETER', kind: 'invalid', message });
    }
    requireAccess(context.user, 'graph.write', dataset);
    return update(context, dataset, { usingGraphs, usingNamedGraphs }, form);
  },
});

async function queryInBody(context: Context, dataset: string, type: string, graphs: StatedGraphs): Promise<HttpAnswer> {
  if (type === FORM_TYPE) return queryInForm(context, dataset, await readForm(context), graphs);
  return runQuery(context, dataset, await readText(context.request, context.bodyLimits), graphs);
}

/** A form may name graphs as well; they join those of the query string. */
function queryInForm(context: Context, dataset: string, form: Form, sent: StatedGraphs): Promise<HttpAnswer> {
  const graphs = {
    defaultGraphs: [...sent.defaultGraphs, ...(form.get('default-graph-uri') ?? [])],
    namedGraphs: [...sent.namedGraphs, ...(form.get('named-graph-uri') ?? [])],
  };
  return runQuery(context, dataset, single(form.get('query'), 'query'), graphs);
}

async function runQuery(context: Context, name: string, text: string, graphs: StatedGraphs): Promise<HttpAnswer> {
  return answerQuery(context, datasetOf(context, name), text, toEvaluation(context, graphs));
}

async function readForm(context: Context): Promise<Map<string, string[]>> {
  return parseLongForm(await readText(context.request, context.bodyLimits));
}

function capital(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

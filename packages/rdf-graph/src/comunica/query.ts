import { CodedError, throwIfAborted } from '@cairn/errors';
import type { Viewer } from '@cairn/security';
import type * as RDF from '@rdfjs/types';
import type * as Ast from 'sparqljs';
import sparqljs from 'sparqljs';
import type { Evaluation, GraphDataset, QuadPattern, QueryResult, Solution } from '../graph/port/graph-dataset.ts';
import { namedNode } from '../rdf/terms.ts';
import { parseSparql } from '../sparql/parse/parser.ts';
import { takeEvaluation } from '../sparql/query/evaluation-arguments.ts';
import { QuadStream } from './quad-stream.ts';
import { resolveServices, type SparqlServices } from './services.ts';

/** Options of {@link queryWithComunica}. `budget.timeLimitMs` is not kept here: give a signal that aborts. */
export interface ComunicaEvaluation extends Evaluation {
  /** Services that SERVICE may call, by IRI. Default: none. */
  readonly services?: SparqlServices | undefined;
}

interface ResultStream<T> extends AsyncIterable<T> {
  destroy(): void;
}

interface ComunicaEngine {
  query(text: string, context: object): Promise<ComunicaResult>;
}

type ComunicaResult =
  | {
      readonly resultType: 'bindings';
      metadata(): Promise<{ readonly variables: readonly (RDF.Variable | { readonly variable: RDF.Variable })[] }>;
      execute(): Promise<ResultStream<Iterable<[RDF.Variable, RDF.Term]>>>;
    }
  | { readonly resultType: 'quads'; execute(): Promise<ResultStream<RDF.Quad>> }
  | { readonly resultType: 'boolean'; execute(): Promise<boolean> }
  | { readonly resultType: 'void'; execute(): Promise<void> };

const MAX_ROWS = 10_000_000;

let engine: Promise<ComunicaEngine> | undefined;

/** Loads the optional peer on first use: it is large and takes a third of a second. */
async function loadEngine(): Promise<ComunicaEngine> {
  try {
    const { QueryEngine } = await import('@comunica/query-sparql-rdfjs');
    return new QueryEngine() as ComunicaEngine;
  } catch (cause) {
    const message = 'federated queries need the optional package @comunica/query-sparql-rdfjs';
    throw new CodedError({ code: 'ERR_COMUNICA_MISSING', kind: 'unsupported', message, cause });
  }
}

/**
 * Answers a query over what a viewer sees of any dataset, through Comunica: the way to federate with SERVICE, and to run
 * what a dataset's own engine does not take. Slower than the dataset's own engine by one to three orders of magnitude.
 * @throws `ERR_SPARQL_SYNTAX` (invalid), `ERR_SERVICE_REFUSED` (denied), `ERR_COMUNICA_MISSING` (unsupported),
 * `ERR_RESULT_ROWS` (exhausted), `ERR_CANCELLED` (cancelled); what a service throws
 */
export async function queryWithComunica(
  dataset: GraphDataset,
  viewer: Viewer,
  text: string,
  given: ComunicaEvaluation = {},
): Promise<QueryResult> {
  const evaluation: ComunicaEvaluation = { ...takeEvaluation(given), services: given.services };
  throwIfAborted(evaluation.signal);
  const query = withDatasetOf(asQuery(parseSparql(text, evaluation.baseIri)), evaluation);
  const local = await resolveServices(query, evaluation.services ?? new Map(), evaluation.signal);
  engine ??= loadEngine();
  const comunica = await engine.catch((error: unknown) => {
    engine = undefined;
    throw error;
  });
  const written = new sparqljs.Generator({ sparqlStar: true }).stringify(local);
  const result = await comunica.query(written, toContext(dataset, viewer, evaluation));
  return toQueryResult(result, evaluation);
}

function asQuery(syntax: Ast.SparqlQuery): Ast.Query {
  if (syntax.type === 'query') return syntax;
  const message = 'the text must be a query; got an update';
  throw new CodedError({ code: 'ERR_SPARQL_SYNTAX', kind: 'invalid', message });
}

/** The protocol's dataset replaces that of the text. */
function withDatasetOf(query: Ast.Query, { defaultGraphs = [], namedGraphs = [] }: Evaluation): Ast.Query {
  if (defaultGraphs.length + namedGraphs.length === 0) return query;
  const from = { default: defaultGraphs.map(namedNode), named: namedGraphs.map(namedNode) };
  return { ...query, from } as Ast.Query;
}

/** The visible part of a dataset as the source: hidden quads are neither read nor counted. */
function toContext(dataset: GraphDataset, viewer: Viewer, { baseIri, nowMs = 0 }: Evaluation): object {
  const source = {
    match: (...terms: SourceTerm[]) => new QuadStream(dataset.match(viewer, toPattern(terms))),
    countQuads: (...terms: SourceTerm[]) => dataset.count(viewer, toPattern(terms)),
  };
  return { sources: [source], queryTimestamp: new Date(nowMs), ...(baseIri !== undefined && { baseIRI: baseIri }) };
}

type SourceTerm = RDF.Term | null | undefined;

function toPattern(terms: readonly SourceTerm[]): QuadPattern {
  const [subject, predicate, object, graph] = terms.map((term) => (term?.termType === 'Variable' ? undefined : term));
  return { subject, predicate, object, graph };
}

async function toQueryResult(result: ComunicaResult, evaluation: Evaluation): Promise<QueryResult> {
  switch (result.resultType) {
    case 'boolean':
      return { type: 'boolean', value: await result.execute() };
    case 'quads':
      return { type: 'quads', quads: guarded(await result.execute(), evaluation, (quad) => quad) };
    case 'bindings': {
      const { variables } = await result.metadata();
      const solutions = guarded(await result.execute(), evaluation, toSolution);
      return {
        type: 'bindings',
        variables: variables.map((one) => ('variable' in one ? one.variable : one).value),
        solutions,
      };
    }
    default:
      throw new CodedError({ code: 'ERR_SPARQL_SYNTAX', kind: 'invalid', message: 'the text must be a query' });
  }
}

function toSolution(binding: Iterable<[RDF.Variable, RDF.Term]>): Solution {
  return new Map([...binding].map(([variable, term]) => [variable.value, term]));
}

async function* guarded<T, R>(
  stream: ResultStream<T>,
  { signal, budget }: Evaluation,
  convert: (item: T) => R,
): AsyncGenerator<R, void, void> {
  const maxRows = budget?.maxRows ?? MAX_ROWS;
  let rows = 0;
  try {
    for await (const item of stream) {
      throwIfAborted(signal);
      if (++rows > maxRows) {
        const message = `a result has at most ${maxRows} rows; this one has more`;
        throw new CodedError({ code: 'ERR_RESULT_ROWS', kind: 'exhausted', message });
      }
      yield convert(item);
    }
  } finally {
    stream.destroy();
  }
}

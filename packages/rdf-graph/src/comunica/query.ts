import { CodedError, checkPort, checkText, readableOnce, throwIfAborted } from '@cairn/errors';
import { nextTurn } from '@cairn/events';
import { checkViewer, type Viewer } from '@cairn/security';
import type * as RDF from '@rdfjs/types';
import type * as Ast from 'sparqljs';
import sparqljs from 'sparqljs';
import type { Evaluation, GraphDataset, QuadPattern, QueryResult, Solution } from '../graph/port/graph-dataset.ts';
import { orAborted } from '../graph/port/or-aborted.ts';
import { namedNode } from '../rdf/terms.ts';
import { parseSparql } from '../sparql/parse/parser.ts';
import { takeEvaluation } from '../sparql/query/evaluation-arguments.ts';
import { type ComunicaEngine, type ComunicaResult, loadEngine, OperatorStreams, type ResultStream } from './engine.ts';
import { QuadStream } from './quad-stream.ts';
import { resolveServices, type SparqlServices, takeServices } from './services.ts';

/**
 * Options of {@link queryWithComunica}. Of the budget only `maxRows` is kept here: Comunica bounds neither time nor memory.
 * For time give a signal that aborts. Then the call, or the reading of its answer, fails at once, services and all; the
 * streams between Comunica's operators are ended and nothing more is read, so that the work ends within some turns of the
 * event loop. One step of Comunica without a turn, such as sorting all rows of an ORDER BY, goes to its end first.
 */
export interface ComunicaEvaluation extends Evaluation {
  /** Services that SERVICE may call, by IRI. Default: none. */
  readonly services?: SparqlServices | undefined;
}

const MAX_ROWS = 10_000_000;

/** Quads, and patterns, that one query reads between two looks at the event loop: an abort has to arrive. */
const READS_PER_TURN = 1024;

let engine: Promise<ComunicaEngine> | undefined;

/**
 * Answers a query over what a viewer sees of any dataset, through Comunica: the way to federate with SERVICE, and to run
 * what a dataset's own engine does not take. Slower than the dataset's own engine by one to three orders of magnitude.
 * @throws `ERR_SPARQL_SYNTAX` (invalid), `ERR_SERVICE_REFUSED` (denied), `ERR_COMUNICA_MISSING` (unsupported),
 * `ERR_RESULT_ROWS` (exhausted), `ERR_CANCELLED` (cancelled), `ERR_ARGUMENT` (invalid) for what are none of these and for
 * an answer of a service that is none; what a service throws
 */
export async function queryWithComunica(
  dataset: GraphDataset,
  viewer: Viewer,
  text: string,
  given: ComunicaEvaluation = {},
): Promise<QueryResult> {
  checkPort(dataset, 'match', 'the dataset');
  checkViewer(viewer);
  checkText(text, 'the query');
  const evaluation: ComunicaEvaluation = { ...takeEvaluation(given), services: takeServices(given.services) };
  throwIfAborted(evaluation.signal);
  const streams = new OperatorStreams();
  try {
    return await orAborted(begin(dataset, viewer, text, evaluation, streams), evaluation.signal);
  } catch (error) {
    streams.destroy();
    throw error;
  }
}

async function begin(
  dataset: GraphDataset,
  viewer: Viewer,
  text: string,
  evaluation: ComunicaEvaluation,
  streams: OperatorStreams,
): Promise<QueryResult> {
  const { services = new Map(), signal } = evaluation;
  const query = withDatasetOf(asQuery(parseSparql(text, evaluation.baseIri)), evaluation);
  const local = await resolveServices(query, services, signal);
  engine ??= loadEngine();
  const comunica = await engine.catch((error: unknown) => {
    engine = undefined;
    throw error;
  });
  throwIfAborted(signal);
  const written = new sparqljs.Generator({ sparqlStar: true }).stringify(local);
  const context = { ...toContext(dataset, viewer, evaluation), ...streams.toContext() };
  return toQueryResult(await comunica.query(written, context), evaluation, streams);
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
function toContext(dataset: GraphDataset, viewer: Viewer, { baseIri, nowMs = 0, signal }: Evaluation): object {
  let reads = 0;
  const readable = (): Promise<void> | undefined => {
    throwIfAborted(signal);
    return ++reads % READS_PER_TURN === 0 ? nextTurn() : undefined;
  };
  async function* read(pattern: QuadPattern): AsyncGenerator<RDF.Quad> {
    await readable();
    for await (const quad of dataset.match(viewer, pattern)) {
      yield quad;
      await readable();
    }
  }
  const source = {
    match: (...terms: SourceTerm[]) => new QuadStream(read(toPattern(terms))),
    countQuads: async (...terms: SourceTerm[]) => {
      await readable();
      return dataset.count(viewer, toPattern(terms));
    },
  };
  return { sources: [source], queryTimestamp: new Date(nowMs), ...(baseIri !== undefined && { baseIRI: baseIri }) };
}

type SourceTerm = RDF.Term | null | undefined;

function toPattern(terms: readonly SourceTerm[]): QuadPattern {
  const [subject, predicate, object, graph] = terms.map((term) => (term?.termType === 'Variable' ? undefined : term));
  return { subject, predicate, object, graph };
}

async function toQueryResult(
  result: ComunicaResult,
  evaluation: Evaluation,
  streams: OperatorStreams,
): Promise<QueryResult> {
  switch (result.resultType) {
    case 'boolean':
      return { type: 'boolean', value: await result.execute() };
    case 'quads':
      return {
        type: 'quads',
        quads: readableOnce(guarded(await result.execute(), evaluation, streams, (quad) => quad)),
      };
    case 'bindings': {
      const { variables } = await result.metadata();
      const solutions = readableOnce(guarded(await result.execute(), evaluation, streams, toSolution));
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
  streams: OperatorStreams,
  convert: (item: T) => R,
): AsyncGenerator<R, void, void> {
  const maxRows = budget?.maxRows ?? MAX_ROWS;
  let rows = 0;
  try {
    throwIfAborted(signal);
    const items = stream[Symbol.asyncIterator]();
    for (;;) {
      const next = await orAborted(items.next(), signal);
      if (next.done === true) return;
      if (++rows > maxRows) {
        const message = `a result has at most ${maxRows} rows; this one has more`;
        throw new CodedError({ code: 'ERR_RESULT_ROWS', kind: 'exhausted', message });
      }
      yield convert(next.value);
    }
  } finally {
    stream.destroy();
    streams.destroy();
  }
}

import { badArgument, CodedError, checkArray, checkObject, checkText, readableOnce } from '@cairn/errors';
import type { QueryResult } from '../../graph/port/graph-dataset.ts';
import { checkStream } from '../../rdf/arguments.ts';
import { findFormat } from '../../rdf/media-types.ts';
import { serializeRdf } from '../../rdf/serialize.ts';
import { jsonWriter } from './json.ts';
import { findResultsFormat, GRAPH_MEDIA_TYPES, type ResultsFormat, SOLUTION_MEDIA_TYPES } from './media-types.ts';
import { csvWriter, tsvWriter } from './separated.ts';
import type { SolutionWriter } from './solution-writer.ts';
import { xmlWriter } from './xml.ts';

/** Options of {@link writeResult}. */
export interface WriteResultOptions {
  /** One of `SOLUTION_MEDIA_TYPES` for solutions and booleans, of `GRAPH_MEDIA_TYPES` for quads, without parameters. */
  readonly mediaType: string;
  /** Prefixes without colon, for Turtle and TriG. Default none. */
  readonly prefixes?: Readonly<Record<string, string>> | undefined;
}

const WRITERS: Readonly<Record<ResultsFormat, SolutionWriter>> = {
  json: jsonWriter,
  xml: xmlWriter,
  csv: csvWriter,
  tsv: tsvWriter,
};

/**
 * A query's answer as text, in pieces of about 16 Ki UTF-16 units; the next one is made when it is asked for, so a slow
 * reader slows the evaluation. What the evaluation throws is thrown: the text then lacks its end, which JSON and XML show
 * in themselves, and for CSV and TSV whoever sends it must break the connection off.
 * @throws `ERR_RESULT_MEDIA_TYPE` (unsupported), and `ERR_ARGUMENT` (invalid) for what is no result, at once
 */
export function writeResult(result: QueryResult, options: WriteResultOptions): AsyncIterable<string> {
  checkObject(options, 'the options of writeResult');
  checkText(options.mediaType, 'mediaType');
  checkResult(result);
  if (result.type === 'quads') return writeQuads(result, options);
  const format = findResultsFormat(options.mediaType)?.format;
  if (format === undefined) throw notAvailable(options.mediaType, SOLUTION_MEDIA_TYPES);
  const writer = WRITERS[format];
  return readableOnce(
    result.type === 'boolean' ? single(writer.boolean(result.value)) : writeSolutions(result, writer),
  );
}

function checkResult(result: QueryResult): void {
  checkObject(result, 'the result');
  if (result.type === 'bindings') {
    checkArray(result.variables, 'the variables of the result');
    checkStream(result.solutions, 'the solutions of the result');
  } else if (result.type === 'boolean') {
    if (typeof result.value !== 'boolean') throw badArgument('the value of the result', 'a boolean', result.value);
  } else if (result.type !== 'quads') throw badArgument('the result', 'an object with the type of a result', result);
}

function writeQuads(
  { quads }: Extract<QueryResult, { type: 'quads' }>,
  options: WriteResultOptions,
): AsyncIterable<string> {
  if (findFormat(options.mediaType)?.writable !== true) throw notAvailable(options.mediaType, GRAPH_MEDIA_TYPES);
  return serializeRdf(quads, { contentType: options.mediaType, prefixes: options.prefixes });
}

async function* single(text: string): AsyncGenerator<string> {
  yield text;
}

const PIECE_UNITS = 1 << 14;

async function* writeSolutions(
  { variables, solutions }: Extract<QueryResult, { type: 'bindings' }>,
  writer: SolutionWriter,
): AsyncGenerator<string> {
  let piece = writer.head(variables);
  let first = true;
  for await (const solution of solutions) {
    if (typeof solution?.get !== 'function') throw badArgument('a solution', 'a Map of terms', solution);
    piece += writer.solution(solution, variables, first);
    first = false;
    if (piece.length < PIECE_UNITS) continue;
    yield piece;
    piece = '';
  }
  piece += writer.tail;
  if (piece !== '') yield piece;
}

function notAvailable(mediaType: string, available: readonly string[]): CodedError {
  return new CodedError({
    code: 'ERR_RESULT_MEDIA_TYPE',
    kind: 'unsupported',
    message: `the media type must be one of ${available.join(', ')}; got ${JSON.stringify(mediaType.slice(0, 100))}`,
  });
}

import { CodedError } from '@cairn/errors';
import { GRAPH_MEDIA_TYPES, negotiate, type QueryResult, SOLUTION_MEDIA_TYPES, writeResult } from '@cairn/rdf-graph';

export const SPARQL_RESULT_TYPES: readonly string[] = [...SOLUTION_MEDIA_TYPES, ...GRAPH_MEDIA_TYPES];

/** An answer that is evaluated while it is taken. */
export interface Evaluated {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<string>;
}

export interface ResultAnswer extends Evaluated {
  readonly status: 200;
}

/** The result of a query in the format that Accept prefers, streamed. @throws `ERR_NOT_ACCEPTABLE` (unsupported). */
export function resultAnswer(
  result: QueryResult,
  accept: string | undefined,
  prefixes: Readonly<Record<string, string>>,
): ResultAnswer {
  const mediaType = requireAcceptable(accept, result.type === 'quads' ? GRAPH_MEDIA_TYPES : SOLUTION_MEDIA_TYPES);
  return {
    status: 200,
    headers: { 'Content-Type': withCharset(mediaType), Vary: 'Accept' },
    body: writeResult(result, { mediaType, prefixes }),
  };
}

/** The media type to answer in. @throws `ERR_NOT_ACCEPTABLE` (unsupported) when Accept takes none of them. */
export function requireAcceptable(accept: string | undefined, available: readonly string[]): string {
  const mediaType = negotiate(accept, available);
  if (mediaType !== undefined) return mediaType;
  const message = `Accept must take one of ${available.join(', ')}`;
  throw new CodedError({ code: 'ERR_NOT_ACCEPTABLE', kind: 'unsupported', message });
}

/** A content type: text in UTF-8 says so. */
export function withCharset(mediaType: string): string {
  return mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType;
}

import { CodedError } from '@cairn/errors';
import {
  GRAPH_MEDIA_TYPES,
  type GraphDataset,
  negotiate,
  type QueryResult,
  SOLUTION_MEDIA_TYPES,
  writeResult,
} from '@cairn/rdf-graph';
import type { HttpAnswer } from '../http/message.ts';

/** Every media type that a query may be answered in. */
export const SPARQL_RESULT_TYPES: readonly string[] = [...SOLUTION_MEDIA_TYPES, ...GRAPH_MEDIA_TYPES];

/** The result of a query in the format that Accept prefers, streamed. @throws `ERR_NOT_ACCEPTABLE` (unsupported). */
export async function resultAnswer(
  result: QueryResult,
  accept: string | undefined,
  dataset: GraphDataset,
): Promise<HttpAnswer> {
  const isGraph = result.type === 'quads';
  const mediaType = requireAcceptable(accept, isGraph ? GRAPH_MEDIA_TYPES : SOLUTION_MEDIA_TYPES);
  const prefixes = isGraph ? await dataset.prefixes() : undefined;
  return {
    status: 200,
    headers: { 'Content-Type': withCharset(mediaType), Vary: 'Accept' },
    body: writeResult(result, { mediaType, prefixes }),
  };
}

/** The media type to answer in. @throws `ERR_NOT_ACCEPTABLE` (unsupported) when Accept takes none of them. */
export function requireAcceptable(accept: string | undefined, available: readonly string[]): string {
  const mediaType = accept !== undefined && accept.length > 2000 ? undefined : negotiate(accept, available);
  if (mediaType !== undefined) return mediaType;
  throw new CodedError({
    code: 'ERR_NOT_ACCEPTABLE',
    kind: 'unsupported',
    message: `Accept must take one of ${available.join(', ')}`,
  });
}

/** A content type: text in UTF-8 says so. */
export function withCharset(mediaType: string): string {
  return mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType;
}

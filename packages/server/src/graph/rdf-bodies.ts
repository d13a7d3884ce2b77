import { CodedError } from '@cairn/errors';
import { findFormat, RDF_FORMATS } from '@cairn/rdf-graph';
import { contentTypeOf, parseMediaType } from '../http/media-type.ts';
import type { HttpRequest } from '../http/message.ts';
import type { MediaDescription } from '../routing/route.ts';

const TRIPLE = '<https://example.org/s> <https://example.org/p> "o" .';

/** One triple in each syntax, and the schema of JSON-LD, which is the only one that is JSON. */
const BY_FORMAT: Readonly<Record<(typeof RDF_FORMATS)[number]['format'], MediaDescription>> = {
  turtle: { example: TRIPLE },
  trig: { example: `<https://example.org/g> { ${TRIPLE} }` },
  'n-triples': { example: TRIPLE },
  'n-quads': { example: '<https://example.org/s> <https://example.org/p> "o" <https://example.org/g> .' },
  'json-ld': {
    schema: { type: ['object', 'array'] },
    example: { '@id': 'https://example.org/s', 'https://example.org/p': 'o' },
  },
  'rdf-xml': {
    example:
      '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="https://example.org/"><rdf:Description rdf:about="https://example.org/s"><e:p>o</e:p></rdf:Description></rdf:RDF>',
  },
};

/** Bodies of RDF as the reference describes them, by media type. */
export const RDF_BODIES: Readonly<Record<string, MediaDescription>> = Object.fromEntries(
  RDF_FORMATS.map(({ format, mediaTypes }) => [mediaTypes[0], BY_FORMAT[format]]),
);

/** Media types of RDF that is to be stored. */
export const STORED_TYPES: readonly string[] = RDF_FORMATS.map(({ mediaTypes }) => mediaTypes[0]);

/** The media type of RDF that is to be stored. @throws as {@link rdfTypeOf} */
export function storedTypeOf(request: HttpRequest): string {
  // N-Triples may come as plain text, but so does everything that is no RDF.
  return rdfTypeOf(request, STORED_TYPES, (type) => type !== 'text/plain');
}

/**
 * The media type of a body of RDF, by the name that its format goes by.
 * @throws `ERR_MEDIA_TYPE` (unsupported) when it is none of those that are taken
 */
export function rdfTypeOf(request: HttpRequest, taken: readonly string[], isTaken = (_sent: string) => true): string {
  const sent = contentTypeOf(request);
  const type = sent === undefined ? '' : (parseMediaType(sent)?.type ?? '');
  const name = findFormat(type)?.mediaTypes[0];
  if (name !== undefined && taken.includes(name) && isTaken(type)) return name;
  const got = sent === undefined ? 'none' : JSON.stringify(sent.slice(0, 100));
  const message = `Content-Type must be one of ${taken.join(', ')}; got ${got}`;
  throw new CodedError({ code: 'ERR_MEDIA_TYPE', kind: 'unsupported', message });
}

import { CodedError, checkText, freezeDeeply } from '@cairn/errors';

/** A concrete syntax of RDF. */
export type RdfFormat = 'turtle' | 'trig' | 'n-triples' | 'n-quads' | 'json-ld' | 'rdf-xml';

/** Properties of one syntax. */
export interface RdfFormatInfo {
  readonly format: RdfFormat;
  /** The registered media type; then others that occur. */
  readonly mediaTypes: readonly [string, ...string[]];
  /** File name endings with their dot. */
  readonly extensions: readonly [string, ...string[]];
  /** True when it can name graphs. */
  readonly quads: boolean;
  /** True when `serializeRdf` writes it. */
  readonly writable: boolean;
  /** Its name in service descriptions. Source: https://www.w3.org/ns/formats/ */
  readonly iri: string;
}

/** Every syntax that `parseRdf` reads. */
export const RDF_FORMATS: readonly RdfFormatInfo[] = freezeDeeply([
  describe('turtle', 'Turtle', ['text/turtle', 'application/x-turtle', 'application/turtle'], ['.ttl', '.turtle']),
  describe('trig', 'TriG', ['application/trig', 'application/x-trig'], ['.trig']),
  describe('n-triples', 'N-Triples', ['application/n-triples', 'text/plain'], ['.nt']),
  describe('n-quads', 'N-Quads', ['application/n-quads', 'text/x-nquads', 'text/nquads'], ['.nq']),
  describe('json-ld', 'JSON-LD', ['application/ld+json'], ['.jsonld']),
  describe('rdf-xml', 'RDF_XML', ['application/rdf+xml'], ['.rdf', '.owl']),
]);

function describe(
  format: RdfFormat,
  name: string,
  mediaTypes: RdfFormatInfo['mediaTypes'],
  extensions: RdfFormatInfo['extensions'],
): RdfFormatInfo {
  const quads = format === 'trig' || format === 'n-quads' || format === 'json-ld';
  return { format, mediaTypes, extensions, quads, writable: true, iri: `http://www.w3.org/ns/formats/${name}` };
}

/** The media type of RDF patch. */
export const RDF_PATCH_MEDIA_TYPE = 'application/rdf-patch';

const BY_MEDIA_TYPE: ReadonlyMap<string, RdfFormatInfo> = new Map(
  RDF_FORMATS.flatMap((info) => info.mediaTypes.map((type) => [type, info] as const)),
);

/** The media type of a Content-Type header: lower case, without parameters. */
export function toMediaType(contentType: string): string {
  checkText(contentType, 'a media type');
  return contentType.split(';', 1)[0].trim().toLowerCase();
}

/** The syntax of a Content-Type; `undefined` when it is none of RDF. */
export function findFormat(contentType: string): RdfFormatInfo | undefined {
  return BY_MEDIA_TYPE.get(toMediaType(contentType));
}

/** The syntax of a Content-Type. @throws `ERR_RDF_MEDIA_TYPE` (unsupported) when it is none of RDF */
export function formatOf(contentType: string): RdfFormatInfo {
  const info = findFormat(contentType);
  if (info !== undefined) return info;
  const known = RDF_FORMATS.map(({ mediaTypes }) => mediaTypes[0]).join(', ');
  const message = `the media type must be one of ${known}; got ${JSON.stringify(toMediaType(contentType).slice(0, 100))}`;
  throw new CodedError({ code: 'ERR_RDF_MEDIA_TYPE', kind: 'unsupported', message });
}

/** The media type of a file by its name; RDF patch included (`.rdfp`). `undefined` for another ending. */
export function mediaTypeOfFile(name: string): string | undefined {
  checkText(name, 'the name of a file');
  const lower = name.toLowerCase();
  if (lower.endsWith('.rdfp')) return RDF_PATCH_MEDIA_TYPE;
  return RDF_FORMATS.find(({ extensions }) => extensions.some((end) => lower.endsWith(end)))?.mediaTypes[0];
}

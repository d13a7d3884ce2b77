import { checkText } from '@cairn/errors';

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

const FORMATS = 'http://www.w3.org/ns/formats/';

/** Every syntax that `parseRdf` reads. */
export const RDF_FORMATS: readonly RdfFormatInfo[] = [
  {
    format: 'turtle',
    mediaTypes: ['text/turtle', 'application/x-turtle', 'application/turtle'],
    extensions: ['.ttl', '.turtle'],
    quads: false,
    writable: true,
    iri: `${FORMATS}Turtle`,
  },
  {
    format: 'trig',
    mediaTypes: ['application/trig', 'application/x-trig'],
    extensions: ['.trig'],
    quads: true,
    writable: true,
    iri: `${FORMATS}TriG`,
  },
  {
    format: 'n-triples',
    mediaTypes: ['application/n-triples', 'text/plain'],
    extensions: ['.nt'],
    quads: false,
    writable: true,
    iri: `${FORMATS}N-Triples`,
  },
  {
    format: 'n-quads',
    mediaTypes: ['application/n-quads', 'text/x-nquads', 'text/nquads'],
    extensions: ['.nq'],
    quads: true,
    writable: true,
    iri: `${FORMATS}N-Quads`,
  },
  {
    format: 'json-ld',
    mediaTypes: ['application/ld+json'],
    extensions: ['.jsonld'],
    quads: true,
    writable: true,
    iri: `${FORMATS}JSON-LD`,
  },
  {
    format: 'rdf-xml',
    mediaTypes: ['application/rdf+xml'],
    extensions: ['.rdf', '.owl'],
    quads: false,
    writable: true,
    iri: `${FORMATS}RDF_XML`,
  },
];

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

/** The media type of a file by its name; RDF patch included (`.rdfp`). `undefined` for another ending. */
export function mediaTypeOfFile(name: string): string | undefined {
  checkText(name, 'the name of a file');
  const lower = name.toLowerCase();
  if (lower.endsWith('.rdfp')) return RDF_PATCH_MEDIA_TYPE;
  return RDF_FORMATS.find(({ extensions }) => extensions.some((end) => lower.endsWith(end)))?.mediaTypes[0];
}

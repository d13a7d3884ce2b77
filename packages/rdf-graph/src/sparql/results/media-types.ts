import { checkText, freezeDeeply } from '@cairn/errors';
import { RDF_FORMATS } from '../../rdf/media-types.ts';

/** A syntax for solutions and booleans. */
export type ResultsFormat = 'json' | 'xml' | 'csv' | 'tsv';

/** Properties of one syntax. */
export interface ResultsFormatInfo {
  readonly format: ResultsFormat;
  /** The registered media type; then others that ask for it. */
  readonly mediaTypes: readonly [string, ...string[]];
  /** File name endings with their dot. */
  readonly extensions: readonly [string, ...string[]];
  /**
   * True when it has a form for the answer of ASK. CSV and TSV have none in the standard: one line with the boolean.
   */
  readonly booleans: boolean;
  /** Its name in service descriptions. Source: https://www.w3.org/ns/formats/ */
  readonly iri: string;
}

function infoOf(
  format: ResultsFormat,
  extension: string,
  booleans: boolean,
  mediaTypes: ResultsFormatInfo['mediaTypes'],
): ResultsFormatInfo {
  const iri = `http://www.w3.org/ns/formats/SPARQL_Results_${format.toUpperCase()}`;
  return { format, mediaTypes, extensions: [extension], booleans, iri };
}

/** Every syntax that `writeResult` writes, the one for clients that do not care first. */
export const RESULTS_FORMATS: readonly ResultsFormatInfo[] = freezeDeeply([
  infoOf('json', '.srj', true, ['application/sparql-results+json', 'application/json']),
  infoOf('xml', '.srx', true, ['application/sparql-results+xml', 'application/xml', 'text/xml']),
  infoOf('csv', '.csv', false, ['text/csv']),
  infoOf('tsv', '.tsv', false, ['text/tab-separated-values']),
]);

/** The media types that SELECT and ASK answer in, the default first. */
export const SOLUTION_MEDIA_TYPES: readonly string[] = Object.freeze(
  RESULTS_FORMATS.flatMap(({ mediaTypes }) => mediaTypes),
);

/** The media types that CONSTRUCT and DESCRIBE answer in, the default first: what has no named graphs comes first. */
export const GRAPH_MEDIA_TYPES: readonly string[] = Object.freeze(
  RDF_FORMATS.filter(({ writable }) => writable).flatMap(({ mediaTypes }) => mediaTypes),
);

const BY_MEDIA_TYPE: ReadonlyMap<string, ResultsFormatInfo> = new Map(
  RESULTS_FORMATS.flatMap((info) => info.mediaTypes.map((type) => [type, info] as const)),
);

/** The syntax of a media type without parameters; `undefined` when it is none of solutions. */
export function findResultsFormat(mediaType: string): ResultsFormatInfo | undefined {
  checkText(mediaType, 'a media type');
  return BY_MEDIA_TYPE.get(mediaType);
}

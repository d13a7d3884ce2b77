import { CodedError, checkObject, checkText, readableOnce } from '@cairn/errors';
import type * as RDF from '@rdfjs/types';
import { checkOptional, checkQuad, checkStream, checkTexts } from './arguments.ts';
import { serializeJsonLd } from './json-ld/writer.ts';
import { formatOf, type RdfFormat } from './media-types.ts';
import type { QuadSource } from './quad-source.ts';
import { serializeRdfXml } from './rdf-xml-writer.ts';
import { writeQuad } from './term-writer.ts';
import { serializeTurtle } from './turtle-writer.ts';

/** Options of {@link serializeRdf}. */
export interface SerializeRdfOptions {
  /** The media type; parameters are ignored. */
  readonly contentType: string;
  /** Prefixes without colon, for Turtle, TriG and RDF/XML. Default none. */
  readonly prefixes?: Readonly<Record<string, string>> | undefined;
}

type Serializer = (quads: QuadSource, options: SerializeRdfOptions) => AsyncGenerator<string>;

const SERIALIZERS: Readonly<Record<RdfFormat, Serializer>> = {
  turtle: (quads, { prefixes }) => serializeTurtle(quads, 'turtle', prefixes),
  trig: (quads, { prefixes }) => serializeTurtle(quads, 'trig', prefixes),
  'n-triples': serializeLines,
  'n-quads': serializeLines,
  'json-ld': serializeJsonLd,
  'rdf-xml': (quads, { prefixes }) => serializeRdfXml(quads, prefixes),
};

/**
 * Quads as text, in pieces, as they come: a piece is made when it is asked for. What the source throws is thrown, and the
 * text then lacks its end.
 * @throws `ERR_RDF_MEDIA_TYPE` (unsupported); `ERR_RDF_NO_GRAPHS` (invalid) for a quad of a named graph in Turtle or
 * N-Triples; `ERR_RDF_XML` (unsupported) for what RDF/XML cannot say; `ERR_ARGUMENT` (invalid) for what are no quads
 */
export function serializeRdf(quads: QuadSource, options: SerializeRdfOptions): AsyncIterable<string> {
  checkObject(options, 'the options of serializeRdf');
  checkText(options.contentType, 'contentType');
  checkOptional(options.prefixes, 'the prefixes', checkTexts);
  checkStream(quads, 'the quads');
  const info = formatOf(options.contentType);
  return readableOnce(SERIALIZERS[info.format](info.quads ? quads : onlyTriples(quads, info.mediaTypes[0]), options));
}

async function* onlyTriples(quads: QuadSource, mediaType: string): AsyncGenerator<RDF.Quad> {
  for await (const quad of quads) {
    checkQuad(quad);
    if (quad.graph.termType !== 'DefaultGraph') {
      const message = `${mediaType} has no named graphs; ask for application/trig or application/n-quads`;
      throw new CodedError({ code: 'ERR_RDF_NO_GRAPHS', kind: 'invalid', message });
    }
    yield quad;
  }
}

const PIECE_UNITS = 1 << 14;

async function* serializeLines(quads: QuadSource): AsyncGenerator<string> {
  let piece = '';
  for await (const quad of quads) {
    piece += `${writeQuad(quad)}\n`;
    if (piece.length < PIECE_UNITS) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

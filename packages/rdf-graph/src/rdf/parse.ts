import {
  checkBound,
  checkFunction,
  checkObject,
  checkSignal,
  checkText,
  readableOnce,
  throwIfAborted,
} from '@cairn/errors';
import type * as RDF from '@rdfjs/types';
import { checkOptional, checkTextSource } from './arguments.ts';
import { type BlankNodeNaming, createBlankNodeScope } from './blank-node-scope.ts';
import type { DocumentOptions, DocumentParser } from './document-parser.ts';
import { createJsonLdParser } from './json-ld/parser.ts';
import { formatOf, type RdfFormat, toMediaType } from './media-types.ts';
import { createNQuadsParser } from './n-quads.ts';
import { createRdfXmlParser } from './rdf-xml.ts';
import { rdfTooLarge } from './syntax-error.ts';
import { decodeInTurns, ReadingTurns, type TextSource } from './text-source.ts';
import { createTurtleParser } from './turtle.ts';
import { findXmlDecoder } from './xml-encoding.ts';

/** Options of {@link parseRdf}. */
export interface ParseRdfOptions {
  /** The media type; parameters are ignored. */
  readonly contentType: string;
  /** Base of relative IRIs. Without it they are an error. */
  readonly baseIri?: string | undefined;
  /** Names blank nodes from their labels; those without one are `anon0`, `anon1`, ... Default: labels as they are. */
  readonly nameBlankNode?: BlankNodeNaming | undefined;
  /** Told of each prefix, without its colon, that Turtle or TriG declares. */
  readonly onPrefix?: ((prefix: string, iri: string) => void) | undefined;
  /** JSON-LD contexts by IRI. Others are refused: nothing is ever fetched. */
  readonly contexts?: Readonly<Record<string, object>> | undefined;
  /** Largest input, UTF-8 bytes (of text: UTF-16 units). Default 1 GiB. */
  readonly maxBytes?: number | undefined;
  /** JSON objects and arrays inside one another. Default 200. */
  readonly maxNesting?: number | undefined;
  /** One IRI, string, comment, or line of N-Triples and N-Quads, in UTF-16 units. Default 4 Mi. */
  readonly maxTokenUnits?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const PARSERS: Readonly<Record<RdfFormat, (options: DocumentOptions) => DocumentParser>> = {
  turtle: (options) => createTurtleParser('Turtle', options),
  trig: (options) => createTurtleParser('TriG', options),
  'n-triples': (options) => createNQuadsParser('N-Triples', options),
  'n-quads': (options) => createNQuadsParser('N-Quads', options),
  'json-ld': createJsonLdParser,
  'rdf-xml': createRdfXmlParser,
};

/** How much of a text may be read between two turns where that takes a few milliseconds only, by media type. */
const MAX_STRETCH_UNITS: ReadonlyMap<string, number> = new Map([
  ['application/n-triples', 2 ** 18],
  ['application/n-quads', 2 ** 18],
  ['application/ld+json', 2 ** 16],
  ['text/turtle', 2 ** 16],
  ['application/trig', 2 ** 16],
]);

const MAX_BYTES = 2 ** 30;
const MAX_NESTING = 200;
const MAX_TOKEN_UNITS = 2 ** 22;

/**
 * The quads of a document, in order, as they are read. Between pieces of some milliseconds other events have their turn.
 * A document that ends too early is refused at its end.
 * @throws `ERR_RDF_SYNTAX` (invalid) with line, `ERR_RDF_TOO_LARGE` (too-large), `ERR_RDF_REMOTE_CONTEXT` (unsupported),
 * `ERR_RDF_MEDIA_TYPE` (unsupported), `ERR_RDF_ENCODING` (unsupported), `ERR_ARGUMENT` (invalid) for what is no source or no option
 */
export function parseRdf(source: TextSource, options: ParseRdfOptions): AsyncGenerator<RDF.Quad, void, void> {
  return readableOnce(parseQuads(source, options));
}

async function* parseQuads(source: TextSource, options: ParseRdfOptions): AsyncGenerator<RDF.Quad, void, void> {
  for await (const quads of parseBatches(source, options)) yield* quads;
}

/** The same as {@link parseRdf} in batches of the size that the input comes in: for loading, where each step counts. */
export function parseRdfBatches(
  source: TextSource,
  options: ParseRdfOptions,
): AsyncGenerator<readonly RDF.Quad[], void, void> {
  return readableOnce(parseBatches(source, options));
}

async function* parseBatches(
  source: TextSource,
  options: ParseRdfOptions,
): AsyncGenerator<readonly RDF.Quad[], void, void> {
  checkOptions(options);
  checkTextSource(source);
  const { contentType, nameBlankNode, maxBytes = MAX_BYTES } = options;
  const { format } = formatOf(contentType);
  const parser = PARSERS[format]({
    ...options,
    blankNodes: createBlankNodeScope(nameBlankNode),
    maxNesting: options.maxNesting ?? MAX_NESTING,
    maxTokenUnits: options.maxTokenUnits ?? MAX_TOKEN_UNITS,
  });
  const turns = new ReadingTurns(MAX_STRETCH_UNITS.get(toMediaType(contentType)));
  let size = 0;
  for await (const piece of decodeInTurns(source, turns, format === 'rdf-xml' ? findXmlDecoder : undefined)) {
    throwIfAborted(options.signal);
    size += piece.sizeBytes;
    if (size > maxBytes) throw rdfTooLarge('an RDF document in bytes', maxBytes);
    const quads = await parser.push(piece.text);
    turns.made(quads.length);
    if (quads.length > 0) yield quads;
  }
  let rest: readonly RDF.Quad[] | undefined = await parser.finish();
  for (; rest !== undefined; rest = await parser.more?.()) if (rest.length > 0) yield rest;
}

function checkOptions(options: ParseRdfOptions): void {
  checkObject(options, 'the options of parseRdf');
  checkText(options.contentType, 'contentType');
  checkOptional(options.baseIri, 'baseIri', checkText);
  checkOptional(options.nameBlankNode, 'nameBlankNode', checkFunction);
  checkOptional(options.onPrefix, 'onPrefix', checkFunction);
  checkOptional(options.contexts, 'contexts', checkObject);
  checkOptional(options.maxBytes, 'maxBytes', checkBound);
  checkOptional(options.maxNesting, 'maxNesting', checkBound);
  checkOptional(options.maxTokenUnits, 'maxTokenUnits', checkBound);
  checkSignal(options.signal, 'signal');
}

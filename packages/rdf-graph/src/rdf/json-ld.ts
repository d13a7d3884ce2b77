import { CodedError, isCodedError } from '@cairn/errors';
import type * as RDF from '@rdfjs/types';
import { JsonLdParser } from 'jsonld-streaming-parser';
import type { BlankNodeScope } from './blank-node-scope.ts';
import { createJsonDepthGuard } from './json-depth.ts';
import { createStreamParser, type StreamParser } from './stream-parser.ts';
import { rdfSyntaxError } from './syntax-error.ts';
import { createTermFactory } from './term-factory.ts';

/** Options of {@link createJsonLdParser}. */
export interface JsonLdOptions {
  readonly baseIri?: string | undefined;
  readonly blankNodes: BlankNodeScope;
  /** Contexts by IRI that a document may refer to. Others are refused: nothing is ever fetched. */
  readonly contexts?: Readonly<Record<string, object>> | undefined;
  /** Objects and arrays inside one another. */
  readonly maxNesting: number;
}

/** A parser of JSON-LD 1.1, over jsonld-streaming-parser. */
export function createJsonLdParser(options: JsonLdOptions): StreamParser {
  const contexts = new Map(Object.entries(options.contexts ?? {}));
  // The library wraps what a loader throws in an error of its own.
  let refusal: CodedError | undefined;
  const parser = new JsonLdParser({
    dataFactory: createTermFactory(options.blankNodes) as RDF.DataFactory<RDF.BaseQuad>,
    documentLoader: {
      async load(url) {
        const context = contexts.get(url);
        if (context !== undefined) return context;
        refusal = remoteContext(url);
        throw refusal;
      },
    },
    ...(options.baseIri !== undefined && { baseIRI: options.baseIri }),
  });
  const guard = createJsonDepthGuard(options.maxNesting);
  return createStreamParser(parser, (error) => refusal ?? toJsonLdError(error), guard);
}

function remoteContext(url: string): CodedError {
  return new CodedError({
    code: 'ERR_RDF_REMOTE_CONTEXT',
    kind: 'unsupported',
    message: `JSON-LD contexts are not fetched; got a reference to ${JSON.stringify(url.slice(0, 200))}`,
  });
}

function toJsonLdError(error: Error): Error {
  if (isCodedError(error)) return error;
  return rdfSyntaxError('JSON-LD', error.message.replace(/"[^"]*"|'[^']*'/g, 'value'), undefined, { cause: error });
}

import { CodedError, isCodedError, throwIfAborted } from '@cairn/errors';
import type * as RDF from '@rdfjs/types';
import type { BlankNodeScope } from './blank-node-scope.ts';
import { createJsonGuard } from './json-guard.ts';
import { SteppedJsonLdParser } from './stepped-json-ld-parser.ts';
import { createStreamParser, type StreamParser } from './stream-parser.ts';
import { rdfSyntaxError } from './syntax-error.ts';
import { createTermFactory } from './term-factory.ts';
import { TextBudget } from './text-budget.ts';

/** Options of {@link createJsonLdParser}. */
export interface JsonLdOptions {
  readonly baseIri?: string | undefined;
  readonly blankNodes: BlankNodeScope;
  /** Contexts by IRI that a document may refer to. Others are refused: nothing is ever fetched. */
  readonly contexts?: Readonly<Record<string, object>> | undefined;
  /** Objects and arrays inside one another. */
  readonly maxNesting: number;
  /** UTF-16 units of one string. */
  readonly maxTokenUnits: number;
  readonly signal?: AbortSignal | undefined;
}

/** A parser of JSON-LD 1.1, over jsonld-streaming-parser. The document is an object or an array, whole. */
export function createJsonLdParser(options: JsonLdOptions): StreamParser {
  const contexts = new Map(Object.entries(options.contexts ?? {}));
  // The library wraps what a loader throws in an error of its own.
  let refusal: CodedError | undefined;
  const budget = new TextBudget();
  const documentLoader = {
    async load(url: string) {
      const context = contexts.get(url);
      if (context !== undefined) return context;
      refusal = remoteContext(url);
      throw refusal;
    },
  };
  const parser = new SteppedJsonLdParser(
    {
      dataFactory: createTermFactory(options.blankNodes, budget) as RDF.DataFactory<RDF.BaseQuad>,
      documentLoader,
      ...(options.baseIri !== undefined && { baseIRI: options.baseIri }),
    },
    { check: () => throwIfAborted(options.signal) },
  );
  const guard = createJsonGuard(options);
  const fed = createStreamParser(parser, (error) => refusal ?? toJsonLdError(error));
  return {
    push(text) {
      budget.read(text.length);
      guard.inspect(text);
      return fed.push(text);
    },
    finish() {
      guard.finish();
      return fed.finish();
    },
  };
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

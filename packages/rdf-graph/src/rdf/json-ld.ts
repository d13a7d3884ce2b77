import { CodedError, isCodedError, throwIfAborted } from '@cairn/errors';
import type * as RDF from '@rdfjs/types';
import { createStreamParser, type DocumentOptions, type DocumentParser } from './document-parser.ts';
import { JsonGuard } from './json-guard.ts';
import { SteppedJsonLdParser } from './stepped-json-ld-parser.ts';
import { rdfSyntaxError } from './syntax-error.ts';
import { createTermFactory } from './term-factory.ts';
import { TextBudget } from './text-budget.ts';

/** A parser of JSON-LD 1.1, over jsonld-streaming-parser. The document is an object or an array, whole. */
export function createJsonLdParser(options: DocumentOptions): DocumentParser {
  const contexts = new Map(Object.entries(options.contexts ?? {}));
  // The library wraps what a loader throws in an error of its own.
  let refusal: CodedError | undefined;
  const budget = new TextBudget();
  const documentLoader = {
    async load(url: string) {
      const context = contexts.get(url);
      if (context !== undefined) return context;
      const message = `JSON-LD contexts are not fetched; got a reference to ${JSON.stringify(url.slice(0, 200))}`;
      refusal = new CodedError({ code: 'ERR_RDF_REMOTE_CONTEXT', kind: 'unsupported', message });
      throw refusal;
    },
  };
  const parser = new SteppedJsonLdParser(
    {
      dataFactory: createTermFactory(options.blankNodes, budget) as RDF.DataFactory<RDF.BaseQuad>,
      documentLoader,
      ...(options.baseIri !== undefined && { baseIRI: options.baseIri }),
    },
    () => throwIfAborted(options.signal),
  );
  const guard = new JsonGuard(options);
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

function toJsonLdError(error: Error): Error {
  if (isCodedError(error)) return error;
  return rdfSyntaxError('JSON-LD', error.message.replace(/"[^"]*"|'[^']*'/g, 'value'), undefined, { cause: error });
}

import { isCodedError, type SourcePosition } from '@cairn/errors';
import type * as RDF from '@rdfjs/types';
import { Parser } from 'n3';
import type { DocumentOptions, DocumentParser } from './document-parser.ts';
import { countNewlines } from './line-pieces.ts';
import { rdfSyntaxError } from './syntax-error.ts';
import { createTermFactory } from './term-factory.ts';
import { TextBudget } from './text-budget.ts';
import { createTokenPieces } from './token-pieces.ts';

const MAX_TRIPLE_TERM_DEPTH = 32;

type Listener = (value?: string) => void;

export function createTurtleParser(syntax: 'Turtle' | 'TriG', options: DocumentOptions): DocumentParser {
  const listeners = new Map<string, Listener>();
  let quads: RDF.Quad[] = [];
  let failure: Error | undefined;
  const place = new LineFinder();
  const budget = new TextBudget();
  const pieces = createTokenPieces(options.maxTokenUnits);
  const parser = new Parser({
    format: syntax,
    factory: createTermFactory(options.blankNodes, budget),
    // An empty prefix: labels reach the factory as they are written.
    blankNodePrefix: '_:',
    maxTripleTermDepth: MAX_TRIPLE_TERM_DEPTH,
    ...(options.baseIri !== undefined && { baseIRI: options.baseIri }),
  } as ConstructorParameters<typeof Parser>[0]);
  const input = { on: (event: string, listener: Listener) => void listeners.set(event, listener) };
  parser.parse(
    // n3 takes anything that has `on`, which its types do not say.
    input as typeof input & string,
    (error, parsed: RDF.Quad | null) => {
      if (error !== null) failure ??= error;
      else if (parsed) quads.push(parsed);
    },
    (prefix, iri) => options.onPrefix?.(prefix, typeof iri === 'string' ? iri : iri.value),
  );
  const emit = (event: string, text?: string): RDF.Quad[] => {
    if (text !== undefined) place.enter(text);
    try {
      listeners.get(event)?.(text);
    } catch (error) {
      failure ??= error as Error;
    }
    if (failure !== undefined) throw toSyntaxError(syntax, failure, place);
    const done = quads;
    quads = [];
    return done;
  };
  return {
    push(text) {
      budget.read(text.length);
      const ready = pieces.push(text);
      return ready === '' ? [] : emit('data', ready);
    },
    finish() {
      const rest = pieces.finish();
      return [...(rest === '' ? [] : emit('data', rest)), ...emit('end')];
    },
  };
}

/** Finds where a line begins, when it ends in the newest piece of the text. */
class LineFinder {
  #current = '';
  /** The line in which the current piece begins, and where that line does. */
  #line = 1;
  #lineOffset = 0;
  #offset = 0;

  enter(text: string): void {
    const newline = this.#current.lastIndexOf('\n');
    if (newline >= 0) this.#lineOffset = this.#offset + newline + 1;
    this.#line += countNewlines(this.#current);
    this.#offset += this.#current.length;
    this.#current = text;
  }

  find(wanted = this.#line): SourcePosition {
    let at = this.#lineOffset - this.#offset;
    for (let n = this.#line; n < wanted; n++) at = this.#current.indexOf('\n', Math.max(0, at)) + 1;
    return { offset: this.#offset + at, line: wanted, column: 1 };
  }
}

/** n3 tells the line; what it quotes from the text stays out of the message. */
function toSyntaxError(syntax: string, error: Error & { context?: { line?: number } }, place: LineFinder): Error {
  if (isCodedError(error)) return error;
  const problem = error.message
    .replace(/ on line \d+\.?$/, '')
    .replace(/".*"/s, 'token')
    .replace(/\.$/, '');
  const text = problem.charAt(0).toLowerCase() + problem.slice(1);
  return rdfSyntaxError(syntax, text, place.find(error.context?.line), { cause: error });
}

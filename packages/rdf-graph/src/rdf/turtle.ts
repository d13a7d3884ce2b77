import { isCodedError, type SourcePosition } from '@cairn/errors';
import type * as RDF from '@rdfjs/types';
import { Parser } from 'n3';
import type { BlankNodeScope } from './blank-node-scope.ts';
import type { ChunkParser } from './n-quads.ts';
import { rdfSyntaxError } from './syntax-error.ts';
import { createTermFactory } from './term-factory.ts';
import { TextBudget } from './text-budget.ts';
import { createTokenPieces } from './token-pieces.ts';

const MAX_TRIPLE_TERM_DEPTH = 32;

/** Options of {@link createTurtleParser}. */
export interface TurtleOptions {
  readonly format: 'turtle' | 'trig';
  readonly baseIri?: string | undefined;
  readonly blankNodes: BlankNodeScope;
  readonly maxTokenUnits: number;
  /** Told of each prefix without its colon, as it is declared. */
  readonly onPrefix?: ((prefix: string, iri: string) => void) | undefined;
}

type Listener = (value?: string) => void;

/** A parser of Turtle or TriG, over n3's. */
export function createTurtleParser(options: TurtleOptions): ChunkParser {
  const syntax = options.format === 'trig' ? 'TriG' : 'Turtle';
  const listeners = new Map<string, Listener>();
  let quads: RDF.Quad[] = [];
  let failure: Error | undefined;
  const place = createLineFinder();
  const budget = new TextBudget();
  const pieces = createTokenPieces(options.maxTokenUnits);
  startParser(options, budget, listeners, (error, parsed) => {
    if (error !== null) failure ??= error;
    else if (parsed !== undefined) quads.push(parsed);
  });
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

type Receiver = (error: Error | null, parsed?: RDF.Quad) => void;

/** n3 takes its input from anything that has `on`. */
function startParser(
  options: TurtleOptions,
  budget: TextBudget,
  listeners: Map<string, Listener>,
  receive: Receiver,
): void {
  const parser = new Parser({
    format: options.format,
    factory: createTermFactory(options.blankNodes, budget),
    // An empty prefix: labels reach the factory as they are written.
    blankNodePrefix: '_:',
    maxTripleTermDepth: MAX_TRIPLE_TERM_DEPTH,
    ...(options.baseIri !== undefined && { baseIRI: options.baseIri }),
  } as ConstructorParameters<typeof Parser>[0]);
  const input = { on: (event: string, listener: Listener) => void listeners.set(event, listener) };
  parser.parse(
    // n3 takes a source of events as well, which its types do not say.
    input as typeof input & string,
    (error, parsed) => receive(error, (parsed as RDF.Quad | null) ?? undefined),
    (prefix, iri) => options.onPrefix?.(prefix, typeof iri === 'string' ? iri : iri.value),
  );
}

/** Finds where a line begins, when it ends in the newest piece of the text. */
interface LineFinder {
  enter(text: string): void;
  find(line: number | undefined): SourcePosition;
}

function createLineFinder(): LineFinder {
  let current = '';
  /** The line in which the current piece begins, and where that line does. */
  let line = 1;
  let lineOffset = 0;
  let offset = 0;
  return {
    enter(text) {
      const newline = current.lastIndexOf('\n');
      if (newline >= 0) lineOffset = offset + newline + 1;
      line += countLines(current);
      offset += current.length;
      current = text;
    },
    find(wanted = line) {
      let at = lineOffset - offset;
      for (let n = line; n < wanted; n++) at = current.indexOf('\n', Math.max(0, at)) + 1;
      return { offset: offset + at, line: wanted, column: 1 };
    },
  };
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
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

import { isCodedError, type SourcePosition, throwIfAborted } from '@cairn/errors';
import { nextTurn, runInSlices } from '@cairn/events';
import type * as RDF from '@rdfjs/types';
import type { DocumentOptions, DocumentParser } from '../document-parser.ts';
import { rdfSyntaxError } from '../syntax-error.ts';
import { TextBudget } from '../text-budget.ts';
import { type Context, createContext } from './context.ts';
import { ContextBudget } from './context-budget.ts';
import { DOCUMENT_GRAPH, Expander } from './expander.ts';
import type { JsonValue } from './json.ts';
import { JsonReader } from './reader.ts';
import { describeObject, type Shape } from './shape.ts';
import { TermMaker } from './terms.ts';

/** An item of the document that waits to be read. */
interface WaitingItem {
  readonly value: JsonValue;
  readonly start: SourcePosition;
}

/**
 * A parser of JSON-LD 1.1. The document is an object or an array, whole. The items of an array are read as they come, and
 * those of a graph whose context and name come before it. Of any other graph the text is kept, and read again by items
 * when the document ends: its context, or its name, may come last. Other objects are kept as values.
 */
export function createJsonLdParser(options: DocumentOptions): DocumentParser {
  const text = new TextBudget();
  const document = new JsonLdDocument(options, text);
  const reader = new JsonReader(document, options);
  const run = (work: Generator<void, RDF.Quad[]>): RDF.Quad[] | Promise<RDF.Quad[]> =>
    runInSlices(work, { signal: options.signal });
  let again: { readonly reader: JsonReader; readonly pieces: string[] } | undefined;
  return {
    push(piece) {
      text.read(piece.length);
      document.keep(piece);
      reader.push(piece);
      return run(document.readWaiting());
    },
    finish() {
      reader.finish();
      const pieces = document.startAgain();
      if (pieces !== undefined) again = { reader: new JsonReader(document, options), pieces: pieces.reverse() };
      return run(document.readRest());
    },
    async more() {
      const piece = again?.pieces.pop();
      if (again === undefined || piece === undefined) return undefined;
      await nextTurn();
      throwIfAborted(options.signal);
      again.reader.push(piece);
      return run(document.readWaiting());
    },
  };
}

/** A graph whose items are read one by one. */
interface ItemGraph {
  /** Its name in the document: `@graph`, or a term for that. */
  readonly member: string;
  readonly context: Context;
  readonly graph: RDF.Quad_Graph | undefined;
}

class JsonLdDocument {
  readonly #context: Context;
  readonly #expander: Expander;
  #waiting: WaitingItem[] = [];
  readonly #members = new Map<string, JsonValue>();
  /** Where the last item began; members of the document's object have no place of their own. */
  #start: SourcePosition | undefined;
  /** The text so far of an object, in case its graph is read when it ends. */
  #pieces: string[] | undefined = [];
  /** The member whose items are passed over until then. */
  #passedOver: string | undefined;
  #isAgain = false;
  #itemGraph: ItemGraph | undefined;

  constructor({ blankNodes, baseIri, contexts = {} }: DocumentOptions, text: TextBudget) {
    const known = new Map(Object.entries(contexts));
    this.#context = createContext({ budget: new ContextBudget(), baseIri, known });
    this.#expander = new Expander(new TermMaker(blankNodes, text));
  }

  keep(piece: string): void {
    this.#pieces?.push(piece);
  }

  startArray(name: string): boolean {
    if (this.#isAgain) return name === this.#itemGraph?.member;
    if (this.#itemGraph !== undefined || this.#passedOver !== undefined) return false;
    return this.#inDocument(() => this.#startGraph(name));
  }

  #startGraph(name: string): boolean {
    const shape = this.#members.has('@context') ? this.#describe() : undefined;
    const isSure = shape !== undefined && !shape.context.hasScopes && shape.context.name(name).iri === '@graph';
    if (isSure && shape.keywords.has('@id')) {
      this.#pieces = undefined;
      this.#itemGraph = { member: name, context: shape.context, graph: this.#expander.nameOf(shape) };
    } else if (isSure || name === '@graph') this.#passedOver = name;
    else return false;
    return true;
  }

  item(value: JsonValue, start: SourcePosition): void {
    if (this.#passedOver !== undefined && !this.#isAgain) return;
    this.#pieces = undefined;
    this.#waiting.push({ value, start });
  }

  member(name: string, value: JsonValue): void {
    if (this.#isAgain) return;
    const isAfterGraph = this.#itemGraph !== undefined || this.#passedOver !== undefined;
    if (isAfterGraph && name === '@context' && this.#members.has(name))
      throw toSyntaxError(new Error('a second context'), this.#start);
    this.#members.set(name, value);
  }

  /** The quads of the items that wait. */
  *readWaiting(): Generator<void, RDF.Quad[]> {
    const { context, graph } = this.#itemGraph ?? { context: this.#context, graph: DOCUMENT_GRAPH };
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { value, start } of waiting) {
      this.#start = start;
      yield* this.#guarded(this.#expander.expandItems(value, context, graph));
    }
    return this.#expander.take();
  }

  /** The text to be read again when the items of a graph were passed over. Then {@link readRest} comes first. */
  startAgain(): string[] | undefined {
    this.#start = undefined;
    return this.#passedOver === undefined ? undefined : this.#pieces;
  }

  /** The quads of what is read at the end. */
  *readRest(): Generator<void, RDF.Quad[]> {
    const isObject = this.#members.size > 0 || this.#passedOver !== undefined;
    if (isObject) yield* this.#guarded(this.#readObject());
    return this.#expander.take();
  }

  *#readObject(): Generator<void> {
    const shape = this.#describe();
    const { keywords, context } = shape;
    const isItemGraph = this.#itemGraph !== undefined || this.#passedOver !== undefined;
    if (isItemGraph && keywords.has('@graph')) throw new Error('colliding keywords');
    if (keywords.has('@value') || keywords.has('@list') || keywords.has('@set'))
      return yield* this.#expander.expandItems(this.#members, this.#context, DOCUMENT_GRAPH);
    const isOnlyGraph = isItemGraph ? keywords.size === 0 && shape.isWithoutRest : shape.isOnlyGraph;
    const name = isOnlyGraph ? undefined : this.#expander.nameOf(shape);
    if (this.#passedOver !== undefined) {
      this.#itemGraph = { member: this.#passedOver, context, graph: isOnlyGraph ? DOCUMENT_GRAPH : name };
      this.#isAgain = true;
    }
    if (!isOnlyGraph) yield* this.#expander.expandNode(shape, name, DOCUMENT_GRAPH);
    else if (!isItemGraph) yield* this.#expander.expandItems(keywords.get('@graph') ?? [], context, DOCUMENT_GRAPH);
  }

  #describe(): Shape {
    return describeObject(this.#members, this.#context, undefined);
  }

  #inDocument<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      throw toSyntaxError(error as Error, this.#start);
    }
  }

  *#guarded(work: Generator<void>): Generator<void> {
    try {
      yield* work;
    } catch (error) {
      throw toSyntaxError(error as Error, this.#start);
    }
  }
}

/** @param start where the item begins in which it is */
function toSyntaxError(error: Error, start: SourcePosition | undefined): Error {
  if (isCodedError(error)) return error;
  const problem = start === undefined ? error.message : `${error.message}, in the item that begins there`;
  return rdfSyntaxError('JSON-LD', problem, start, { cause: error });
}

import { CodedError } from '@cairn/errors';
import type * as RDF from '@rdfjs/types';

/** A stream of Comunica's. */
export interface ResultStream<T> extends AsyncIterable<T> {
  destroy(): void;
}

export type ComunicaResult =
  | {
      readonly resultType: 'bindings';
      metadata(): Promise<{ readonly variables: readonly (RDF.Variable | { readonly variable: RDF.Variable })[] }>;
      execute(): Promise<ResultStream<Iterable<[RDF.Variable, RDF.Term]>>>;
    }
  | { readonly resultType: 'quads'; execute(): Promise<ResultStream<RDF.Quad>> }
  | { readonly resultType: 'boolean'; execute(): Promise<boolean> }
  | { readonly resultType: 'void'; execute(): Promise<void> };

export interface ComunicaEngine {
  query(text: string, context: object): Promise<ComunicaResult>;
}

/** A stream between two operators. */
interface InnerStream {
  destroy(): void;
  on(event: 'end', listener: () => void): unknown;
}

/** Comunica's engine as far as it leads to its operators. */
interface OpenEngine extends ComunicaEngine {
  readonly actorInitQuery?: { readonly mediatorQueryProcess?: { readonly bus: Bus } };
}

interface Bus {
  readonly actors: readonly { readonly mediatorQueryOperation?: { readonly bus: Bus } }[];
  subscribeObserver(observer: { onRun(actor: unknown, action: Action, output: Promise<Output>): void }): void;
}

interface Action {
  readonly context?: { get(key: { readonly name: string }): unknown };
}

interface Output {
  readonly bindingsStream?: InnerStream;
  readonly quadStream?: InnerStream;
}

const STREAMS = '@cairn/rdf-graph:streams';

/** The streams between the operators of one query: Comunica ends a join, whose rows it holds, only with its stream. */
export class OperatorStreams {
  readonly #open = new Set<InnerStream>();
  #isOver = false;

  /** An entry of the context of a query, by which its streams are found. */
  toContext(): object {
    return { [STREAMS]: this };
  }

  add(stream: InnerStream): void {
    if (this.#isOver) {
      stream.destroy();
      return;
    }
    this.#open.add(stream);
    stream.on('end', () => this.#open.delete(stream));
  }

  /** Ends the query's work: streams that are open, and those that are opened later. */
  destroy(): void {
    this.#isOver = true;
    for (const stream of [...this.#open]) stream.destroy();
  }
}

/** Loads the optional peer on first use: it is large and takes a third of a second. */
export async function loadEngine(): Promise<ComunicaEngine> {
  try {
    const { QueryEngine } = await import('@comunica/query-sparql-rdfjs');
    const engine = new QueryEngine() as ComunicaEngine;
    observe(engine);
    return engine;
  } catch (cause) {
    const message = 'federated queries need the optional package @comunica/query-sparql-rdfjs';
    throw new CodedError({ code: 'ERR_COMUNICA_MISSING', kind: 'unsupported', message, cause });
  }
}

/** Tells each query of the streams of its operators. An engine that is built in another way ends its work by itself. */
function observe(engine: OpenEngine): void {
  const actors = engine.actorInitQuery?.mediatorQueryProcess?.bus.actors ?? [];
  for (const bus of new Set(actors.map((actor) => actor.mediatorQueryOperation?.bus))) {
    bus?.subscribeObserver({
      onRun: (_actor, { context }, output) => {
        const streams = context?.get({ name: STREAMS });
        if (streams instanceof OperatorStreams) void output.then((given) => take(streams, given), ignore);
      },
    });
  }
}

function take(streams: OperatorStreams, { bindingsStream, quadStream }: Output): void {
  const stream = bindingsStream ?? quadStream;
  if (stream !== undefined) streams.add(stream);
}

function ignore(): void {}

import type * as RDF from '@rdfjs/types';
import type { BlankNodeScope } from './blank-node-scope.ts';

/** Takes a document piece by piece. */
export interface DocumentParser {
  /** The quads that end in this piece. @throws ERR_RDF_SYNTAX */
  push(text: string): RDF.Quad[] | Promise<RDF.Quad[]>;
  /** The quads of what is left. @throws ERR_RDF_SYNTAX also for an unfinished statement. */
  finish(): RDF.Quad[] | Promise<RDF.Quad[]>;
  /** After `finish`, and again until `undefined`: further quads of a document that is read when it is whole. */
  more?(): Promise<RDF.Quad[] | undefined>;
}

/** Input of every parser beside the text. */
export interface DocumentOptions {
  readonly blankNodes: BlankNodeScope;
  readonly baseIri?: string | undefined;
  /** Told of each prefix without its colon, as it is declared. */
  readonly onPrefix?: ((prefix: string, iri: string) => void) | undefined;
  /** JSON-LD contexts by IRI that a document may refer to. Others are refused: nothing is ever fetched. */
  readonly contexts?: Readonly<Record<string, object>> | undefined;
  /** JSON objects and arrays inside one another. */
  readonly maxNesting: number;
  /** UTF-16 units of one string, tag, comment or line. */
  readonly maxTokenUnits: number;
  readonly signal?: AbortSignal | undefined;
}

/** The part of a `readable-stream` Transform that is needed here. */
interface Transform {
  on(event: string, listener: (value: never) => void): unknown;
  write(chunk: string, callback: (error?: Error | null) => void): unknown;
  end(): unknown;
  destroy(): unknown;
}

export function createStreamParser(stream: unknown, toError: (error: Error) => Error): DocumentParser {
  const parser = stream as Transform;
  let quads: RDF.Quad[] = [];
  let failure: Error | undefined;
  let wake: () => void = () => undefined;
  parser.on('data', (parsed: RDF.Quad) => void quads.push(parsed));
  parser.on('error', (error: Error) => {
    failure ??= error;
    wake();
  });
  parser.on('end', () => wake());
  const step = async (start: (done: () => void) => void): Promise<RDF.Quad[]> => {
    if (failure === undefined) {
      await new Promise<void>((resolve) => {
        wake = resolve;
        start(resolve);
      });
    }
    if (failure !== undefined) throw toError(failure);
    const done = quads;
    quads = [];
    return done;
  };
  return {
    push: (text) => step((done) => void parser.write(text, () => done())),
    finish: () => step(() => void parser.end()),
  };
}

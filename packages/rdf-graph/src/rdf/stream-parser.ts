import type * as RDF from '@rdfjs/types';

/** Takes a document piece by piece and gives the quads of each, by and by. */
export interface StreamParser {
  push(text: string): Promise<RDF.Quad[]>;
  finish(): Promise<RDF.Quad[]>;
}

/** The part of a `readable-stream` Transform that is needed here. */
interface Transform {
  on(event: string, listener: (value: never) => void): unknown;
  write(chunk: string, callback: (error?: Error | null) => void): unknown;
  end(): unknown;
  destroy(): unknown;
}

export function createStreamParser(stream: unknown, toError: (error: Error) => Error): StreamParser {
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

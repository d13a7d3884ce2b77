import type * as RDF from '@rdfjs/types';
import { Writer } from 'n3';
import { checkQuad } from './arguments.ts';
import type { QuadSource } from './serialize.ts';
import { toBlankNodeLabel } from './term-writer.ts';
import { blankNode, quad } from './terms.ts';

const PIECE_UNITS = 1 << 14;

/** Options of {@link serializeTurtle}. */
export interface TurtleWriterOptions {
  readonly format: 'turtle' | 'trig';
  readonly prefixes?: Readonly<Record<string, string>> | undefined;
}

/** Quads as Turtle or TriG, by n3's writer. Quads of one subject that follow each other share it. */
export async function* serializeTurtle(quads: QuadSource, options: TurtleWriterOptions): AsyncGenerator<string> {
  let piece = '';
  const sink = {
    write(text: string, _encoding: string, done?: (error?: Error | null) => void) {
      piece += text;
      done?.();
    },
    end: (done?: () => void) => done?.(),
  };
  const writer = new Writer(sink as never, { format: options.format, prefixes: { ...options.prefixes } });
  for await (const one of quads) {
    checkQuad(one);
    writer.addQuad(withWritableLabels(one) as RDF.Quad);
    if (piece.length < PIECE_UNITS) continue;
    yield piece;
    piece = '';
  }
  writer.end();
  if (piece !== '') yield piece;
}

/** n3 writes the labels of blank nodes as they are. */
function withWritableLabels(term: RDF.Term): RDF.Term {
  if (term.termType === 'BlankNode') return blankNode(toBlankNodeLabel(term.value));
  if (term.termType !== 'Quad') return term;
  const [s, p, o, g] = [term.subject, term.predicate, term.object, term.graph].map(withWritableLabels);
  return quad(s, p, o, g);
}

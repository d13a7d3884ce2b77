import type * as RDF from '@rdfjs/types';
import { Writer } from 'n3';
import { checkQuad } from './arguments.ts';
import type { QuadSource } from './quad-source.ts';
import { isPlainIri, toBlankNodeLabel, writeIri } from './term-writer.ts';
import { blankNode, quad } from './terms.ts';

const PIECE_UNITS = 1 << 14;

/** Options of {@link serializeTurtle}. */
export interface TurtleWriterOptions {
  readonly format: 'turtle' | 'trig';
  readonly prefixes?: Readonly<Record<string, string>> | undefined;
}

/** n3's writer, and how it writes a term that is no literal. */
type WriterOfTerms = Writer & { _encodeIriOrBlank(term: RDF.Term): string };
const N3Writer = Writer as new (...options: ConstructorParameters<typeof Writer>) => WriterOfTerms;

/** n3 escapes in an IRI what it escapes in a literal: a `>` would end it, and statements could follow. */
class TurtleWriter extends N3Writer {
  override _encodeIriOrBlank(term: RDF.Term): string {
    const isHarmless = term.termType !== 'NamedNode' || isPlainIri(term.value);
    return isHarmless ? super._encodeIriOrBlank(term) : writeIri(term.value);
  }
}

const PREFIX_START = '\\p{L}\\p{Nl}';
const PREFIX = new RegExp(
  `^(?:[${PREFIX_START}](?:[${PREFIX_START}\\p{Nd}\\p{M}_.\\-]*[${PREFIX_START}\\p{Nd}\\p{M}_\\-])?)?$`,
  'u',
);

/** Without the prefixes that cannot be declared. */
function writablePrefixes(prefixes: Readonly<Record<string, string>> = {}): Record<string, string> {
  const writable = ([prefix, iri]: [string, string]): boolean => PREFIX.test(prefix) && iri !== '' && isPlainIri(iri);
  return Object.fromEntries(Object.entries(prefixes).filter(writable));
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
  const prefixes = writablePrefixes(options.prefixes);
  const writer = new TurtleWriter(sink as never, { format: options.format, prefixes });
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

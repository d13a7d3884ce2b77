import type * as RDF from '@rdfjs/types';
import { Writer } from 'n3';
import { checkQuad } from './arguments.ts';
import type { QuadSource } from './quad-source.ts';
import { isPlainIri, toBlankNodeLabel, writeIri } from './term-writer.ts';
import { blankNode, quad, sayable } from './terms.ts';

const PIECE_UNITS = 1 << 14;

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

/** Quads by n3's writer. Those of one subject that follow each other share it; prefixes that cannot be declared are left out. */
export async function* serializeTurtle(
  quads: QuadSource,
  format: 'turtle' | 'trig',
  given: Readonly<Record<string, string>> = {},
): AsyncGenerator<string> {
  let piece = '';
  const sink = {
    write(text: string, _encoding: string, done?: (error?: Error | null) => void) {
      piece += text;
      done?.();
    },
    end: (done?: () => void) => done?.(),
  };
  const declared = Object.entries(given).filter(
    ([prefix, iri]) => PREFIX.test(prefix) && iri !== '' && isPlainIri(iri),
  );
  const writer = new TurtleWriter(sink as never, { format, prefixes: Object.fromEntries(declared) });
  for await (const one of quads) {
    checkQuad(one);
    writer.addQuad(toWritable(one) as RDF.Quad);
    if (piece.length < PIECE_UNITS) continue;
    yield piece;
    piece = '';
  }
  writer.end();
  if (piece !== '') yield piece;
}

/** n3 writes the labels of blank nodes and the types of literals as they are. */
function toWritable(term: RDF.Term): RDF.Term {
  if (term.termType === 'BlankNode') return blankNode(toBlankNodeLabel(term.value));
  if (term.termType === 'Literal') return sayable(term);
  if (term.termType !== 'Quad') return term;
  const [s, p, o, g] = [term.subject, term.predicate, term.object, term.graph].map(toWritable);
  return quad(s, p, o, g);
}

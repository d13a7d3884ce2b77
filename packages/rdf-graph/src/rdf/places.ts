import { CodedError } from '@cairn/errors';
import type * as RDF from '@rdfjs/types';

/**
 * Refuses a quad whose terms are where no syntax of RDF can write them: a literal as subject, anything but an IRI as
 * predicate, the default graph as object, a literal or a triple as graph. Cost: four comparisons; texts are made only
 * where something is wrong.
 * @throws `ERR_TERM_UNSUPPORTED` (invalid), naming the term
 */
export function checkPlaces(quad: RDF.Quad, what: string): void {
  checkTriple(quad, what);
  const { termType: g }: RDF.Term = quad.graph;
  if (g !== 'DefaultGraph' && g !== 'NamedNode' && g !== 'BlankNode') throw misplaced('graph', quad.graph, what);
}

type Triple = Record<'subject' | 'predicate' | 'object', RDF.Term>;

function checkTriple({ subject, predicate, object }: Triple, what: string): void {
  const s = subject.termType;
  if (s === 'Quad') checkTriple(subject as RDF.BaseQuad, 'a triple term');
  else if (s !== 'NamedNode' && s !== 'BlankNode') throw misplaced('subject', subject, what);
  if (predicate.termType !== 'NamedNode') throw misplaced('predicate', predicate, what);
  const o = object.termType;
  if (o === 'Quad') checkTriple(object as RDF.BaseQuad, 'a triple term');
  else if (o === 'DefaultGraph') throw misplaced('object', object, what);
}

const EXPECTED = {
  subject: 'an IRI, a blank node or a triple',
  predicate: 'an IRI',
  object: 'an IRI, a blank node, a literal or a triple',
  graph: 'an IRI, a blank node or the default graph',
} as const;

function misplaced(place: keyof typeof EXPECTED, { termType, value }: RDF.Term, what: string): CodedError {
  const got = `${termType} ${JSON.stringify(value.slice(0, 100))}`;
  const message = `the ${place} of ${what} must be ${EXPECTED[place]}; got ${got}`;
  return new CodedError({ code: 'ERR_TERM_UNSUPPORTED', kind: 'invalid', message });
}

import type * as RDF from '@rdfjs/types';
import { defaultGraph, languageLiteral, namedNode, quad, stringLiteral, typedLiteral } from '../../../rdf/terms.ts';
import { xsd } from '../../../rdf/vocabulary.ts';
import type { Choices } from './random.ts';

/** The namespace of every IRI of a case. */
export const NAMESPACE = 'http://e/';

/** Local names of nodes, predicates and graphs. Few, so that patterns meet. */
export const NODES: readonly string[] = ['a', 'b', 'c', 'd', 'e'];
export const PREDICATES: readonly string[] = ['p', 'q', 'r'];
export const GRAPHS: readonly string[] = ['g', 'h'];

const LITERALS: readonly RDF.Literal[] = [
  ...['1', '2', '3', '10'].map((text) => typedLiteral(text, xsd.integer)),
  typedLiteral('2.5', xsd.decimal),
  typedLiteral('true', xsd.boolean),
  stringLiteral('x'),
  stringLiteral('xy'),
  languageLiteral('x', 'en'),
  languageLiteral('y', 'de'),
  typedLiteral('2020-01-02T03:04:05Z', xsd.dateTime),
];

/** Quads in the default graph and two named ones, some of them in several. */
export function randomData(choices: Choices): RDF.Quad[] {
  const iri = (names: readonly string[]): RDF.NamedNode => namedNode(NAMESPACE + choices.pick(names));
  const count = 10 + choices.below(35);
  const quads = Array.from({ length: count }, () => {
    const object = choices.chance(0.7) ? iri(NODES) : choices.pick(LITERALS);
    const graph = choices.chance(0.6) ? defaultGraph() : iri(GRAPHS);
    return quad(iri(NODES), iri(PREDICATES), object, graph);
  });
  return quads.filter((one, index) => quads.findIndex((other) => other.equals(one)) === index);
}

import type { LabelledQuad } from '../../../graph/port/graph-dataset.ts';
import { defaultGraph, namedNode, quad, stringLiteral, typedLiteral } from '../../../rdf/terms.ts';
import { xsd } from '../../../rdf/vocabulary.ts';
import { GRAPHS, NAMESPACE } from '../differential/data.ts';
import type { Choices } from '../differential/random.ts';

/** Local names of nodes. The graphs are among them, so that a pattern may name its graph. */
export const NODES: readonly string[] = ['a', 'b', ...GRAPHS];

/** Few, so that most patterns meet some quads. */
export const PREDICATES: readonly string[] = ['p', 'q'];

const LITERALS = [typedLiteral('1', xsd.integer), typedLiteral('2', xsd.integer), stringLiteral('x')];

/** Quads of a few nodes in the default graph and two named ones, each under one or two labels. */
export function randomQuads(choices: Choices, labels: readonly string[]): LabelledQuad[] {
  const iri = (names: readonly string[]) => namedNode(NAMESPACE + choices.pick(names));
  return Array.from({ length: 12 + choices.below(16) }, () => {
    const object = choices.chance(0.75) ? iri(NODES) : choices.pick(LITERALS);
    const graph = choices.chance(0.5) ? defaultGraph() : iri(GRAPHS);
    return { quad: quad(iri(NODES), iri(PREDICATES), object, graph), label: choices.pick(labels) };
  });
}

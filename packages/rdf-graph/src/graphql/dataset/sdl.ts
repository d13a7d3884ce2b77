import { CORE_SDL } from '../core/sdl.ts';

/** The dataset schema: quads by pattern. */
export const DATASET_SDL: string = /* GraphQL */ `
schema {
  query: Quads
}

type Quads {
  """
  The quads that match; a filter that is missing or null matches any term. In the order of the N-Triples form of
  subject, predicate, object and graph.
  """
  quads(subject: NodeFilter, predicate: NodeFilter, object: NodeFilter, graph: NodeFilter): [Quad!]!
}

"A triple and the graph that it is in."
type Quad {
  subject: Node!
  predicate: Node!
  object: Node!
  "The graph; the default graph is the IRI urn:x-arq:DefaultGraph."
  graph: Node!
}
${CORE_SDL}`;

import { CORE_SDL } from '../core/sdl.ts';

/** The traversal schema: from nodes along their edges, as far as the query says. */
export const TRAVERSAL_SDL: string = /* GraphQL */ `
schema {
  query: Traversal
}

type Traversal {
  """
  The nodes to start from, in their order, those left out that occur nowhere; without starts every subject, by its
  N-Triples form. An empty list gives none.
  """
  nodes(
    starts: [NodeFilter!]
    "Where a start must occur: default, union or the IRI of a named graph; in any when it is missing. Edges come from all."
    graph: String
  ): [TraversalNode!]!
}

"A node with the edges that lead from it and to it."
type TraversalNode {
  node: Node!
  "Edges of which the node is the subject; null when there are none."
  outgoing(
    "Only these predicates."
    predicate: [NodeFilter!]
    "Only edges whose target is of one of these kinds."
    kinds: [NodeKind!]
  ): [TraversalEdge!]
  "Edges of which the node is the object; null when there are none."
  incoming(predicate: [NodeFilter!], kinds: [NodeKind!]): [TraversalEdge!]
}

"Which way an edge leads, seen from the node it was found at."
enum EdgeDirection {
  OUT
  IN
}

"An edge. Edges come in the order of the N-Triples form of predicate and target."
type TraversalEdge {
  "The predicate."
  edge: Node!
  direction: EdgeDirection!
  "The node at the other end."
  target: TraversalNode!
}
${CORE_SDL}`;

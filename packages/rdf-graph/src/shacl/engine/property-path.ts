import type * as RDF from '@rdfjs/types';
import { writeTerm } from '../../rdf/term-writer.ts';
import { type IndexedGraph, objectsOf, subjectsOf } from '../data/indexed-graph.ts';

/** A property path as `PathReader` reads it from the shapes. */
export type PropertyPath =
  | { readonly type: 'predicate'; readonly predicate: RDF.Term }
  | { readonly type: 'sequence' | 'alternative'; readonly parts: readonly PropertyPath[] }
  | { readonly type: UnaryOperator; readonly path: PropertyPath };

/** Operators on one path. */
export type UnaryOperator = 'inverse' | 'zeroOrOne' | 'zeroOrMore' | 'oneOrMore';

/** Terms by their N-Triples form. */
type Terms = Map<string, RDF.Term>;

/** The nodes that one step along a path leads to from some nodes. */
type Step = (starts: Terms) => Terms;

/**
 * The nodes that a path leads to from a node, each once. Cost: O(triples on the way), whatever their number: chains are
 * followed in a loop. Paths may nest as deep as `PathReader` allows.
 */
export function followPath(graph: IndexedGraph, start: RDF.Term, path: PropertyPath): Iterable<RDF.Term> {
  return follow(graph, new Map([[writeTerm(start), start]]), path, false).values();
}

/** Follows a path, or its inverse: from its ends to its starts. */
function follow(graph: IndexedGraph, starts: Terms, path: PropertyPath, isInverse: boolean): Terms {
  switch (path.type) {
    case 'predicate':
      return flatMap(starts, (start) =>
        isInverse ? subjectsOf(graph, path.predicate, start) : objectsOf(graph, start, path.predicate),
      );
    case 'sequence': {
      const parts = isInverse ? path.parts.toReversed() : path.parts;
      return parts.reduce((nodes, part) => follow(graph, nodes, part, isInverse), starts);
    }
    case 'alternative':
      return union(path.parts.map((part) => follow(graph, starts, part, isInverse)));
    case 'inverse':
      return follow(graph, starts, path.path, !isInverse);
    default: {
      const step: Step = (nodes) => follow(graph, nodes, path.path, isInverse);
      if (path.type === 'oneOrMore') return closure(starts, step);
      return union([starts, path.type === 'zeroOrOne' ? step(starts) : closure(starts, step)]);
    }
  }
}

function closure(starts: Terms, step: Step): Terms {
  const reached: Terms = new Map();
  let fresh = starts;
  while (fresh.size > 0) {
    const next: Terms = new Map();
    for (const [key, term] of step(fresh)) {
      if (reached.has(key)) continue;
      reached.set(key, term);
      next.set(key, term);
    }
    fresh = next;
  }
  return reached;
}

function flatMap(starts: Terms, next: (start: RDF.Term) => readonly RDF.Term[]): Terms {
  const found: Terms = new Map();
  for (const start of starts.values()) for (const term of next(start)) found.set(writeTerm(term), term);
  return found;
}

function union(all: readonly Terms[]): Terms {
  const found: Terms = new Map();
  for (const terms of all) for (const [key, term] of terms) found.set(key, term);
  return found;
}

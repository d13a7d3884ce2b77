import type * as RDF from '@rdfjs/types';
import { writeTerm } from '../../rdf/term-writer.ts';
import { type IndexedGraph, objectsOf, subjectsOf } from '../data/indexed-graph.ts';

/** A property path as `PathReader` reads it from the shapes. */
export type PropertyPath =
  | RDF.Term
  | readonly PropertyPath[]
  | { readonly or: readonly PropertyPath[] }
  | { readonly inverse: PropertyPath }
  | { readonly zeroOrOne: PropertyPath }
  | { readonly zeroOrMore: PropertyPath }
  | { readonly oneOrMore: PropertyPath };

/** Terms by their N-Triples form. */
type Terms = Map<string, RDF.Term>;

/**
 * The nodes that a path leads to from a node, each once. Cost: O(triples on the way), whatever their number: chains are
 * followed in a loop. Paths may nest as deep as `PathReader` allows.
 */
export function followPath(graph: IndexedGraph, start: RDF.Term, path: PropertyPath): Iterable<RDF.Term> {
  return follow(graph, new Map([[writeTerm(start), start]]), path).values();
}

function follow(graph: IndexedGraph, starts: Terms, path: PropertyPath): Terms {
  if ('termType' in path) return flatMap(starts, (start) => objectsOf(graph, start, path));
  if (isSequence(path)) return path.reduce((nodes, part) => follow(graph, nodes, part), starts);
  if ('or' in path) return union(path.or.map((part) => follow(graph, starts, part)));
  if ('inverse' in path) return flatMap(starts, (start) => subjectsOf(graph, path.inverse as RDF.Term, start));
  if ('zeroOrOne' in path) return union([starts, follow(graph, starts, path.zeroOrOne)]);
  if ('zeroOrMore' in path) return union([starts, closure(graph, starts, path.zeroOrMore)]);
  return closure(graph, starts, path.oneOrMore);
}

function closure(graph: IndexedGraph, starts: Terms, path: PropertyPath): Terms {
  const reached: Terms = new Map();
  let fresh = starts;
  while (fresh.size > 0) {
    const next: Terms = new Map();
    for (const [key, term] of follow(graph, fresh, path)) {
      if (reached.has(key)) continue;
      reached.set(key, term);
      next.set(key, term);
    }
    fresh = next;
  }
  return reached;
}

function isSequence(path: PropertyPath): path is readonly PropertyPath[] {
  return Array.isArray(path);
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

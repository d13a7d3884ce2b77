import { runAtOnce } from '@cairn/events';
import type * as RDF from '@rdfjs/types';
import { type IndexedGraph, readList } from '../data/indexed-graph.ts';
import type { PropertyPath, UnaryOperator } from '../engine/property-path.ts';
import { rdf, shName } from '../vocabulary.ts';

/** Operators on one path, by the local name of their predicate. */
const UNARY: ReadonlyMap<string, UnaryOperator> = new Map([
  ['inversePath', 'inverse'],
  ['zeroOrMorePath', 'zeroOrMore'],
  ['oneOrMorePath', 'oneOrMore'],
  ['zeroOrOnePath', 'zeroOrOne'],
] as const);

/** How deep paths may nest. */
const MAX_DEPTH = 50;

/** Predicates and operators of one path, those of a part as often as the part is in it. */
const MAX_STEPS = 1_000;

export interface PathProblem {
  readonly message: string;
}

/** A path that was read, with its size. */
export interface ReadPath {
  readonly path: PropertyPath;
  readonly steps: number;
}

type Reading = Generator<void, ReadPath | PathProblem>;

/**
 * Reads property paths (SHACL, 2.3.1) from a graph. An IRI is a predicate path whatever the graph says of it. A part
 * that paths share is read once. Cost: O(triples of the paths).
 */
export class PathReader {
  readonly #graph: IndexedGraph;
  readonly #read = new Map<string, ReadPath>();

  constructor(graph: IndexedGraph) {
    this.#graph = graph;
  }

  /** The path at a node, or what is wrong with it. */
  read(path: RDF.Term): ReadPath | PathProblem {
    return runAtOnce(this.readInSteps(path));
  }

  /** The same for a path that nobody has checked, which may be long. Yields where it may pause. */
  readInSteps(path: RDF.Term): Reading {
    return this.#readPart(path, 0);
  }

  *#readPart(path: RDF.Term, depth: number): Reading {
    if (path.termType === 'NamedNode') return { path: { type: 'predicate', predicate: path }, steps: 1 };
    if (path.termType !== 'BlankNode') return { message: 'must be an IRI or a path in a blank node' };
    const known = this.#read.get(path.value);
    if (known !== undefined) return known;
    if (depth >= MAX_DEPTH) return { message: `must nest at most ${MAX_DEPTH} paths; it nests deeper or loops` };
    const found = yield* this.#readNode(path, depth);
    if (isProblem(found)) return found;
    if (found.steps > MAX_STEPS) return { message: `must have at most ${MAX_STEPS} steps; got more` };
    this.#read.set(path.value, found);
    return found;
  }

  *#readNode(path: RDF.Term, depth: number): Reading {
    const triples = [...this.#graph.match(path)];
    const kinds = triples.filter(({ predicate }) => isPathPredicate(predicate));
    // A node that is both a list and something else is taken for a sequence: the W3C tests do.
    const isList = triples.some(({ predicate }) => predicate.value === rdf.first);
    if (isList || kinds.length === 0) return yield* this.#readParts('sequence', path, depth);
    if (kinds.length > 1) return { message: 'must have one of sh:inversePath, sh:alternativePath, ... in a node' };
    const { predicate, object } = kinds[0];
    const type = UNARY.get(shName(predicate) ?? '');
    if (type === undefined) return yield* this.#readParts('alternative', object, depth);
    const inner = yield* this.#readPart(object, depth + 1);
    return isProblem(inner) ? inner : { path: { type, path: inner.path }, steps: inner.steps + 1 };
  }

  *#readParts(type: 'sequence' | 'alternative', head: RDF.Term, depth: number): Reading {
    const members = yield* readList(this.#graph, head);
    if (typeof members === 'string') return { message: `is no path: it ${members}` };
    if (members.length < 2) return { message: `must list at least 2 paths; got ${members.length}` };
    const parts: PropertyPath[] = [];
    let steps = 1;
    for (const member of members) {
      const part = yield* this.#readPart(member, depth + 1);
      if (isProblem(part)) return part;
      parts.push(part.path);
      steps += part.steps;
    }
    return { path: { type, parts }, steps };
  }
}

export function isProblem(read: ReadPath | PathProblem): read is PathProblem {
  return !Object.hasOwn(read, 'path');
}

function isPathPredicate(predicate: RDF.Term): boolean {
  const name = shName(predicate);
  return name !== undefined && (name === 'alternativePath' || UNARY.has(name));
}

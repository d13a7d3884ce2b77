import { runAtOnce, sortInSteps } from '@cairn/events';
import type * as RDF from '@rdfjs/types';
import { Store } from 'n3';
import { checkQuad } from '../../rdf/arguments.ts';
import { defaultGraph, namedNode, quad } from '../../rdf/terms.ts';
import { rdf } from '../vocabulary.ts';

/** A graph as validation reads it; any RDF/JS `DatasetCore` is one. */
export interface IndexedGraph extends Iterable<RDF.Quad> {
  /** The triples that match; an absent position matches any term. */
  match(
    subject?: RDF.Term | null,
    predicate?: RDF.Term | null,
    object?: RDF.Term | null,
    graph?: RDF.Term | null,
  ): IndexedGraph;
  /** How many triples there are. */
  readonly size: number;
}

/** A graph that matches otherwise than another one, and has the same triples. */
export function withMatch(
  graph: IndexedGraph,
  match: (subject?: RDF.Term | null, predicate?: RDF.Term | null, object?: RDF.Term | null) => IndexedGraph,
): IndexedGraph {
  return {
    match,
    get size() {
      return graph.size;
    },
    [Symbol.iterator]: () => graph[Symbol.iterator](),
  };
}

/** A graph as the library that validates takes it; it reads by `match`, `size` and iteration alone. */
export function toLibraryGraph(graph: IndexedGraph): RDF.DatasetCore {
  return graph as RDF.DatasetCore;
}

export function objectsOf(graph: IndexedGraph, subject: RDF.Term, predicate: RDF.Term): RDF.Term[] {
  return Array.from(graph.match(subject, predicate), ({ object }) => object);
}

export function subjectsOf(graph: IndexedGraph, predicate: RDF.Term, object?: RDF.Term): RDF.Term[] {
  return Array.from(graph.match(null, predicate, object), ({ subject }) => subject);
}

/** Terms by their N-Triples form, in its order. Yields where it may pause. */
export function* sortTerms(byText: ReadonlyMap<string, RDF.Term>): Generator<void, readonly RDF.Term[]> {
  const sorted = yield* sortInSteps([...byText], ([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([, term]) => term);
}

const FIRST = namedNode(rdf.first);
const REST = namedNode(rdf.rest);

/** Nodes that are read between two chances to pause. */
const NODES_PER_STEP = 128;

/**
 * The members of an RDF list, or what is wrong with it. Ends also where a list loops. Yields where it may pause. Cost:
 * O(length).
 */
export function* readList(graph: IndexedGraph, head: RDF.Term): Generator<void, readonly RDF.Term[] | string> {
  const members: RDF.Term[] = [];
  const seen = new Set<string>();
  for (let node = head; node.value !== rdf.nil || node.termType !== 'NamedNode'; ) {
    if (node.termType !== 'NamedNode' && node.termType !== 'BlankNode') return 'must be an RDF list';
    const key = `${node.termType} ${node.value}`;
    if (seen.has(key)) return 'must be an RDF list with an end; it loops';
    seen.add(key);
    const first = objectsOf(graph, node, FIRST);
    const rest = objectsOf(graph, node, REST);
    if (first.length === 0 && rest.length === 0 && members.length === 0) return 'must be an RDF list';
    if (first.length !== 1 || rest.length !== 1) {
      return `must be an RDF list with one rdf:first and one rdf:rest per node; got ${first.length} and ${rest.length}`;
    }
    members.push(first[0]);
    node = rest[0];
    if (members.length % NODES_PER_STEP === 0) yield;
  }
  return members;
}

/** Quads that are indexed between two chances to pause. */
const QUADS_PER_STEP = 256;

/** Triples at hand as an indexed graph: quads of named graphs count as of one graph, each triple once. */
export function indexQuads(quads: Iterable<RDF.Quad>): IndexedGraph & RDF.DatasetCore {
  return runAtOnce(indexQuadsInSteps(quads));
}

/** The same for many quads. Yields where it may pause. */
export function* indexQuadsInSteps(quads: Iterable<RDF.Quad>): Generator<void, IndexedGraph & RDF.DatasetCore> {
  const store = new Store();
  let count = 0;
  for (const one of quads) {
    checkQuad(one);
    const { subject, predicate, object } = one;
    store.addQuad(quad(subject, predicate, object, defaultGraph()) as never);
    if (++count % QUADS_PER_STEP === 0) yield;
  }
  return store as IndexedGraph & RDF.DatasetCore;
}

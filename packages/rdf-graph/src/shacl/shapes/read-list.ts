import type * as RDF from '@rdfjs/types';
import { namedNode } from '../../rdf/terms.ts';
import { type IndexedGraph, objectsOf } from '../data/indexed-graph.ts';
import { rdf } from '../vocabulary.ts';

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

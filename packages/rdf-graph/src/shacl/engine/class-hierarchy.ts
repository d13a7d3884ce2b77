import type * as RDF from '@rdfjs/types';
import { writeTerm } from '../../rdf/term-writer.ts';
import { namedNode } from '../../rdf/terms.ts';
import { type IndexedGraph, objectsOf, subjectsOf } from '../data/indexed-graph.ts';
import { rdf } from '../vocabulary.ts';

const TYPE = namedNode(rdf.type);
const SUB_CLASS_OF = namedNode(rdf.subClassOf);

/** Subclass relations of a graph; cycles are harmless. */
export class ClassHierarchy {
  readonly #graph: IndexedGraph;
  readonly #subClasses = new Map<string, ReadonlyMap<string, RDF.Term>>();

  constructor(graph: IndexedGraph) {
    this.#graph = graph;
  }

  isInstance(node: RDF.Term, type: RDF.Term): boolean {
    const classes = this.#below(type);
    return objectsOf(this.#graph, node, TYPE).some((one) => classes.has(writeTerm(one)));
  }

  /** Every node that has such a type; one may occur more than once. */
  *instances(type: RDF.Term): Generator<RDF.Term> {
    for (const one of this.#below(type).values()) {
      for (const { subject } of this.#graph.match(null, TYPE, one)) yield subject;
    }
  }

  #below(type: RDF.Term): ReadonlyMap<string, RDF.Term> {
    const key = writeTerm(type);
    const known = this.#subClasses.get(key);
    if (known !== undefined) return known;
    const found = new Map([[key, type]]);
    for (const one of found.values()) {
      for (const sub of subjectsOf(this.#graph, SUB_CLASS_OF, one)) found.set(writeTerm(sub), sub);
    }
    this.#subClasses.set(key, found);
    return found;
  }
}

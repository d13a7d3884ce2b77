import type * as RDF from '@rdfjs/types';
import { writeTerm } from '../../rdf/term-writer.ts';
import { namedNode } from '../../rdf/terms.ts';
import { type IndexedGraph, sortTerms } from '../data/indexed-graph.ts';
import { rdf, sh } from '../vocabulary.ts';
import { ClassHierarchy } from './class-hierarchy.ts';

type FindNodes = (data: IndexedGraph, classes: ClassHierarchy, value: RDF.Term) => Iterable<RDF.Term>;

const TARGETS: Readonly<Record<string, FindNodes>> = {
  targetNode: (_data, _classes, value) => [value],
  targetClass: (_data, classes, value) => classes.instances(value),
  targetSubjectsOf: (data, _classes, value) => endsOf(data, value, 'subject'),
  targetObjectsOf: (data, _classes, value) => endsOf(data, value, 'object'),
};

/** Nodes that are found between two chances to pause. */
const NODES_PER_STEP = 256;

/** Finds the nodes that shapes are to be held to (SHACL, 2.1.3), class targets implied by being a class included. */
export class Targets {
  readonly #shapes: IndexedGraph;
  readonly #data: IndexedGraph;
  readonly #classes: ClassHierarchy;
  readonly #shapeClasses: ClassHierarchy;

  constructor(shapes: IndexedGraph, data: IndexedGraph, classes: ClassHierarchy) {
    this.#shapes = shapes;
    this.#data = data;
    this.#classes = classes;
    this.#shapeClasses = new ClassHierarchy(shapes);
  }

  /** The focus nodes of a shape, sorted by their N-Triples form, each once. Yields where it may pause. */
  *of(shape: RDF.Term): Generator<void, readonly RDF.Term[]> {
    const found = new Map<string, RDF.Term>();
    let nodes = 0;
    for (const node of this.#nodesOf(shape)) {
      found.set(writeTerm(node), node);
      if (++nodes % NODES_PER_STEP === 0) yield;
    }
    return yield* sortTerms(found);
  }

  *#nodesOf(shape: RDF.Term): Generator<RDF.Term, void> {
    for (const [name, find] of Object.entries(TARGETS)) {
      for (const { object } of this.#shapes.match(shape, namedNode(sh(name)))) {
        yield* find(this.#data, this.#classes, object);
      }
    }
    const isClass = shape.termType === 'NamedNode' && this.#shapeClasses.isInstance(shape, namedNode(rdf.class));
    if (isClass) yield* this.#classes.instances(shape);
  }
}

function* endsOf(data: IndexedGraph, predicate: RDF.Term, end: 'subject' | 'object'): Generator<RDF.Term> {
  for (const one of data.match(null, predicate)) yield one[end];
}

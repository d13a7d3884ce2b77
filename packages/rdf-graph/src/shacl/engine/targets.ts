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

/**
 * Returns what finds the nodes that a shape is to be held to (SHACL, 2.1.3), class targets implied by being a class
 * included: sorted by their N-Triples form, each once. It yields where it may pause.
 */
export function createTargetFinder(
  shapes: IndexedGraph,
  data: IndexedGraph,
  classes: ClassHierarchy,
): (shape: RDF.Term) => Generator<void, readonly RDF.Term[]> {
  const shapeClasses = new ClassHierarchy(shapes);
  function* nodesOf(shape: RDF.Term): Generator<RDF.Term, void> {
    for (const [name, find] of Object.entries(TARGETS)) {
      for (const { object } of shapes.match(shape, namedNode(sh(name)))) yield* find(data, classes, object);
    }
    const isClass = shape.termType === 'NamedNode' && shapeClasses.isInstance(shape, namedNode(rdf.class));
    if (isClass) yield* classes.instances(shape);
  }
  return function* (shape) {
    const found = new Map<string, RDF.Term>();
    let nodes = 0;
    for (const node of nodesOf(shape)) {
      found.set(writeTerm(node), node);
      if (++nodes % NODES_PER_STEP === 0) yield;
    }
    return yield* sortTerms(found);
  };
}

function* endsOf(data: IndexedGraph, predicate: RDF.Term, end: 'subject' | 'object'): Generator<RDF.Term> {
  for (const one of data.match(null, predicate)) yield one[end];
}

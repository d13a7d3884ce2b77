import type * as RDF from '@rdfjs/types';
import { writeTerm } from '../../rdf/term-writer.ts';
import { namedNode } from '../../rdf/terms.ts';
import { type GraphReader, objectsOf, subjectsOf } from '../data/graph-reader.ts';
import { findShapes } from '../shapes/check-shapes.ts';
import { rdf, sh } from '../vocabulary.ts';
import { ClassHierarchy } from './class-hierarchy.ts';

/** A shape with the nodes it is to be held to. */
export interface Target {
  readonly shape: RDF.Term;
  /** Sorted by their N-Triples form, each once. */
  readonly focusNodes: readonly RDF.Term[];
}

type FindNodes = (data: GraphReader, classes: ClassHierarchy, value: RDF.Term) => RDF.Term[];

const TARGETS: Readonly<Record<string, FindNodes>> = {
  targetNode: (_data, _classes, value) => [value],
  targetClass: (_data, classes, value) => classes.instances(value),
  targetSubjectsOf: (data, _classes, value) => subjectsOf(data, value),
  targetObjectsOf: (data, _classes, value) => [...data.match(null, value)].map(({ object }) => object),
};

/** The shapes of a graph that have targets in the data (SHACL, 2.1.3), class targets implied by being a class included. */
export function findTargets(shapes: GraphReader, data: GraphReader, classes: ClassHierarchy): Target[] {
  const shapeClasses = new ClassHierarchy(shapes);
  return findShapes(shapes).map((shape) => {
    const nodes = Object.entries(TARGETS).flatMap(([name, find]) =>
      objectsOf(shapes, shape, namedNode(sh(name))).flatMap((value) => find(data, classes, value)),
    );
    const isClass = shape.termType === 'NamedNode' && shapeClasses.isInstance(shape, namedNode(rdf.class));
    return { shape, focusNodes: sortTerms(isClass ? [...nodes, ...classes.instances(shape)] : nodes) };
  });
}

function sortTerms(terms: readonly RDF.Term[]): RDF.Term[] {
  const byText = new Map(terms.map((term) => [writeTerm(term), term]));
  return [...byText.keys()].sort().map((text) => byText.get(text)!);
}

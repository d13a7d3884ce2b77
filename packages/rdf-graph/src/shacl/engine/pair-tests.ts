import type * as RDF from '@rdfjs/types';
import { namedNode } from '../../rdf/terms.ts';
import { type IndexedGraph, objectsOf } from '../data/indexed-graph.ts';
import { sh } from '../vocabulary.ts';
import type { ConstraintParameters } from './component-overrides.ts';

/** A constraint of a property shape, as far as pairs of values need it. */
export interface PairConstraint extends ConstraintParameters {
  readonly shape: { readonly pathObject: unknown };
}

/** Decides about a focus node: a result for each value that fails, as often as it does. */
export type PairTest = (focusNode: RDF.Term, constraint: PairConstraint) => { readonly value: RDF.Term }[];

/** By the parameter that brings the component, the one that compares a value with a bound in the same way. */
export const PAIR_TESTS: Readonly<Record<string, string>> = {
  lessThan: 'maxExclusive',
  lessThanOrEquals: 'maxInclusive',
};

export type IsWithin = (value: RDF.Term, bound: RDF.Term) => boolean;

export interface PairContext {
  /** The data, in which paths are predicates. */
  readonly data: IndexedGraph;
  /** Called for each pair; what it throws ends the run. */
  readonly checkPair: (failures: number) => void;
}

/**
 * A test that holds each value of the path to each value of a property. Values of a node and of its property may be
 * many, and pairs their product, so each pair is counted.
 */
export function createPairTest(name: string, isWithin: IsWithin, { data, checkPair }: PairContext): PairTest {
  const parameter = namedNode(sh(name));
  return (focusNode, constraint) => {
    const failed: { readonly value: RDF.Term }[] = [];
    const values = objectsOf(data, focusNode, constraint.shape.pathObject as RDF.Term);
    const predicate = constraint.getParameterValue(parameter);
    const bounds = predicate === undefined ? [] : objectsOf(data, focusNode, predicate);
    for (const value of values) {
      for (const bound of bounds) {
        checkPair(failed.length);
        if (!isWithin(value, bound)) failed.push({ value });
      }
    }
    return failed;
  };
}

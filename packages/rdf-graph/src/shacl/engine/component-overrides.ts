import { CodedError } from '@cairn/errors';
import type * as RDF from '@rdfjs/types';
import { namedNode } from '../../rdf/terms.ts';
import { ExpressionError } from '../../xpath/expression-error.ts';
import { compileRegex } from '../../xpath/regex.ts';
import { type IndexedGraph, objectsOf } from '../data/indexed-graph.ts';
import { sh } from '../vocabulary.ts';
import type { ClassHierarchy } from './class-hierarchy.ts';
import type { ShaclGuard } from './limits.ts';

export interface ConstraintParameters {
  getParameterValue(parameter: RDF.Term): RDF.Term | undefined;
}

export type ValueTest = (value: RDF.Term, constraint: ConstraintParameters) => boolean;

/** By the parameter that brings the component: tests that take the place of the library's. */
export const VALUE_TESTS: Readonly<Record<string, (classes: ClassHierarchy) => ValueTest>> = {
  // In linear time, and in the dialect of SPARQL's REGEX as the specification says.
  pattern: () => (value, constraint) => {
    if (value.termType === 'BlankNode') return false;
    const [pattern, flags] = [parameter(constraint, 'pattern'), parameter(constraint, 'flags')];
    return matches(value.value, pattern?.value ?? '', flags?.value ?? '');
  },
  // The library follows rdfs:subClassOf around a cycle until its stack is full.
  class: (classes) => (value, constraint) => {
    const type = parameter(constraint, 'class');
    return type !== undefined && classes.isInstance(value, type);
  },
  // Lengths are in characters, as STRLEN counts them.
  minLength: () => (value, constraint) =>
    value.termType !== 'BlankNode' && characters(value) >= Number(parameter(constraint, 'minLength')?.value),
  maxLength: () => (value, constraint) =>
    value.termType !== 'BlankNode' && characters(value) <= Number(parameter(constraint, 'maxLength')?.value),
};

/** Returns true if a text matches. @throws `ERR_QUERY_WORK` (exhausted) when finding out takes too long. */
function matches(text: string, pattern: string, flags: string): boolean {
  const regex = compileRegex(pattern, flags);
  try {
    return regex.test(text);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    throw new CodedError({ code: 'ERR_QUERY_WORK', kind: 'exhausted', message: `sh:pattern: ${error.message}` });
  }
}

/** Messages where the library has none; a parameter's value is where its name does. */
export const MESSAGES: Readonly<Record<string, string>> = {
  class: 'Value does not have class {$class}',
  and: 'Value does not have all shapes of sh:and',
  or: 'Value has none of the shapes of sh:or',
  xone: 'Value does not have exactly one of the shapes of sh:xone',
};

function parameter(constraint: ConstraintParameters, name: string): RDF.Term | undefined {
  return constraint.getParameterValue(namedNode(sh(name)));
}

function characters(term: RDF.Term): number {
  let count = 0;
  for (const _ of term.value) count++;
  return count;
}

/** A constraint of a property shape, as far as pairs of values need it. */
interface PairConstraint extends ConstraintParameters {
  readonly shape: { readonly pathObject: unknown };
}

/** Decides about a focus node: a result for each value that fails, as often as it does. */
type PairTest = (focusNode: RDF.Term, constraint: PairConstraint) => { readonly value: RDF.Term }[];

/** By the parameter that brings the component, the one that compares a value with a bound in the same way. */
export const PAIR_TESTS: Readonly<Record<string, string>> = {
  lessThan: 'maxExclusive',
  lessThanOrEquals: 'maxInclusive',
};

export type IsWithin = (value: RDF.Term, bound: RDF.Term) => boolean;

/**
 * A test that holds each value of the path to each value of a property. Values of a node and of its property may be
 * many, and pairs their product, so each pair is counted. In the data paths are predicates.
 */
export function createPairTest(name: string, isWithin: IsWithin, data: IndexedGraph, guard: ShaclGuard): PairTest {
  const parameter = namedNode(sh(name));
  return (focusNode, constraint) => {
    const failed: { readonly value: RDF.Term }[] = [];
    const values = objectsOf(data, focusNode, constraint.shape.pathObject as RDF.Term);
    const predicate = constraint.getParameterValue(parameter);
    const bounds = predicate === undefined ? [] : objectsOf(data, focusNode, predicate);
    for (const value of values) {
      for (const bound of bounds) {
        guard.checkPair(failed.length);
        if (!isWithin(value, bound)) failed.push({ value });
      }
    }
    return failed;
  };
}

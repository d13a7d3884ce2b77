import { CodedError, isCodedError } from '@cairn/errors';
import type * as RDF from '@rdfjs/types';
import SHACLValidator from 'rdf-validate-shacl';
import { namedNode } from '../../rdf/terms.ts';
import { type IndexedGraph, indexQuads, toLibraryGraph } from '../data/indexed-graph.ts';
import { withPathPredicates, withReadPaths } from '../data/path-graph.ts';
import type { ShaclResult } from '../report/to-report.ts';
import { sh } from '../vocabulary.ts';
import type { ClassHierarchy } from './class-hierarchy.ts';
import {
  type ConstraintParameters,
  createPairTest,
  type IsWithin,
  MESSAGES,
  PAIR_TESTS,
  VALUE_TESTS,
  type ValueTest,
} from './component-overrides.ts';
import type { ShaclGuard } from './limits.ts';
import { collectResults } from './result-collector.ts';

type ValidateNode = (focusNode: RDF.Term, shape: RDF.Term) => void;
type Environment = SHACLValidator['factory'];

interface NodeValidatorOptions {
  readonly shapes: IndexedGraph;
  readonly data: IndexedGraph;
  readonly classes: ClassHierarchy;
  /** Asked often; what it throws ends the run. */
  readonly guard: ShaclGuard;
  readonly onResult: (result: ShaclResult) => void;
}

/**
 * Returns what holds a node to a shape by rdf-validate-shacl, one at a time, so that a run can pause and stop. It throws
 * what the guard throws, and `ERR_SHACL_FAILED` (internal).
 *
 * The shapes must have passed `checkShapes`: the library trusts them.
 */
export function createNodeValidator({ shapes, data, classes, guard, onResult }: NodeValidatorOptions): ValidateNode {
  const validator = new CheckedValidator(shapes, guard);
  const { validationEngine: engine } = validator;
  const graph = withPathPredicates(data);
  validator.$data = validator.factory.clownface({ dataset: toLibraryGraph(graph) });
  for (const [name, createTest] of Object.entries(VALUE_TESTS)) replaceTest(validator, name, createTest(classes));
  comparePairs(validator, graph, guard);
  for (const [name, message] of Object.entries(MESSAGES)) {
    const component = componentOf(validator, name);
    component.nodeValidationMessage = message;
    component.propertyValidationMessage = message;
  }
  collectResults(engine, guard, onResult);
  return (focusNode, shape) => {
    try {
      engine.validateNodeAgainstShape(focusNode, validator.shapesGraph.getShape(shape), validator.$data);
    } catch (error) {
      if (isCodedError(error)) throw error;
      const message = 'the validator failed on these shapes';
      throw new CodedError({ code: 'ERR_SHACL_FAILED', kind: 'internal', message, cause: error });
    }
  };
}

class CheckedValidator extends SHACLValidator {
  readonly #guard: ShaclGuard;

  constructor(shapes: IndexedGraph, guard: ShaclGuard) {
    // 0 lifts the library's cap of 50 checks per node and shape, past which it takes any value for conforming.
    const options = { factory: createEnvironment(), allowNamedNodeInList: false, maxNodeChecks: 0 };
    super(indexQuads([]), options);
    // The library would copy them.
    this.$shapes = this.factory.clownface({ dataset: toLibraryGraph(withReadPaths(shapes)) });
    this.#guard = guard;
  }

  override nodeConformsToShape(...args: Parameters<SHACLValidator['nodeConformsToShape']>): boolean {
    this.#guard.check();
    return super.nodeConformsToShape(...args);
  }
}

function createEnvironment(): Environment {
  environment ??= new SHACLValidator(indexQuads([])).factory;
  const dataset = (quads: Iterable<RDF.Quad> = []): RDF.DatasetCore => indexQuads(quads);
  return Object.assign(Object.create(environment) as Environment, { dataset });
}

let environment: Environment | undefined;

function componentOf(validator: SHACLValidator, name: string) {
  const component = validator.shapesGraph.getComponentWithParameter(namedNode(sh(name)));
  if (component === undefined) throw new TypeError(`no constraint component has the parameter sh:${name}`);
  return component;
}

function replaceTest(validator: SHACLValidator, name: string, test: ValueTest): void {
  const component = componentOf(validator, name);
  const validate: typeof component.nodeValidationFunction = (_focusNode, value, constraint) => test(value, constraint);
  component.nodeValidationFunction = validate;
  component.propertyValidationFunction = validate;
}

type CompareWithBound = (focusNode: RDF.Term, value: RDF.Term, constraint: ConstraintParameters) => boolean;

/** Puts tests that count what they compare in the place of the library's, with the library's order of literals. */
function comparePairs(validator: SHACLValidator, data: IndexedGraph, guard: ShaclGuard): void {
  for (const [name, bound] of Object.entries(PAIR_TESTS)) {
    const compare = componentOf(validator, bound).nodeValidationFunction as CompareWithBound;
    const isWithin: IsWithin = (value, term) => compare(value, value, { getParameterValue: () => term });
    const test = createPairTest(name, isWithin, data, guard);
    componentOf(validator, name).propertyValidationFunction = (focusNode, _value, constraint) =>
      test(focusNode, constraint);
  }
}

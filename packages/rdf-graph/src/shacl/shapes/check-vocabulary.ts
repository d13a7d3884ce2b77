import type * as RDF from '@rdfjs/types';
import { writeTerm } from '../../rdf/term-writer.ts';
import { namedNode } from '../../rdf/terms.ts';
import { type IndexedGraph, objectsOf } from '../data/indexed-graph.ts';
import { rdf, sh, shName } from '../vocabulary.ts';
import { PARAMETERS, TRIPLES_PER_STEP } from './parameters.ts';
import type { ReportProblem } from './shape-problem.ts';

/** Properties that shapes may have beside parameters: they say nothing about which data conform. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  ...['path', 'order', 'group', 'defaultValue', 'optional', 'declare', 'prefixes'],
]);

/** Properties of everything else: paths, declarations, components that nobody uses, reports that stand beside shapes. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  ...['inversePath', 'alternativePath', 'zeroOrMorePath', 'oneOrMorePath', 'zeroOrOnePath'],
  ...['prefix', 'namespace', 'shapesGraph', 'suggestedShapesGraph'],
  ...['parameter', 'labelTemplate', 'validator', 'nodeValidator', 'propertyValidator', 'returnType'],
  ...['ask', 'select', 'construct', 'update', 'jsFunctionName', 'jsLibrary', 'jsLibraryURL'],
  ...['conforms', 'result', 'focusNode', 'value', 'detail', 'shapesGraphWellFormed', 'resultPath', 'resultMessage'],
  ...['resultSeverity', 'resultAnnotation', 'annotationProperty', 'annotationValue', 'annotationVarName'],
  ...['sourceShape', 'sourceConstraint', 'sourceConstraintComponent'],
  // Of drafts, and in the data of the W3C suite.
  'nodeShape',
]);

const TYPES: ReadonlySet<string> = new Set(['Shape', 'NodeShape', 'PropertyShape', 'Parameter']);

const MESSAGE = 'is beyond SHACL Core, or misspelt';

/**
 * Reports what is said in words of SHACL that validation does not know, and uses of components that the graph declares:
 * ignoring them would let data conform that do not. Yields where it may pause. Cost: O(triples).
 */
export function* checkVocabulary(
  graph: IndexedGraph,
  shapes: readonly RDF.Term[],
  report: ReportProblem,
): Generator<void, void> {
  const declared = yield* declaredParameters(graph);
  const reported = new Set<string>();
  const isShape = new Set<string>();
  for (const shape of shapes) {
    if (isShape.add(writeTerm(shape)).size % TRIPLES_PER_STEP === 0) yield;
  }
  let triples = 0;
  for (const { subject, predicate, object } of graph) {
    if (++triples % TRIPLES_PER_STEP === 0) yield;
    const parameter = unknownWord(predicate, object, () => isShape.has(writeTerm(subject)), declared);
    if (parameter === undefined) continue;
    const key = `${writeTerm(subject)} ${parameter}`;
    if (!reported.has(key)) report({ shape: subject, parameter, message: MESSAGE, isUnsupported: true });
    reported.add(key);
  }
}

/** The word of a triple that nothing here checks; `undefined` when there is none. */
function unknownWord(
  predicate: RDF.Term,
  object: RDF.Term,
  isOfShape: () => boolean,
  declared: ReadonlySet<string>,
): string | undefined {
  const name = shName(predicate);
  if (name !== undefined) {
    if (Object.hasOwn(PARAMETERS, name) || ANNOTATIONS.has(name)) return undefined;
    return ELSEWHERE.has(name) && !isOfShape() ? undefined : `sh:${name}`;
  }
  if (predicate.value === rdf.type) {
    const type = shName(object);
    return type === undefined || TYPES.has(type) || !isOfShape() ? undefined : `sh:${type}`;
  }
  return declared.has(predicate.value) && isOfShape() ? writeTerm(predicate) : undefined;
}

/** The predicates that bring a component which the graph itself declares (SHACL-SPARQL, 6.2). */
function* declaredParameters(graph: IndexedGraph): Generator<void, ReadonlySet<string>> {
  const declared = new Set<string>();
  for (const { object: parameter } of graph.match(null, namedNode(sh('parameter')))) {
    yield;
    const isOptional = objectsOf(graph, parameter, namedNode(sh('optional'))).some(({ value }) =>
      /^(true|1)$/.test(value),
    );
    if (isOptional) continue;
    for (const path of objectsOf(graph, parameter, namedNode(sh('path')))) declared.add(path.value);
  }
  return declared;
}

import type * as RDF from '@rdfjs/types';
import { writeTerm } from '../../rdf/term-writer.ts';
import { namedNode } from '../../rdf/terms.ts';
import { type IndexedGraph, objectsOf, readList, sortTerms, subjectsOf } from '../data/indexed-graph.ts';
import { sh } from '../vocabulary.ts';
import { checkVocabulary } from './check-vocabulary.ts';
import { PARAMETERS, type ParameterRule, patternProblem, TRIPLES_PER_STEP } from './parameters.ts';
import { isProblem, type PathProblem, PathReader } from './path-reader.ts';
import { type ReportProblem, type ShapeProblem, showTerm } from './shape-problem.ts';

interface ShapeContext {
  readonly graph: IndexedGraph;
  readonly shape: RDF.Term;
  readonly report: ReportProblem;
  readonly hasPath: boolean;
  readonly paths: PathReader;
}

const PATH = namedNode(sh('path'));

/** Further problems are not looked at: a list that thousands of shapes share would be as many. */
const MAX_PROBLEMS = 1_000;

/**
 * Checks the shapes of a graph by the syntax rules of SHACL Core: values of the wrong kind, too many of them, malformed
 * or cyclic lists and paths, shapes that refer to themselves, malformed patterns, words of SHACL that are beyond it.
 *
 * An empty answer means that a run over them ends; at most a thousand problems are given. Yields where it
 * may pause. Cost: O(triples), and for each list its length as often as shapes refer to it.
 */
export function* checkShapes(graph: IndexedGraph): Generator<void, ShapeProblem[]> {
  const problems: ShapeProblem[] = [];
  const report: ReportProblem = (problem) => {
    if (problems.length < MAX_PROBLEMS) problems.push({ isUnsupported: false, ...problem });
  };
  const shapes = yield* findShapes(graph);
  const reader = new PathReader(graph);
  for (const shape of shapes) {
    if (problems.length >= MAX_PROBLEMS) return problems;
    const paths = yield* objectsInSteps(graph, shape, PATH);
    const context: ShapeContext = { graph, shape, report, hasPath: paths.length > 0, paths: reader };
    yield* checkPaths(context, paths);
    yield* checkParameters(context);
    yield* checkPatterns(context);
  }
  yield* checkVocabulary(graph, shapes, report);
  yield* checkRecursion(shapes, (shape) => referencesOf(graph, shape), report);
  return problems;
}

/** Every node that is a shape by its type, its parameters, its target or its place, sorted. Yields where it may pause. */
export function* findShapes(graph: IndexedGraph): Generator<void, readonly RDF.Term[]> {
  const found = new Map<string, RDF.Term>();
  const add = (term: RDF.Term): void => {
    if (term.termType !== 'Literal') found.set(writeTerm(term), term);
  };
  for (const type of ['Shape', 'NodeShape', 'PropertyShape']) {
    for (const shape of subjectsOf(graph, TYPE, namedNode(sh(type)))) add(shape);
  }
  for (const [name, rule] of Object.entries(PARAMETERS)) {
    if (!rule.isAnnotation) yield* addShapesAround(graph, name, rule, add);
  }
  return yield* sortTerms(found);
}

function* objectsInSteps(
  graph: IndexedGraph,
  subject: RDF.Term,
  predicate: RDF.Term,
): Generator<void, readonly RDF.Term[]> {
  const objects: RDF.Term[] = [];
  for (const { object } of graph.match(subject, predicate)) {
    objects.push(object);
    if (objects.length % TRIPLES_PER_STEP === 0) yield;
  }
  return objects;
}

/** Adds the nodes that have a parameter, and those that it names. */
function* addShapesAround(
  graph: IndexedGraph,
  name: string,
  rule: ParameterRule,
  add: (term: RDF.Term) => void,
): Generator<void, void> {
  let triples = 0;
  for (const { subject, object } of graph.match(null, namedNode(sh(name)))) {
    add(subject);
    if (rule.isShape) for (const shape of yield* membersOf(graph, rule, object)) add(shape);
    // A list is many triples.
    if (rule.isList || ++triples % TRIPLES_PER_STEP === 0) yield;
  }
}

const TYPE = namedNode('http://www.w3.org/1999/02/22-rdf-syntax-ns#type');

function* membersOf(graph: IndexedGraph, rule: ParameterRule, value: RDF.Term): Generator<void, readonly RDF.Term[]> {
  if (!rule.isList) return [value];
  const members = yield* readList(graph, value);
  return typeof members === 'string' ? [] : members;
}

function* checkPaths(context: ShapeContext, paths: readonly RDF.Term[]): Generator<void, void> {
  const { graph, shape, report } = context;
  const fault = (problem: PathProblem): void => report({ shape, parameter: 'sh:path', ...problem });
  for (const path of paths) {
    const read = yield* context.paths.readInSteps(path);
    if (isProblem(read)) fault(read);
  }
  if (paths.length > 1) fault({ message: `must have one value; got ${paths.length}` });
  const isPropertyShape =
    subjectsOf(graph, namedNode(sh('property')), shape).length > 0 ||
    graph.match(shape, TYPE, namedNode(sh('PropertyShape'))).size > 0;
  if (isPropertyShape && paths.length === 0) fault({ message: 'must be there: it is a property shape' });
  if (paths.length === 0 || graph.match(shape, TYPE, namedNode(sh('NodeShape'))).size === 0) return;
  fault({ message: 'must not be there: it is a node shape' });
}

function* checkParameters(context: ShapeContext): Generator<void, void> {
  const { graph, shape, report } = context;
  for (const [name, rule] of Object.entries(PARAMETERS)) {
    const values = yield* objectsInSteps(graph, shape, namedNode(sh(name)));
    if (values.length === 0) continue;
    const parameter = `sh:${name}`;
    const fault = (message: string): void => report({ shape, parameter, message });
    if (rule.max !== undefined && values.length > rule.max) fault(`must have one value; got ${values.length}`);
    if (rule.needsPath && !context.hasPath) fault('must stand in a property shape: there is no sh:path');
    for (const value of values) yield* checkValue(context, parameter, rule, value);
  }
}

function* checkValue(
  { graph, shape, report }: ShapeContext,
  parameter: string,
  rule: ParameterRule,
  value: RDF.Term,
): Generator<void, void> {
  yield;
  const members = rule.isList ? yield* readList(graph, value) : [value];
  if (typeof members === 'string') {
    report({ shape, parameter, message: members });
    return;
  }
  for (const member of members) {
    const expected = rule.value(member);
    if (expected === undefined) continue;
    const place = rule.isList ? 'each member ' : '';
    report({ shape, parameter, message: `${place}${expected}; got ${showTerm(member)}` });
  }
}

function* checkPatterns({ graph, shape, report }: ShapeContext): Generator<void, void> {
  const flags = objectsOf(graph, shape, namedNode(sh('flags')))[0]?.value ?? '';
  for (const pattern of yield* objectsInSteps(graph, shape, namedNode(sh('pattern')))) {
    const problem = patternProblem(pattern.value, flags);
    if (problem !== undefined) report({ shape, parameter: 'sh:pattern', message: problem });
    yield;
  }
}

function* referencesOf(graph: IndexedGraph, shape: RDF.Term): Generator<void, ShapeReference[]> {
  const references: ShapeReference[] = [];
  for (const [name, rule] of Object.entries(PARAMETERS)) {
    if (!rule.isShape) continue;
    for (const value of yield* objectsInSteps(graph, shape, namedNode(sh(name)))) {
      for (const target of yield* membersOf(graph, rule, value)) references.push({ parameter: `sh:${name}`, target });
    }
  }
  return references;
}

/** How deep shapes may refer to one another. */
const MAX_SHAPE_DEPTH = 64;

interface ShapeReference {
  readonly parameter: string;
  readonly target: RDF.Term;
}

/**
 * Reports each shape that refers to itself, however many shapes lie between, and chains that are too long. Yields where it may
 * pause. Cost: O(references).
 */
function* checkRecursion(
  shapes: readonly RDF.Term[],
  references: (shape: RDF.Term) => Generator<void, readonly ShapeReference[]>,
  report: ReportProblem,
): Generator<void, void> {
  const depths = new Map<string, number>();
  const open = new Set<string>();
  function* depthOf(shape: RDF.Term, level: number): Generator<void, number> {
    const key = writeTerm(shape);
    const known = depths.get(key);
    if (known !== undefined) return known;
    open.add(key);
    let depth = 1;
    for (const { parameter, target } of yield* references(shape)) {
      if (open.has(writeTerm(target))) {
        report({ shape: target, parameter, message: 'must not lead back to the shape itself' });
      } else if (level >= MAX_SHAPE_DEPTH) {
        report({ shape, parameter, message: `must not lead through more than ${MAX_SHAPE_DEPTH} shapes` });
      } else {
        depth = Math.max(depth, 1 + (yield* depthOf(target, level + 1)));
      }
    }
    open.delete(key);
    depths.set(key, depth);
    yield;
    return depth;
  }
  for (const shape of shapes) yield* depthOf(shape, 1);
}

import { checkList, checkObject } from '@cairn/errors';
import type * as RDF from '@rdfjs/types';
import { checkTerm } from '../rdf/arguments.ts';
import { writeTerm } from '../rdf/term-writer.ts';
import { type IndexedGraph, indexQuadsInSteps, withMatch } from './data/indexed-graph.ts';
import { ClassHierarchy } from './engine/class-hierarchy.ts';
import { ShaclGuard, type ShaclLimits } from './engine/limits.ts';
import { createNodeValidator } from './engine/shape-validator.ts';
import { createTargetFinder } from './engine/targets.ts';
import { type ShaclReport, type ShaclResult, toReport } from './report/to-report.ts';
import { checkShapes, findShapes } from './shapes/check-shapes.ts';
import { shapesError } from './shapes/shape-problem.ts';

/** Triples: RDF/JS quads in any iterable, or an indexed graph such as an RDF/JS `DatasetCore`. */
export type ShaclGraph = Iterable<RDF.Quad> | IndexedGraph;

/** Options of {@link validate}. */
export interface ValidateOptions extends ShaclLimits {
  /** Only this node is held to the shapes whose targets it is among. Default every target. */
  readonly target?: RDF.Term | undefined;
}

/**
 * Holds a data graph to a shapes graph (SHACL Core) and returns the report. Nothing is ever fetched: owl:imports and
 * sh:shapesGraph are triples like others.
 *
 * Runs between focus nodes in turns of the event loop; it stops at the time limit even inside of one.
 * Shapes are checked first. Graph names are dropped: all quads count as one graph.
 *
 * @throws `ERR_SHACL_SHAPES` (invalid) and `ERR_SHACL_UNSUPPORTED` (unsupported) that name the shapes;
 * `ERR_SHACL_TOO_LARGE`, `ERR_SHACL_RESULTS`, `ERR_TIME_LIMIT`, `ERR_CANCELLED`; `ERR_ARGUMENT` (invalid) for what is no
 * graph
 */
export async function validate(
  data: ShaclGraph,
  shapes: ShaclGraph,
  options: ValidateOptions = {},
): Promise<ShaclReport> {
  checkObject(options, 'the options of validate');
  if (options.target !== undefined) checkTerm(options.target, 'the target');
  checkList(data, 'the data');
  checkList(shapes, 'the shapes');
  const guard = new ShaclGuard(options);
  const takenShapes = takeGraph(shapes);
  const takenData = data === shapes ? takenShapes : takeGraph(data);
  const allShapes = await toGraph(takenShapes, guard);
  guard.checkSize('shapes', allShapes.size);
  const shapesGraph = guarded(allShapes, guard);
  const problems = await guard.run(checkShapes(shapesGraph));
  if (problems.length > 0) throw shapesError(problems);
  const dataGraph = takenData === takenShapes ? allShapes : await toGraph(takenData, guard);
  guard.checkSize('data', dataGraph.size);
  const results = await run(guarded(dataGraph, guard), shapesGraph, guard, options.target);
  return toReport(results, shapesGraph);
}

const READS_PER_CHECK = 64;

/** A graph that looks at the limits while it is read. */
function guarded(graph: IndexedGraph, guard: ShaclGuard): IndexedGraph {
  let reads = 0;
  return withMatch(graph, (subject, predicate, object) => {
    if (++reads % READS_PER_CHECK === 0) guard.check();
    return graph.match(subject, predicate, object);
  });
}

async function run(
  data: IndexedGraph,
  shapes: IndexedGraph,
  guard: ShaclGuard,
  target: RDF.Term | undefined,
): Promise<ShaclResult[]> {
  const results: ShaclResult[] = [];
  const classes = new ClassHierarchy(data);
  const onResult = (result: ShaclResult): void => {
    guard.countResult(result);
    results.push(result);
  };
  const validateNode = createNodeValidator({ shapes, data, classes, guard, onResult });
  const wanted = target && writeTerm(target);
  const targetsOf = createTargetFinder(shapes, data, classes);
  for (const shape of await guard.run(findShapes(shapes))) {
    await guard.pauseWhenDue();
    for (const focusNode of await guard.run(targetsOf(shape))) {
      await guard.beginNode();
      if (wanted === undefined || writeTerm(focusNode) === wanted) validateNode(focusNode, shape);
    }
  }
  return results;
}

/** Copies lists: they are read in turns, and what is done to them after the call must not matter. */
export function takeGraph(graph: ShaclGraph): ShaclGraph {
  return Array.isArray(graph) ? [...(graph as readonly RDF.Quad[])] : graph;
}

async function toGraph(graph: ShaclGraph, guard: ShaclGuard): Promise<IndexedGraph> {
  return isReader(graph) ? graph : guard.run(indexQuadsInSteps(graph));
}

function isReader(graph: ShaclGraph): graph is IndexedGraph {
  return typeof Reflect.get(graph, 'match') === 'function' && typeof Reflect.get(graph, 'size') === 'number';
}

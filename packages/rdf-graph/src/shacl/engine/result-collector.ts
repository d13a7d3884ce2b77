import type * as RDF from '@rdfjs/types';
import type SHACLValidator from 'rdf-validate-shacl';
import { PathPredicate } from '../data/path-graph.ts';
import type { ShaclResult } from '../report/to-report.ts';
import { sh } from '../vocabulary.ts';
import type { ShaclGuard } from './limits.ts';

type Engine = SHACLValidator['validationEngine'];
type Create = Engine['createResultFromObject'];
type Pointer = ReturnType<Create>;

/** Result as the library passes it around; ours holds plain fields instead of a graph of its own. */
interface PlainPointer {
  readonly dataset: readonly RDF.Quad[];
  readonly result: ShaclResult;
}

/**
 * Makes an engine hand over its results as plain objects instead of copying each into a graph, whose cost would grow
 * with the square of their number. The guard counts each result at any depth when it is made.
 */
export function collectResults(engine: Engine, guard: ShaclGuard, onResult: (result: ShaclResult) => void): void {
  const report = {
    dataset: { add: () => undefined },
    addOut: (_predicate: unknown, pointer: PlainPointer) => onResult(pointer.result),
  };
  engine.reportPointer = report as typeof report & Engine['reportPointer'];
  engine.createResultFromObject = createResults(engine, guard);
  const clone = engine.clone.bind(engine);
  engine.clone = (options) => {
    const copy = clone(options);
    collectResults(copy, guard, () => undefined);
    return copy;
  };
}

function createResults(engine: Engine, guard: ShaclGuard): Create {
  const create = (...given: Parameters<Create>): (Pointer & PlainPointer) | null => {
    const [outcome, constraint, focusNode, valueNode] = given;
    const found = engine.normalizeValidationResult(outcome, valueNode);
    if (found === null) return null;
    const { shape, component } = constraint;
    const result: ShaclResult = {
      focusNode,
      path: found.path ?? (shape.isPropertyShape ? pathOf(shape.path?.term) : undefined),
      value: found.value ?? valueNode ?? undefined,
      messages: engine.createResultMessages(found, constraint) as RDF.Literal[],
      severity: shape.severity,
      component: component.node,
      shape: shape.shapeNode,
      details: takeDetails(engine, component.node),
    };
    guard.countFound(result);
    const pointer: PlainPointer = { dataset: [], result };
    return pointer as Pointer & PlainPointer;
  };
  // It gives null for what is no result, as the library's own does, which its types do not say.
  return create as Create;
}

function pathOf(term: RDF.Term | undefined): RDF.Term | undefined {
  return term instanceof PathPredicate ? term.node : term;
}

/** The results that were found one level deeper: of sh:node they say why, of other components they are dropped. */
function takeDetails(engine: Engine, component: RDF.Term): ShaclResult[] {
  const level = engine.recordErrorsLevel + 1;
  const nested = engine.nestedResults[level] as readonly (Pointer & PlainPointer)[] | undefined;
  if (nested === undefined || nested.length === 0) return [];
  engine.nestedResults[level] = [];
  return component.value === sh('NodeConstraintComponent') ? nested.map(({ result }) => result) : [];
}

import type * as RDF from '@rdfjs/types';
import { writeTerm } from '../../rdf/term-writer.ts';
import type { ReportProblem } from './shape-problem.ts';

/** How deep shapes may refer to one another. */
export const MAX_SHAPE_DEPTH = 64;

export interface ShapeReference {
  readonly parameter: string;
  readonly target: RDF.Term;
}

/**
 * Reports each shape that refers to itself, however many shapes lie between, and chains that are too long. Yields where it may
 * pause. Cost: O(references).
 */
export function* checkRecursion(
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

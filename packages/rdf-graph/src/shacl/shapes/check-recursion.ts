import type * as RDF from '@rdfjs/types';
import { writeTerm } from '../../rdf/term-writer.ts';
import type { ReportProblem } from './shape-problem.ts';

/** How deep shapes may refer to one another. */
export const MAX_SHAPE_DEPTH = 64;

/** One shape and what it refers to. */
export interface ShapeReference {
  readonly parameter: string;
  readonly target: RDF.Term;
}

/** Reports each shape that refers to itself, however many shapes lie between, and chains that are too long. Cost: O(references). */
export function checkRecursion(
  shapes: readonly RDF.Term[],
  references: (shape: RDF.Term) => readonly ShapeReference[],
  report: ReportProblem,
): void {
  const depths = new Map<string, number>();
  const open = new Set<string>();
  const depthOf = (shape: RDF.Term, level: number): number => {
    const key = writeTerm(shape);
    const known = depths.get(key);
    if (known !== undefined) return known;
    open.add(key);
    let depth = 1;
    for (const { parameter, target } of references(shape)) {
      if (open.has(writeTerm(target))) {
        report({ shape: target, parameter, message: 'must not lead back to the shape itself' });
      } else if (level >= MAX_SHAPE_DEPTH) {
        report({ shape, parameter, message: `must not lead through more than ${MAX_SHAPE_DEPTH} shapes` });
      } else {
        depth = Math.max(depth, 1 + depthOf(target, level + 1));
      }
    }
    open.delete(key);
    depths.set(key, depth);
    return depth;
  };
  for (const shape of shapes) depthOf(shape, 1);
}

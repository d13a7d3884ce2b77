import type { Algebra, TriplePattern } from '../algebra/algebra.ts';
import { scopeOf } from '../algebra/variables.ts';
import { canPipe } from './can-pipe.ts';
import type { PlanInput } from './input.ts';

/** Statistics about the quads, for planning only: no answer depends on them. */
export interface Statistics {
  /** About how many rows a pattern gives for one input row, when these variables are bound. */
  rowsOf(pattern: TriplePattern, bound: ReadonlySet<string>): number;
}

const CLOSURE_ROWS = 50;
const UNKNOWN_ROWS = 10_000;

/**
 * Returns the cost of joining an operand next, in rows: any that is connected with what is bound before those that
 * multiply.
 */
export function costOf(node: Algebra, input: PlanInput, statistics: Statistics): number {
  if (node.type === 'unquote' && !input.certain.has(node.variable)) return Number.POSITIVE_INFINITY;
  const rows = rowsOf(node, input, statistics);
  const { possible } = scopeOf(node);
  const isConnected =
    possible.size === 0 || input.possible.size === 0 || [...possible].some((name) => input.possible.has(name));
  return isConnected ? rows : 1e12 + rows;
}

function rowsOf(node: Algebra, input: PlanInput, statistics: Statistics): number {
  switch (node.type) {
    case 'bgp':
      return node.patterns.reduce((rows, pattern) => rows * statistics.rowsOf(pattern, input.certain), 1);
    case 'unquote':
    case 'namedGraph':
      return 0;
    case 'values':
      return node.rows.length;
    case 'path': {
      const ends = [node.subject, node.object].filter((term) => term.type === 'term' || input.certain.has(term.name));
      return ends.length === 2 ? 1 : ends.length === 1 ? CLOSURE_ROWS : 1e9;
    }
    case 'join':
      return Math.min(...node.operands.map((operand) => rowsOf(operand, input, statistics)));
    case 'union':
      return node.operands.reduce((rows, operand) => rows + rowsOf(operand, input, statistics), 0);
    case 'filter':
      return rowsOf(node.child, input, statistics) / 3;
    case 'leftJoin':
    case 'minus':
      return rowsOf(node.left, input, statistics);
    case 'extend':
    case 'graph':
    case 'project':
    case 'distinct':
    case 'orderBy':
      return canPipe(node, input) ? rowsOf(node.child, input, statistics) : UNKNOWN_ROWS;
    case 'slice':
      return Math.min(node.limit ?? UNKNOWN_ROWS, UNKNOWN_ROWS);
    case 'group':
      return node.keys.length === 0 ? 1 : UNKNOWN_ROWS;
    case 'service':
      return 1;
  }
}

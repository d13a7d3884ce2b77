import type { Algebra, PatternGraph, TriplePattern } from './algebra.ts';
import { hasExists, mentionedIn, variablesOf } from './variables.ts';

/** The loop that is replaced by a variable. */
interface Carrying {
  readonly loop: string;
  readonly variable: string;
  /** The pattern names the variable otherwise, too. */
  readonly isRead: boolean;
}

/**
 * The pattern of a GRAPH loop with the variable itself for the graph of each triple pattern, so that it is joined as any
 * other one. `undefined` where that would answer otherwise than the loop: where a part asks nothing of the graph, or
 * where a filter or OPTIONAL would see the variable, which the standard binds only after the pattern.
 */
export function carryGraph(child: Algebra, loop: string, variable: string): Algebra | undefined {
  return carry(child, { loop, variable, isRead: mentionedIn(child).has(variable) });
}

function carry(node: Algebra, carrying: Carrying): Algebra | undefined {
  const graph: PatternGraph = { type: 'variable', name: carrying.variable };
  switch (node.type) {
    case 'bgp': {
      const isCarried = node.patterns.length > 0 && node.patterns.every((pattern) => isIn(pattern.graph, carrying));
      return isCarried ? { type: 'bgp', patterns: node.patterns.map((pattern) => inGraph(pattern, graph)) } : undefined;
    }
    case 'path': {
      const { subject, path, object } = node;
      return isIn(node.graph, carrying) ? { type: 'path', subject, path, object, graph } : undefined;
    }
    case 'join':
    case 'union': {
      const operands = carryAll(node.operands, carrying);
      return operands && { type: node.type, operands };
    }
    case 'leftJoin': {
      const { conditions } = node;
      if (carrying.isRead || conditions.some(hasExists)) return undefined;
      const left = carry(node.left, carrying);
      const right = left && carry(node.right, carrying);
      return right && { type: 'leftJoin', left, right, conditions };
    }
    case 'filter': {
      const { conditions } = node;
      if (conditions.some((condition) => hasExists(condition) || variablesOf(condition).has(carrying.variable))) {
        return undefined;
      }
      const child = carry(node.child, carrying);
      return child && { type: 'filter', child, conditions };
    }
    default:
      return undefined;
  }
}

function carryAll(nodes: readonly Algebra[], carrying: Carrying): Algebra[] | undefined {
  const carried: Algebra[] = [];
  for (const node of nodes) {
    const one = node.type === 'unquote' ? node : carry(node, carrying);
    if (one === undefined) return undefined;
    carried.push(one);
  }
  return carried;
}

function isIn(graph: PatternGraph, { loop }: Carrying): boolean {
  return graph.type === 'loop' && graph.name === loop;
}

function inGraph({ subject, predicate, object }: TriplePattern, graph: PatternGraph): TriplePattern {
  return { subject, predicate, object, graph };
}

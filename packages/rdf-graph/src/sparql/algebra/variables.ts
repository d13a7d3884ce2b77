import type { Algebra, Expression, PatternGraph, PatternTerm } from './algebra.ts';

/** Variables that a pattern's solutions may bind, and those that every solution binds. */
export interface Scope {
  readonly possible: ReadonlySet<string>;
  readonly certain: ReadonlySet<string>;
}

/** Where a node keeps its scope: a weak map costs the collector more than all the scopes of a small query. */
const SCOPE: unique symbol = Symbol('scope');

/** The variables of a pattern. Computed once per node. */
export function scopeOf(node: Algebra & { [SCOPE]?: Scope }): Scope {
  const known = node[SCOPE];
  if (known !== undefined) return known;
  const scope = computeScope(node);
  node[SCOPE] = scope;
  return scope;
}

/** The variables that every solution of a pattern binds; cheap for long chains of BIND. */
export function certainOf(node: Algebra): ReadonlySet<string> {
  let inner = node;
  while (inner.type === 'extend') inner = inner.child;
  return scopeOf(inner).certain;
}

function computeScope(node: Algebra): Scope {
  switch (node.type) {
    case 'bgp':
      return same(node.patterns.flatMap((p) => namesOf(p.subject, p.predicate, p.object, p.graph)));
    case 'path':
      return same(namesOf(node.subject, node.object, node.graph));
    case 'unquote':
      return same([node.variable, ...namesOf(...node.terms)]);
    case 'join':
      return { possible: unionOf(node.operands, 'possible'), certain: unionOf(node.operands, 'certain') };
    case 'leftJoin':
      return {
        possible: unionOf([node.left, node.right], 'possible'),
        certain: scopeOf(node.left).certain,
      };
    case 'union':
      return { possible: unionOf(node.operands, 'possible'), certain: intersectionOf(node.operands) };
    case 'minus':
      return scopeOf(node.left);
    case 'filter':
    case 'orderBy':
    case 'distinct':
    case 'slice':
      return scopeOf(node.child);
    case 'graph': {
      const { possible, certain } = scopeOf(node.child);
      return { possible: new Set([...possible, node.variable]), certain: new Set([...certain, node.variable]) };
    }
    case 'extend': {
      const { possible, certain } = scopeOf(node.child);
      return { possible: new Set([...possible, ...node.assignments.map(({ variable }) => variable)]), certain };
    }
    case 'values':
      return {
        possible: new Set(node.variables),
        certain: new Set(node.variables.filter((_, i) => node.rows.every((row) => row[i] !== undefined))),
      };
    case 'group':
      return {
        possible: new Set([...node.keys, ...node.aggregates].map(({ variable }) => variable)),
        certain: new Set(),
      };
    case 'project': {
      const { possible, certain } = scopeOf(node.child);
      return {
        possible: new Set(node.variables.filter((name) => possible.has(name))),
        certain: new Set(node.variables.filter((name) => certain.has(name))),
      };
    }
    case 'service':
      return { possible: new Set(), certain: new Set() };
  }
}

function same(names: readonly string[]): Scope {
  const set = new Set(names);
  return { possible: set, certain: set };
}

export function namesOf(...terms: readonly (PatternTerm | PatternGraph)[]): string[] {
  return terms.flatMap((term) => (term.type === 'variable' ? [term.name] : []));
}

function unionOf(nodes: readonly Algebra[], kind: keyof Scope): Set<string> {
  return new Set(nodes.flatMap((node) => [...scopeOf(node)[kind]]));
}

function intersectionOf(nodes: readonly Algebra[]): Set<string> {
  const [first, ...rest] = nodes.map((node) => scopeOf(node).certain);
  return new Set([...(first ?? [])].filter((name) => rest.every((set) => set.has(name))));
}

/** Every variable that an expression reads, those inside EXISTS included. */
export function variablesOf(expression: Expression, into: Set<string> = new Set()): Set<string> {
  switch (expression.type) {
    case 'variable':
    case 'bound':
      into.add(expression.name);
      break;
    case 'term':
      break;
    case 'call':
    case 'coalesce':
      for (const arg of expression.args) variablesOf(arg, into);
      break;
    case 'and':
    case 'or':
      variablesOf(expression.left, into);
      variablesOf(expression.right, into);
      break;
    case 'if':
      for (const part of [expression.condition, expression.consequent, expression.otherwise]) variablesOf(part, into);
      break;
    case 'in':
      for (const part of [expression.value, ...expression.list]) variablesOf(part, into);
      break;
    case 'exists':
      mentionedIn(expression.pattern, into);
      break;
  }
  return into;
}

/** Every variable that a pattern mentions anywhere, in expressions and hidden inside sub-queries included. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a branch for each kind of pattern
export function mentionedIn(node: Algebra, into: Set<string> = new Set()): Set<string> {
  if (node.type !== 'extend') for (const name of scopeOf(node).possible) into.add(name);
  switch (node.type) {
    case 'join':
    case 'union':
      for (const operand of node.operands) mentionedIn(operand, into);
      break;
    case 'leftJoin':
      mentionedIn(node.left, into);
      mentionedIn(node.right, into);
      for (const condition of node.conditions) variablesOf(condition, into);
      break;
    case 'minus':
      mentionedIn(node.left, into);
      mentionedIn(node.right, into);
      break;
    case 'filter':
      mentionedIn(node.child, into);
      for (const condition of node.conditions) variablesOf(condition, into);
      break;
    case 'extend':
      mentionedIn(node.child, into);
      for (const { variable, expression } of node.assignments) variablesOf(expression, into.add(variable));
      break;
    case 'group':
      mentionedIn(node.child, into);
      for (const { expression } of node.keys) variablesOf(expression, into);
      for (const { expression } of node.aggregates) if (expression !== undefined) variablesOf(expression, into);
      break;
    case 'orderBy':
      mentionedIn(node.child, into);
      for (const { expression } of node.keys) variablesOf(expression, into);
      break;
    case 'graph':
    case 'project':
    case 'distinct':
    case 'slice':
      mentionedIn(node.child, into);
      break;
    default:
      break;
  }
  return into;
}

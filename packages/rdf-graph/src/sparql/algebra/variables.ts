import type { Algebra, Expression, PatternGraph, PatternTerm } from './algebra.ts';

/** Variables that solutions may bind, and those that every solution binds: of a pattern, or where an expression stands. */
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
      return { possible: unionOf([node.left, node.right], 'possible'), certain: scopeOf(node.left).certain };
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
    case 'namedGraph':
    case 'service':
      return { possible: new Set(), certain: new Set() };
  }
}

function same(names: readonly string[]): Scope {
  const set = new Set(names);
  return { possible: set, certain: set };
}

export function namesOf(...terms: readonly (PatternTerm | PatternGraph)[]): string[] {
  const names: string[] = [];
  for (const term of terms) if (term.type === 'variable') names.push(term.name);
  return names;
}

function unionOf(nodes: readonly Algebra[], kind: keyof Scope): Set<string> {
  return new Set(nodes.flatMap((node) => [...scopeOf(node)[kind]]));
}

function intersectionOf(nodes: readonly Algebra[]): Set<string> {
  const [first, ...rest] = nodes.map((node) => scopeOf(node).certain);
  return new Set([...(first ?? [])].filter((name) => rest.every((set) => set.has(name))));
}

/** The conditions that AND puts together. */
export function conjuncts(expression: Expression): Expression[] {
  return expression.type === 'and' ? [...conjuncts(expression.left), ...conjuncts(expression.right)] : [expression];
}

/** Every variable that an expression reads, those inside EXISTS included. */
export function variablesOf(expression: Expression, into: Set<string> = new Set()): Set<string> {
  if (expression.type === 'variable' || expression.type === 'bound') into.add(expression.name);
  else if (expression.type === 'exists') mentionedIn(expression.pattern, into);
  else for (const part of partsOf(expression)) variablesOf(part, into);
  return into;
}

/** Returns true if an EXISTS stands anywhere in an expression. */
export function hasExists(expression: Expression): boolean {
  return expression.type === 'exists' || partsOf(expression).some(hasExists);
}

/** Every variable that some expressions read. */
export function namesIn(expressions: readonly Expression[]): Set<string> {
  const names = new Set<string>();
  for (const expression of expressions) variablesOf(expression, names);
  return names;
}

/** An expression with other names for its variables, but for those inside EXISTS. */
export function renameVariables(expression: Expression, toName: (name: string) => string): Expression {
  const go = (part: Expression): Expression => renameVariables(part, toName);
  switch (expression.type) {
    case 'variable':
    case 'bound':
      return { ...expression, name: toName(expression.name) };
    case 'call':
    case 'coalesce':
      return { ...expression, args: expression.args.map(go) };
    case 'and':
    case 'or':
      return { ...expression, left: go(expression.left), right: go(expression.right) };
    case 'if': {
      const { condition, consequent, otherwise } = expression;
      return { type: 'if', condition: go(condition), consequent: go(consequent), otherwise: go(otherwise) };
    }
    case 'in':
      return { ...expression, value: go(expression.value), list: expression.list.map(go) };
    default:
      return expression;
  }
}

function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.type) {
    case 'call':
    case 'coalesce':
      return expression.args;
    case 'and':
    case 'or':
      return [expression.left, expression.right];
    case 'if':
      return [expression.condition, expression.consequent, expression.otherwise];
    case 'in':
      return [expression.value, ...expression.list];
    default:
      return [];
  }
}

/** Every variable that a pattern mentions anywhere, in expressions and hidden inside sub-queries included. */
export function mentionedIn(node: Algebra, into: Set<string> = new Set()): Set<string> {
  // The scope of each of a long chain of BINDs would be a copy of all before it.
  if (node.type === 'extend') for (const { variable } of node.assignments) into.add(variable);
  else for (const name of scopeOf(node).possible) into.add(name);
  for (const child of childrenOf(node)) mentionedIn(child, into);
  for (const expression of expressionsOf(node)) variablesOf(expression, into);
  return into;
}

/** The patterns directly inside a pattern. */
function childrenOf(node: Algebra): readonly Algebra[] {
  switch (node.type) {
    case 'bgp':
    case 'path':
    case 'unquote':
    case 'values':
    case 'namedGraph':
    case 'service':
      return [];
    case 'join':
    case 'union':
      return node.operands;
    case 'leftJoin':
    case 'minus':
      return [node.left, node.right];
    default:
      return [node.child];
  }
}

/** The expressions of a pattern's own operation. */
export function expressionsOf(node: Algebra): readonly Expression[] {
  switch (node.type) {
    case 'leftJoin':
    case 'filter':
      return node.conditions;
    case 'extend':
      return node.assignments.map(({ expression }) => expression);
    case 'group':
      return [...node.keys, ...node.aggregates].flatMap(({ expression }) => expression ?? []);
    case 'orderBy':
      return node.keys.map(({ expression }) => expression);
    default:
      return [];
  }
}

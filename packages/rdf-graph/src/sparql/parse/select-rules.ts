import type * as RDF from '@rdfjs/types';
import type * as Ast from 'sparqljs';
import { columnsOf, scopeOf } from './scope.ts';

/** The rules for the clauses of a SELECT, which other forms of query share (SPARQL 1.1, 18.2.4 and 19.8). */
export function checkSelected(query: Ast.Query): void {
  if (query.queryType === 'SELECT' && isPlain(query)) return;
  const groupScope = checkGroups(query);
  if (query.queryType !== 'SELECT') return;
  const isGrouped = groupScope !== undefined || clausesAggregate(query);
  if (isGrouped || query.variables.some((column) => 'expression' in column)) checkColumns(query, isGrouped, groupScope);
}

/** Most queries compute nothing that the rules are about. */
function isPlain({ variables, group, having, order }: Ast.SelectQuery): boolean {
  if (group !== undefined || having !== undefined || order !== undefined) return false;
  for (const column of variables) if ('expression' in column) return false;
  return true;
}

function checkColumns(query: Ast.SelectQuery, isGrouped: boolean, groupScope: ReadonlySet<string> | undefined): void {
  const shown = query.variables as readonly (Ast.Variable | Ast.Wildcard)[];
  const patternScope = scopeOf(query.where ?? []);
  const taken = new Set(isGrouped ? (groupScope ?? []) : patternScope);
  for (const name of columnsOf(query.values ?? [])) taken.add(name);
  const usable = new Set(groupScope);
  for (const column of shown) {
    if ('expression' in column) {
      if (isGrouped) checkUngrouped(column.expression, patternScope, usable);
      checkNew(column.variable.value, taken);
      usable.add(column.variable.value);
    } else if (isGrouped) checkColumn(column, usable);
  }
}

/** Returns the variables of the groups; `undefined` without GROUP BY. Each is made once. */
function checkGroups({ group, where }: Ast.Query & Pick<Ast.SelectQuery, 'group'>): Set<string> | undefined {
  if (group === undefined) return undefined;
  const scope = scopeOf(where ?? []);
  const made = new Set<string>();
  for (const { expression, variable } of group) {
    if (hasAggregate(expression)) throw new Error('GROUP BY stands before aggregates and has none');
    if (variable === undefined) continue;
    if (scope.has(variable.value) || made.has(variable.value)) {
      throw new Error(`AS in GROUP BY names a variable that is in scope already: ?${variable.value}`);
    }
    made.add(variable.value);
  }
  for (const { expression } of group) {
    if ('termType' in expression && expression.termType === 'Variable') made.add(expression.value);
  }
  return made;
}

/** Returns true if a SELECT, HAVING or ORDER BY aggregates: then all solutions are one group where no GROUP BY stands. */
function clausesAggregate({ variables, having = [], order = [] }: Ast.SelectQuery): boolean {
  const columns = variables as readonly (Ast.Variable | Ast.Wildcard)[];
  return (
    columns.some((column) => 'expression' in column && hasAggregate(column.expression)) ||
    having.some(hasAggregate) ||
    order.some(({ expression }) => hasAggregate(expression))
  );
}

function checkColumn(column: Exclude<Ast.Variable, Ast.VariableExpression> | Ast.Wildcard, usable: Set<string>): void {
  if ((column as RDF.Term | Ast.Wildcard).termType === 'Wildcard') {
    throw new Error('SELECT * cannot stand with GROUP BY or aggregates; list the variables');
  }
  if (usable.has(column.value)) return;
  throw new Error(`SELECT names a variable that is not grouped: ?${column.value}`);
}

/** A variable that SELECT computes has a new name (18.2.4.4). */
function checkNew(name: string, taken: ReadonlySet<string>): void {
  if (taken.has(name)) throw new Error(`AS names a variable that is in scope already: ?${name}`);
}

/** Beside aggregates stand only variables of the groups, and those that SELECT computed before (11.4). */
function checkUngrouped(
  expression: Ast.Expression,
  patternScope: ReadonlySet<string>,
  usable: ReadonlySet<string>,
): void {
  for (const name of namesBeside(expression)) {
    if (!patternScope.has(name) || usable.has(name)) continue;
    throw new Error(`SELECT computes with a variable that is neither grouped nor aggregated: ?${name}`);
  }
}

/** The variables of an expression outside of aggregates and EXISTS. */
function* namesBeside(expression: Ast.Expression): Generator<string> {
  if ('termType' in expression && expression.termType === 'Variable') yield expression.value;
  for (const part of partsOf(expression)) yield* namesBeside(part);
}

export function hasAggregate(expression: Ast.Expression): boolean {
  const isAggregate = 'type' in expression && expression.type === 'aggregate';
  return isAggregate || partsOf(expression).some(hasAggregate);
}

/** Aggregates belong to SELECT, HAVING and ORDER BY, and each to its own level. */
export function checkNoAggregate(place: string, expression: Ast.Expression | Ast.Wildcard): void {
  if ('termType' in expression && expression.termType === 'Wildcard') return;
  if (hasAggregate(expression as Ast.Expression)) throw new Error(`${place} has no aggregates`);
}

/** The expressions directly inside of one that is no aggregate. What stands in EXISTS is a query of its own. */
function partsOf(expression: Ast.Expression): readonly Ast.Expression[] {
  if (Array.isArray(expression)) return expression;
  if ('termType' in expression || expression.type === 'aggregate') return [];
  const parts = (expression as Ast.OperationExpression).args as readonly Ast.Expression[];
  return parts.filter(isExpression);
}

function isExpression(part: object): boolean {
  if (Array.isArray(part) || 'termType' in part) return true;
  return 'type' in part && ['operation', 'functionCall', 'aggregate'].includes(String(part.type));
}

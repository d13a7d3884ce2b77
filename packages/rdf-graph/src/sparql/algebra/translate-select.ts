import type * as Ast from 'sparqljs';
import type { AggregateBinding, Algebra, Assignment, Expression } from './algebra.ts';
import { type TakeAggregate, translateExpression } from './translate-expression.ts';
import { join, translateGroup, translateValues } from './translate-pattern.ts';
import { createTranslation, inSubQuery, type Translation } from './translation.ts';
import { renameVariables, scopeOf } from './variables.ts';

/** A translation of a whole text, with every rule. */
export function beginTranslation(): Translation {
  return createTranslation({ group: translateGroup, subQuery: translateSelect });
}

/** A SELECT as a sub-query: grouping, projection and solution modifiers (SPARQL 1.1, 18.2.4 and 18.2.5). */
function translateSelect(query: Ast.SelectQuery, outer: Translation): Algebra {
  return translateTopSelect(query, inSubQuery(outer, shownBy(query)));
}

type Selected = Ast.VariableTerm | Ast.VariableExpression;

function selectedOf(query: Ast.SelectQuery): readonly Selected[] | undefined {
  const [first] = query.variables as readonly { termType?: string }[];
  return first !== undefined && first.termType === 'Wildcard' ? undefined : (query.variables as Selected[]);
}

function nameOf(selected: Selected): string {
  return 'termType' in selected ? selected.value : selected.variable.value;
}

/** With `*` everything is shown, and names stay; else what SELECT lists. */
function shownBy(query: Ast.SelectQuery): ReadonlySet<string> {
  const selected = selectedOf(query);
  if (selected !== undefined) return new Set(selected.map(nameOf));
  return { has: (name: string) => !name.startsWith('_:') } as ReadonlySet<string>;
}

/** The outermost SELECT: its variables keep their names. */
export function translateTopSelect(query: Ast.SelectQuery, at: Translation): Algebra {
  const selected = selectedOf(query);
  const aggregates: AggregateBinding[] = [];
  const take = createTake(aggregates, at);
  let node = translateGroup(query.where ?? [], at);
  const keys = groupKeys(query, at);
  const assignments = (selected ?? []).flatMap((item) => assignmentOf(item, at, take));
  let having = (query.having ?? []).map((condition) => translateExpression(condition, at, take));
  let order = (query.order ?? []).map(({ expression, descending }) => ({
    expression: translateExpression(expression, at, take),
    descending: descending === true,
  }));
  if (query.group !== undefined || aggregates.length > 0) {
    const sample = createSampling(node, [...keys, ...assignments], take);
    having = having.map(sample);
    order = order.map(({ expression, descending }) => ({ expression: sample(expression), descending }));
    node = { type: 'group', child: node, keys, aggregates };
  }
  if (having.length > 0) node = { type: 'filter', child: node, conditions: having };
  if (query.values !== undefined) node = join(node, translateValues(query.values, at));
  const shown =
    selected === undefined ? [...scopeOf(node).possible].filter(isNamed) : selected.map(nameOf).map(at.rename);
  if (assignments.length > 0) node = { type: 'extend', child: node, assignments };
  if (order.length > 0) node = { type: 'orderBy', child: node, keys: order };
  return withLimits(query, { type: 'project', child: node, variables: [...new Set(shown)] });
}

function withLimits({ distinct, reduced, offset, limit }: Ast.SelectQuery, projected: Algebra): Algebra {
  const isReduced = reduced === true;
  const child: Algebra = distinct || isReduced ? { type: 'distinct', child: projected, isReduced } : projected;
  return offset === undefined && limit === undefined ? child : { type: 'slice', child, offset: offset ?? 0, limit };
}

/** Blank nodes and the translation's own variables are not shown by `*`. */
function isNamed(name: string): boolean {
  return !name.startsWith('_:') && !name.startsWith('.');
}

function assignmentOf(selected: Selected, at: Translation, take: TakeAggregate): Assignment[] {
  if ('termType' in selected) return [];
  const variable = at.rename(selected.variable.value);
  return [{ variable, expression: translateExpression(selected.expression, at, take) }];
}

function groupKeys(query: Ast.SelectQuery, at: Translation): Assignment[] {
  return (query.group ?? []).map(({ expression, variable }) => {
    const translated = translateExpression(expression, at);
    const own = translated.type === 'variable' ? translated.name : at.fresh();
    return { variable: variable === undefined ? own : at.rename(variable.value), expression: translated };
  });
}

/** Beside aggregates a variable that is not grouped stands for one of its values in the group (18.2.4.1). */
function createSampling(
  grouped: Algebra,
  made: readonly Assignment[],
  take: TakeAggregate,
): (expression: Expression) => Expression {
  const { possible } = scopeOf(grouped);
  const own = new Set(made.map(({ variable }) => variable));
  const toName = (name: string): string => {
    if (own.has(name) || !possible.has(name)) return name;
    return take({ name: 'sample', distinct: false, separator: undefined, expression: { type: 'variable', name } });
  };
  return (expression) => renameVariables(expression, toName);
}

/** Equal aggregates are computed once. */
function createTake(aggregates: AggregateBinding[], at: Translation): TakeAggregate {
  const known = new Map<string, string>();
  return (aggregate) => {
    const key = keyOf(aggregate);
    const variable = known.get(key) ?? at.fresh();
    if (!known.has(key)) {
      known.set(key, variable);
      aggregates.push({ ...aggregate, variable });
    }
    return variable;
  };
}

function keyOf({ name, distinct, separator, expression }: Omit<AggregateBinding, 'variable'>): string {
  return JSON.stringify([name, distinct, separator, expression ?? '*']);
}

import type * as RDF from '@rdfjs/types';
import type * as Ast from 'sparqljs';
import { rememberTerm } from './terms.ts';

/*
 * The translation of SPARQL 1.1, section 18.2, from what the parser gives to algebra, step by step as the standard has
 * it and with no thought of speed. It shares nothing with the engine's own translation.
 */

/** A variable as `?name`, a blank node of the query as `_:label`, anything else as its N-Triples form. */
export type Term = string;

export interface Triple {
  readonly subject: Term;
  readonly predicate: Term;
  readonly object: Term;
}

export type Path =
  | { readonly type: 'link'; readonly iri: Term }
  | { readonly type: 'inv' | 'zeroOrMore' | 'oneOrMore' | 'zeroOrOne'; readonly path: Path }
  | { readonly type: 'seq' | 'alt'; readonly left: Path; readonly right: Path }
  | { readonly type: 'nps'; readonly iris: readonly Term[] };

export type Expression =
  | { readonly type: 'term'; readonly term: Term }
  | { readonly type: 'exists'; readonly pattern: Algebra; readonly negated: boolean }
  | {
      readonly type: 'aggregate';
      readonly name: string;
      readonly distinct: boolean;
      readonly separator: string;
      readonly expression: Expression | undefined;
    }
  | { readonly type: 'call'; readonly name: string; readonly args: readonly Expression[] };

export interface Named {
  readonly variable: Term;
  readonly expression: Expression;
}

export type Algebra =
  | { readonly type: 'BGP'; readonly triples: readonly Triple[] }
  | { readonly type: 'Path'; readonly subject: Term; readonly path: Path; readonly object: Term }
  | { readonly type: 'Join' | 'Union' | 'Minus'; readonly left: Algebra; readonly right: Algebra }
  | { readonly type: 'LeftJoin'; readonly left: Algebra; readonly right: Algebra; readonly expression: Expression }
  | { readonly type: 'Filter'; readonly expression: Expression; readonly pattern: Algebra }
  | { readonly type: 'Extend'; readonly pattern: Algebra; readonly variable: Term; readonly expression: Expression }
  | { readonly type: 'Graph'; readonly name: Term; readonly pattern: Algebra }
  | {
      readonly type: 'Values';
      readonly variables: readonly Term[];
      readonly rows: readonly Readonly<Record<Term, Term>>[];
    }
  | {
      readonly type: 'Group';
      readonly pattern: Algebra;
      readonly keys: readonly Named[];
      /** The aggregates, and the variables that stand for them. */
      readonly aggregates: readonly Named[];
    }
  | {
      readonly type: 'OrderBy';
      readonly pattern: Algebra;
      readonly keys: readonly { readonly expression: Expression; readonly descending: boolean }[];
    }
  /** `scope` tells which variables inside of the sub-query are those of the same name outside: all of them with `*`. */
  | { readonly type: 'Project'; readonly pattern: Algebra; readonly variables: readonly Term[] | '*' }
  | { readonly type: 'Distinct'; readonly pattern: Algebra }
  | { readonly type: 'Slice'; readonly pattern: Algebra; readonly start: number; readonly length: number };

const TRUE: Expression = { type: 'term', term: '"true"^^<http://www.w3.org/2001/XMLSchema#boolean>' };
const EMPTY: Algebra = { type: 'BGP', triples: [] };

/** Steps within paths get variables of their own. */
let steps = 0;

function toTerm(term: RDF.Term): Term {
  if (term.termType === 'Variable') return `?${term.value}`;
  return term.termType === 'BlankNode' ? `_:${term.value}` : rememberTerm(term);
}

/** 18.2.2.6: a group graph pattern. */
function translateGroup(elements: readonly Ast.Pattern[]): Algebra {
  let group = EMPTY;
  let filter: Expression | undefined;
  for (const element of elements) {
    if (element.type === 'filter') filter = and(filter, translateExpression(element.expression));
    else if (element.type === 'optional') group = optional(group, translateGroup(element.patterns));
    else if (element.type === 'minus') {
      group = { type: 'Minus', left: group, right: translateGroup(element.patterns) };
    } else if (element.type === 'bind') {
      const expression = translateExpression(element.expression);
      group = { type: 'Extend', pattern: group, variable: toTerm(element.variable), expression };
    } else group = { type: 'Join', left: group, right: translatePattern(element) };
  }
  return filter === undefined ? group : { type: 'Filter', expression: filter, pattern: group };
}

function optional(left: Algebra, right: Algebra): Algebra {
  if (right.type !== 'Filter') return { type: 'LeftJoin', left, right, expression: TRUE };
  // A filter directly in the braces is the condition. The parser keeps inner braces, which make a group of their own.
  return { type: 'LeftJoin', left, right: right.pattern, expression: right.expression };
}

function and(left: Expression | undefined, right: Expression): Expression {
  return left === undefined ? right : { type: 'call', name: '&&', args: [left, right] };
}

function translatePattern(pattern: Ast.Pattern): Algebra {
  switch (pattern.type) {
    case 'bgp':
      return translateTriples(pattern.triples);
    case 'group':
      return braced(translateGroup(pattern.patterns));
    case 'union': {
      const [first, ...rest] = pattern.patterns.map((branch) =>
        translateGroup(branch.type === 'group' ? branch.patterns : [branch]),
      );
      return rest.reduce<Algebra>((left, right) => ({ type: 'Union', left, right }), first);
    }
    case 'graph':
      return { type: 'Graph', name: toTerm(pattern.name), pattern: translateGroup(pattern.patterns) };
    case 'values':
      return translateValues(pattern.values);
    case 'query':
      return translateSelect(pattern as Ast.SelectQuery);
    default:
      throw new Error(`the reference has no ${pattern.type}`);
  }
}

/** A group in braces is joined with what is around it, so that OPTIONAL does not take its filter for its own. */
function braced(inner: Algebra): Algebra {
  return inner.type === 'Filter' ? { type: 'Join', left: EMPTY, right: inner } : inner;
}

function translateValues(rows: readonly Ast.ValuePatternRow[]): Algebra {
  const toRow = (row: Ast.ValuePatternRow): Record<Term, Term> => {
    const bound = Object.entries(row).flatMap(([name, term]) => (term === undefined ? [] : [[name, toTerm(term)]]));
    return Object.fromEntries(bound) as Record<Term, Term>;
  };
  return { type: 'Values', variables: Object.keys(rows[0] ?? {}), rows: rows.map(toRow) };
}

/** 18.2.2.4 and 18.2.2.5: paths that are sequences become joins; the triples beside one another are one BGP. */
function translateTriples(triples: readonly Ast.Triple[]): Algebra {
  const simple: Triple[] = [];
  const paths: Algebra[] = [];
  const add = (subject: Term, path: Path, object: Term): void => {
    if (path.type === 'link') simple.push({ subject, predicate: path.iri, object });
    else if (path.type === 'inv') add(object, path.path, subject);
    else if (path.type === 'seq') {
      const middle = `_:path${steps++}`;
      add(subject, path.left, middle);
      add(middle, path.right, object);
    } else paths.push({ type: 'Path', subject, path, object });
  };
  for (const { subject, predicate, object } of triples) {
    if ('termType' in predicate && predicate.termType !== 'NamedNode') {
      simple.push({ subject: toTerm(subject), predicate: toTerm(predicate), object: toTerm(object) });
    } else add(toTerm(subject), toPath(predicate as Ast.IriTerm | Ast.PropertyPath), toTerm(object));
  }
  return paths.reduce<Algebra>((left, right) => ({ type: 'Join', left, right }), { type: 'BGP', triples: simple });
}

function toPath(ast: Ast.IriTerm | Ast.PropertyPath): Path {
  if ('termType' in ast) return { type: 'link', iri: toTerm(ast) };
  const items = ast.items as (Ast.IriTerm | Ast.PropertyPath)[];
  const chain = (type: 'seq' | 'alt'): Path => {
    const [first, ...rest] = items.map(toPath);
    return rest.reduce<Path>((left, right) => ({ type, left, right }), first);
  };
  switch (ast.pathType) {
    case '/':
      return chain('seq');
    case '|':
      return chain('alt');
    case '^':
      return { type: 'inv', path: toPath(items[0]) };
    case '*':
      return { type: 'zeroOrMore', path: toPath(items[0]) };
    case '+':
      return { type: 'oneOrMore', path: toPath(items[0]) };
    case '?':
      return { type: 'zeroOrOne', path: toPath(items[0]) };
    default:
      return toNegated(items);
  }
}

/** `!(:a|^:b)` is the alternative of the forward set and the inverse of the backward one. */
function toNegated(items: readonly (Ast.IriTerm | Ast.PropertyPath)[]): Path {
  const all = items.flatMap((item) => ('pathType' in item && item.pathType === '|' ? item.items : [item]));
  const forward: Term[] = [];
  const backward: Term[] = [];
  for (const item of all as (Ast.IriTerm | Ast.PropertyPath)[]) {
    if ('termType' in item) forward.push(toTerm(item));
    else backward.push(toTerm(item.items[0] as RDF.Term));
  }
  const left: Path = { type: 'nps', iris: forward };
  if (backward.length === 0) return left;
  const right: Path = { type: 'inv', path: { type: 'nps', iris: backward } };
  return forward.length === 0 ? right : { type: 'alt', left, right };
}

/** 18.2.4 and 18.2.5: grouping, HAVING, VALUES, SELECT expressions, and the modifiers. */
export function translateSelect(query: Ast.SelectQuery): Algebra {
  let pattern = translateGroup(query.where ?? []);
  const aggregates: Named[] = [];
  const lift = (expression: Expression): Expression => liftAggregates(expression, aggregates);
  const columns = query.variables as readonly (Ast.Variable | Ast.Wildcard)[];
  const isStar = columns.some((column) => 'termType' in column && (column.termType as string) === 'Wildcard');
  const computed = columns.flatMap((column) =>
    'expression' in column
      ? [{ variable: toTerm(column.variable), expression: lift(translateExpression(column.expression)) }]
      : [],
  );
  const having = (query.having ?? []).map((condition) => lift(translateExpression(condition as Ast.Expression)));
  const order = (query.order ?? []).map(({ expression, descending }) => ({
    expression: lift(translateExpression(expression)),
    descending: descending === true,
  }));
  if (query.group !== undefined || aggregates.length > 0) {
    const keys = (query.group ?? []).map(({ expression, variable }, at) => {
      const key = translateExpression(expression);
      const own = key.type === 'term' && key.term.startsWith('?') ? key.term : `?.key${at}`;
      return { variable: variable === undefined ? own : toTerm(variable), expression: key };
    });
    pattern = { type: 'Group', pattern, keys, aggregates };
  }
  for (const expression of having) pattern = { type: 'Filter', expression, pattern };
  if (query.values !== undefined) pattern = { type: 'Join', left: pattern, right: translateValues(query.values) };
  for (const { variable, expression } of computed) pattern = { type: 'Extend', pattern, variable, expression };
  if (order.length > 0) pattern = { type: 'OrderBy', pattern, keys: order };
  const toName = (column: Ast.Variable | Ast.Wildcard) =>
    toTerm('expression' in column ? column.variable : (column as RDF.Term));
  pattern = { type: 'Project', pattern, variables: isStar ? '*' : columns.map(toName) };
  if (query.distinct === true) pattern = { type: 'Distinct', pattern };
  const { offset: start = 0, limit: length = Number.POSITIVE_INFINITY } = query;
  return start === 0 && length === Number.POSITIVE_INFINITY ? pattern : { type: 'Slice', pattern, start, length };
}

function liftAggregates(expression: Expression, into: Named[]): Expression {
  if (expression.type === 'call') {
    return { ...expression, args: expression.args.map((part) => liftAggregates(part, into)) };
  }
  if (expression.type !== 'aggregate') return expression;
  const variable = `?.agg${into.length}`;
  into.push({ variable, expression });
  return { type: 'term', term: variable };
}

function translateExpression(ast: Ast.Expression | Ast.Pattern): Expression {
  if (Array.isArray(ast)) return { type: 'call', name: 'list', args: ast.map(translateExpression) };
  if ('termType' in ast) return { type: 'term', term: toTerm(ast as RDF.Term) };
  if (ast.type === 'aggregate') {
    const { aggregation, distinct, separator = ' ', expression } = ast as Ast.AggregateExpression;
    const isStar = 'termType' in expression && (expression.termType as string) === 'Wildcard';
    const inner = isStar ? undefined : translateExpression(expression as Ast.Expression);
    return { type: 'aggregate', name: aggregation, distinct: distinct === true, separator, expression: inner };
  }
  if (ast.type === 'functionCall') {
    const { function: name, args } = ast as Ast.FunctionCallExpression;
    return { type: 'call', name: typeof name === 'string' ? name : name.value, args: args.map(translateExpression) };
  }
  const { operator, args } = ast as Ast.OperationExpression;
  if (operator === 'exists' || operator === 'notexists') {
    const pattern = translateGroup(args as Ast.Pattern[]);
    return { type: 'exists', pattern, negated: operator === 'notexists' };
  }
  return { type: 'call', name: operator, args: (args as (Ast.Expression | Ast.Pattern)[]).map(translateExpression) };
}

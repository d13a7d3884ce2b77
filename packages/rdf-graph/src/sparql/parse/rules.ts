import type * as RDF from '@rdfjs/types';
import type * as Ast from 'sparqljs';
import { typedLiteral } from '../../rdf/terms.ts';
import { RDF_LANG_STRING, xsd } from '../../rdf/vocabulary.ts';
import { findFunction } from '../functions/builtins.ts';
import { checkData, checkDeleted } from './data-rules.ts';
import { symbolOf } from './grammar.ts';
import { addScope } from './scope.ts';
import { checkNoAggregate, checkSelected } from './select-rules.ts';

/**
 * Checks what a production makes, and may give something in its place; `values` are those of its symbols, the last one
 * on top. @throws what rule is broken
 */
type Rule = (made: unknown, values: readonly unknown[], length: number) => unknown;

/** Rules of SPARQL 1.1 beside its grammar that sparqljs does not check, by the symbol of the production. */
const RULES: Readonly<Record<string, Rule>> = {
  GroupGraphPattern: (made) => checkBinds((made as Ast.GroupPattern).patterns),
  GraphPatternNotTriples: (made) => checkPattern(made as Ast.Pattern),
  Query: (made) => checkSelected(made as Ast.Query),
  SubSelect: (made) => checkSelected(made as Ast.SelectQuery),
  Aggregate: (made) => checkNoAggregate('an aggregate', (made as Ast.AggregateExpression).expression),
  BuiltInCall: (made) => checkArguments(made as Ast.Expression),
  InlineData: (_, values, length) => checkColumns(values, length),
  InlineDataFull: (_, values, length) => checkColumns(values, length),
  LimitOffsetClauses: (made) => checkPage(made as Page),
  Literal: (made, values) => {
    checkLiteral(made as RDF.Literal);
    return asWritten(made as RDF.Literal, values);
  },
  NumericLiteralPositive: (made, values) => asWritten(made as RDF.Literal, values),
  NumericLiteralNegative: (made, values) => asWritten(made as RDF.Literal, values),
  Update1: (made) => {
    checkData(made as Ast.UpdateOperation);
    checkDeleted(made as Ast.UpdateOperation);
  },
};

const BY_SYMBOL: readonly (Rule | undefined)[] = Object.entries(RULES).reduce<(Rule | undefined)[]>(
  (rules, [name, rule]) => {
    rules[symbolOf(name)] = rule;
    return rules;
  },
  [],
);

/** The rule for what a symbol stands for; `undefined` where the grammar says all. */
export function ruleOf(symbol: number): Rule | undefined {
  return BY_SYMBOL[symbol];
}

/** The type of literals with a language belongs to none without (RDF 1.1, 3.3): no syntax could write it. */
function checkLiteral({ language, datatype }: RDF.Literal): void {
  if (language === '' && datatype.value === RDF_LANG_STRING)
    throw new Error('a literal of type rdf:langString has a language');
}

/** A double keeps its `E`, which sparqljs writes small: `1E0` and `1e0` are two terms. */
function asWritten({ value, datatype }: RDF.Literal, values: readonly unknown[]): RDF.Literal | undefined {
  const token = values[values.length - 1];
  if (datatype.value !== xsd.double || typeof token !== 'string' || !/^[^"']*E/.test(token)) return undefined;
  return Object.freeze(typedLiteral(token.slice(-value.length), xsd.double));
}

function checkPattern(pattern: Ast.Pattern): void {
  if (pattern.type === 'filter') checkNoAggregate('FILTER', pattern.expression);
  if (pattern.type === 'bind') checkNoAggregate('BIND', pattern.expression);
}

/** The grammar counts the arguments of functions by name; sparqljs takes any list for those with optional ones. */
function checkArguments(call: Ast.Expression): void {
  if (!('type' in call) || call.type !== 'operation') return;
  const { operator, args } = call as Ast.OperationExpression;
  const definition = findFunction(operator);
  if (definition === undefined) return;
  const { minArgs, maxArgs } = definition;
  if (args.length >= minArgs && args.length <= maxArgs) return;
  const bound = minArgs === maxArgs ? `${minArgs}` : `${minArgs} to ${maxArgs}`;
  throw new Error(`${operator.toUpperCase()} takes ${bound} arguments; got ${args.length}`);
}

/** BIND brings in a variable that nothing before it in the group has in scope (18.2.1). */
function checkBinds(patterns: readonly Ast.Pattern[]): void {
  if (!patterns.some(({ type }) => type === 'bind')) return;
  const scope = new Set<string>();
  for (const pattern of patterns) {
    if (pattern.type === 'bind' && scope.has(pattern.variable.value)) {
      throw new Error(`BIND names a variable that is in scope before it: ?${pattern.variable.value}`);
    }
    addScope(pattern, scope);
  }
}

/** `VALUES (?x ?y) { ... }` names each variable once. sparqljs keeps a row as an object, where the last one wins. */
function checkColumns(values: readonly unknown[], length: number): void {
  if (length !== 6) return;
  const names = new Set<string>();
  for (const name of (values[values.length - 5] as readonly unknown[]).map(columnName)) {
    if (names.has(name)) throw new Error(`VALUES names a variable twice: ?${name}`);
    names.add(name);
  }
}

function columnName(column: unknown): string {
  return typeof column === 'string' ? column.slice(1) : (column as RDF.Variable).value;
}

interface Page {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

function checkPage({ limit = 0, offset = 0 }: Page): void {
  if (limit <= Number.MAX_SAFE_INTEGER && offset <= Number.MAX_SAFE_INTEGER) return;
  throw new Error(`LIMIT and OFFSET are at most ${Number.MAX_SAFE_INTEGER}`);
}

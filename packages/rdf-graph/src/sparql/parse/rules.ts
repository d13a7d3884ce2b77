import type * as RDF from '@rdfjs/types';
import type * as Ast from 'sparqljs';
import { RDF_LANG_STRING } from '../../rdf/vocabulary.ts';
import { symbolOf } from './grammar.ts';

/** Checks what a production makes; `values` are those of its symbols, the last one on top. @throws what rule is broken */
type Rule = (made: unknown, values: readonly unknown[], length: number) => void;

/** Rules of SPARQL 1.1 beside its grammar that sparqljs does not check, by the symbol of the production. */
const RULES: Readonly<Record<string, Rule>> = {
  GroupGraphPattern: (made) => checkBinds((made as Ast.GroupPattern).patterns),
  Qry: (made) => checkSelected(made as Ast.SelectQuery),
  SubSelect: (made) => checkSelected(made as Ast.SelectQuery),
  InlineData: (_, values, length) => checkColumns(values, length),
  InlineDataFull: (_, values, length) => checkColumns(values, length),
  LimitOffsetClauses: (made) => checkPage(made as Page),
  Literal: (made) => checkLiteral(made as RDF.Literal),
  Update1: (made) => checkData(made as Ast.UpdateOperation),
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

/** A variable that SELECT computes has a new name (18.2.4.4); where it groups, only those of the groups are in scope. */
function checkSelected(query: Ast.SelectQuery): void {
  if (query.queryType !== 'SELECT') return;
  const computed = (query.variables as readonly (Ast.Variable | Ast.Wildcard)[]).filter((item) => 'expression' in item);
  if (computed.length === 0) return;
  const scope = query.group === undefined ? scopeOf(query.where ?? []) : new Set(query.group.flatMap(groupName));
  for (const { variable, expression } of computed as readonly Ast.VariableExpression[]) {
    if (!scope.has(variable.value) || (query.group === undefined && hasAggregate(expression))) continue;
    throw new Error(`AS names a variable that is in scope already: ?${variable.value}`);
  }
}

function groupName({ expression, variable }: Ast.Grouping): string[] {
  if (variable !== undefined) return [variable.value];
  return 'termType' in expression && expression.termType === 'Variable' ? [expression.value] : [];
}

function hasAggregate(expression: Ast.Expression): boolean {
  if (Array.isArray(expression)) return expression.some(hasAggregate);
  if ('termType' in expression) return false;
  if (expression.type === 'aggregate') return true;
  const parts = (expression as Ast.OperationExpression).args as readonly Ast.Expression[];
  // An aggregate inside of EXISTS is one of a sub-query.
  return parts.some((part) => isExpression(part) && hasAggregate(part));
}

function isExpression(part: object): boolean {
  if (Array.isArray(part) || 'termType' in part) return true;
  return 'type' in part && ['operation', 'functionCall', 'aggregate'].includes(String(part.type));
}

/** Variables in scope of groups that were read, by the list of their patterns. */
const SCOPES = new WeakMap<readonly Ast.Pattern[], ReadonlySet<string>>();

/** The variables in scope of a group (18.2.1). */
function scopeOf(patterns: readonly Ast.Pattern[]): ReadonlySet<string> {
  const known = SCOPES.get(patterns);
  if (known !== undefined) return known;
  const scope = new Set<string>();
  for (const pattern of patterns) addScope(pattern, scope);
  SCOPES.set(patterns, scope);
  return scope;
}

function addScope(pattern: Ast.Pattern, into: Set<string>): void {
  switch (pattern.type) {
    case 'bgp':
      for (const triple of pattern.triples) addTriple(triple, into);
      break;
    case 'bind':
      into.add(pattern.variable.value);
      break;
    case 'values':
      // Every row names the same variables.
      addAll(
        Object.keys(pattern.values[0] ?? {}).map((name) => name.slice(1)),
        into,
      );
      break;
    case 'query':
      addAll(selectedNames(pattern as Ast.SelectQuery), into);
      break;
    case 'graph':
    case 'service':
      addTerm(pattern.name, into);
      addAll(scopeOf(pattern.patterns), into);
      break;
    case 'group':
    case 'union':
    case 'optional':
      addAll(scopeOf(pattern.patterns), into);
      break;
    default:
      // Neither FILTER nor MINUS brings a variable into scope.
      break;
  }
}

function addAll(names: Iterable<string>, into: Set<string>): void {
  for (const name of names) into.add(name);
}

function addTriple({ subject, predicate, object }: Ast.Triple, into: Set<string>): void {
  for (const term of [subject, predicate, object]) if ('termType' in term) addTerm(term, into);
}

function addTerm(term: RDF.Term, into: Set<string>): void {
  if (term.termType === 'Variable') into.add(term.value);
  if (term.termType === 'Quad') for (const part of [term.subject, term.predicate, term.object]) addTerm(part, into);
}

function selectedNames({ variables, where }: Ast.SelectQuery): Iterable<string> {
  const selected = variables as readonly (Ast.Variable | Ast.Wildcard)[];
  if (selected.some((item) => 'termType' in item && item.termType === 'Wildcard')) return scopeOf(where ?? []);
  return selected.map((item) => ('termType' in item ? item.value : item.variable.value));
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

/** The data of INSERT DATA and DELETE DATA are RDF: no literal is a subject. Templates leave such triples out. */
function checkData(operation: Ast.UpdateOperation): void {
  if (!('updateType' in operation)) return;
  const { updateType } = operation;
  if (updateType !== 'insert' && updateType !== 'delete') return;
  const data = updateType === 'insert' ? operation.insert : operation.delete;
  for (const { triples } of data) {
    for (const { subject, object } of triples) {
      if (!canBeSubject(subject) || !isRdf(object)) {
        throw new Error(`${updateType.toUpperCase()} DATA lists a triple whose subject is a literal`);
      }
    }
  }
}

function canBeSubject(term: RDF.Term): boolean {
  return term.termType !== 'Literal' && isRdf(term);
}

function isRdf(term: RDF.Term): boolean {
  return term.termType !== 'Quad' || (canBeSubject(term.subject) && isRdf(term.object));
}

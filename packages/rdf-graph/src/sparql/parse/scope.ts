import type * as RDF from '@rdfjs/types';
import type * as Ast from 'sparqljs';

/** Variables in scope of groups that were read, by the list of their patterns. */
const SCOPES = new WeakMap<readonly Ast.Pattern[], ReadonlySet<string>>();

/** The variables in scope of a group (18.2.1). */
export function scopeOf(patterns: readonly Ast.Pattern[]): ReadonlySet<string> {
  const known = SCOPES.get(patterns);
  if (known !== undefined) return known;
  const scope = new Set<string>();
  for (const pattern of patterns) addScope(pattern, scope);
  SCOPES.set(patterns, scope);
  return scope;
}

export function addScope(pattern: Ast.Pattern, into: Set<string>): void {
  switch (pattern.type) {
    case 'bgp':
      for (const triple of pattern.triples) addTriple(triple, into);
      break;
    case 'bind':
      into.add(pattern.variable.value);
      break;
    case 'values':
      addAll(columnsOf(pattern.values), into);
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

/** The variables of VALUES: every row names the same. */
export function columnsOf(rows: readonly Ast.ValuePatternRow[]): string[] {
  return Object.keys(rows[0] ?? {}).map((name) => name.slice(1));
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

import type * as RDF from '@rdfjs/types';
import type * as Ast from 'sparqljs';
import { MAX_PARTS } from '../parse/driver.ts';
import { tooManyParts } from '../parse/syntax-error.ts';
import type { Algebra, Expression, PatternGraph, PatternTerm, TriplePattern } from './algebra.ts';
import { carryGraph } from './carry-graph.ts';
import { translateExpression } from './translate-expression.ts';
import { translatePathPattern } from './translate-path.ts';
import type { Translation } from './translation.ts';

/** A group graph pattern (SPARQL 1.1, 18.2.2.6): its filters hold over the whole group. */
export function translateGroup(patterns: readonly Ast.Pattern[], at: Translation): Algebra {
  const { child, conditions } = translateMembers(patterns, at);
  return conditions.length === 0 ? child : { type: 'filter', child, conditions };
}

interface Group {
  readonly child: Algebra;
  /** The filters that stand in the group itself; those of groups inside it hold over these alone. */
  readonly conditions: readonly Expression[];
}

function translateMembers(patterns: readonly Ast.Pattern[], at: Translation): Group {
  let child: Algebra = { type: 'bgp', patterns: [] };
  const conditions: Expression[] = [];
  for (const pattern of patterns) {
    if (pattern.type === 'filter') conditions.push(translateExpression((pattern as Ast.FilterPattern).expression, at));
    else child = addPattern(child, pattern, at);
  }
  return { child, conditions };
}

function addPattern(group: Algebra, pattern: Ast.Pattern, at: Translation): Algebra {
  switch (pattern.type) {
    case 'optional': {
      const { child, conditions } = translateMembers(pattern.patterns, at);
      return { type: 'leftJoin', left: group, right: child, conditions };
    }
    case 'minus':
      return { type: 'minus', left: group, right: translateGroup(pattern.patterns, at) };
    case 'bind': {
      const variable = at.rename(pattern.variable.value);
      const assignments = [{ variable, expression: translateExpression(pattern.expression, at) }];
      return { type: 'extend', child: group, assignments };
    }
    default:
      return join(group, translatePattern(pattern, at));
  }
}

function translatePattern(pattern: Ast.Pattern, at: Translation): Algebra {
  switch (pattern.type) {
    case 'bgp':
      return translateTriples(pattern.triples, at);
    case 'group':
      return translateGroup(pattern.patterns, at);
    case 'union':
      return { type: 'union', operands: pattern.patterns.map((operand) => translateGroup(membersOf(operand), at)) };
    case 'graph':
      return translateGraph(pattern, at);
    case 'service': {
      const iri = pattern.name.termType === 'NamedNode' ? pattern.name.value : undefined;
      return { type: 'service', silent: pattern.silent, iri };
    }
    case 'values':
      return translateValues(pattern.values, at);
    case 'query':
      return at.rules.subQuery(pattern as Ast.SelectQuery, at);
    default:
      return translateGroup([pattern], at);
  }
}

function membersOf(operand: Ast.Pattern): readonly Ast.Pattern[] {
  return operand.type === 'group' ? operand.patterns : [operand];
}

/** Joins two patterns, keeping one flat list of operands. */
export function join(left: Algebra, right: Algebra): Algebra {
  if (left.type === 'bgp' && left.patterns.length === 0) return right;
  if (right.type === 'bgp' && right.patterns.length === 0) return left;
  if (left.type === 'bgp' && right.type === 'bgp')
    return { type: 'bgp', patterns: [...left.patterns, ...right.patterns] };
  const operandsOf = (node: Algebra) => (node.type === 'join' ? node.operands : [node]);
  return { type: 'join', operands: [...operandsOf(left), ...operandsOf(right)] };
}

/** Triples with paths and quoted triples. */
function translateTriples(triples: readonly Ast.Triple[], at: Translation): Algebra {
  // A template that is a pattern as well, of CONSTRUCT WHERE or DELETE WHERE, was not counted by the parser.
  if (triples.length > MAX_PARTS) throw tooManyParts(MAX_PARTS);
  const patterns: TriplePattern[] = [];
  const others: Algebra[] = [];
  for (const triple of triples) {
    const subject = translateTerm(triple.subject, at, others);
    const object = translateTerm(triple.object, at, others);
    const { predicate } = triple;
    if ('termType' in predicate) {
      patterns.push({ subject, predicate: translateTerm(predicate, at, others), object, graph: at.graph });
    } else others.push(translatePathPattern(subject, predicate, object, at));
  }
  return others.reduce<Algebra>(join, { type: 'bgp', patterns });
}

function translateTerm(term: RDF.Term, at: Translation, others: Algebra[]): PatternTerm {
  if (term.termType === 'Variable') return { type: 'variable', name: at.rename(term.value) };
  if (term.termType === 'BlankNode') return { type: 'variable', name: at.rename(`_:${term.value}`) };
  if (term.termType !== 'Quad' || isGround(term)) return { type: 'term', term };
  const variable = at.fresh();
  const [s, p, o] = [term.subject, term.predicate, term.object].map((part) => translateTerm(part, at, others));
  others.push({ type: 'unquote', variable, terms: [s, p, o] });
  return { type: 'variable', name: variable };
}

function isGround(term: RDF.Term): boolean {
  if (term.termType !== 'Quad') return term.termType !== 'Variable' && term.termType !== 'BlankNode';
  return isGround(term.subject) && isGround(term.predicate) && isGround(term.object);
}

/** VALUES, within a pattern or after a query. */
export function translateValues(rows: readonly Ast.ValuePatternRow[], at: Translation): Algebra {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return {
    type: 'values',
    variables: names.map((name) => at.rename(name.slice(1))),
    rows: rows.map((row) => names.map((name) => row[name])),
  };
}

/**
 * GRAPH with an IRI has no solutions where the graph is not there, even if its pattern asks nothing of the graph
 * (SPARQL 1.1, 18.6). GRAPH with a variable binds it to the graph after its pattern was evaluated, one graph after the
 * other; where each triple pattern can carry the variable to the same end, that is faster.
 */
function translateGraph({ name, patterns }: Ast.GraphPattern, at: Translation): Algebra {
  if (name.termType === 'NamedNode') {
    const child = translateGroup(patterns, { ...at, graph: { type: 'term', term: name } });
    return readsGraph(child, name) ? child : join({ type: 'namedGraph', graph: name }, child);
  }
  const variable = at.rename(name.value);
  const loop = at.fresh();
  const child = translateGroup(patterns, { ...at, graph: { type: 'loop', name: loop } });
  return carryGraph(child, loop, variable) ?? { type: 'graph', loop, variable, child };
}

/** Returns true if every solution of a pattern needs a graph of this name to be there. */
function readsGraph(node: Algebra, name: RDF.Term): boolean {
  const isRead = (graph: PatternGraph) => graph.type === 'term' && graph.term.equals(name);
  switch (node.type) {
    case 'bgp':
      return node.patterns.some(({ graph }) => isRead(graph));
    case 'path':
      return isRead(node.graph);
    case 'join':
      return node.operands.some((operand) => readsGraph(operand, name));
    case 'union':
      return node.operands.every((operand) => readsGraph(operand, name));
    case 'leftJoin':
    case 'minus':
      return readsGraph(node.left, name);
    case 'filter':
    case 'extend':
    case 'project':
    case 'distinct':
    case 'orderBy':
    case 'slice':
      return readsGraph(node.child, name);
    case 'group':
      return node.keys.length > 0 && readsGraph(node.child, name);
    default:
      return false;
  }
}

import type * as RDF from '@rdfjs/types';
import type * as Ast from 'sparqljs';
import type { Algebra, Path, PatternTerm, TriplePattern } from './algebra.ts';
import type { Translation } from './translation.ts';

/** A pattern whose predicate is a path: sequences, alternatives and inverses become joins, unions and turned triples. */
export function translatePathPattern(
  subject: PatternTerm,
  ast: Ast.IriTerm | Ast.PropertyPath,
  object: PatternTerm,
  at: Translation,
): Algebra {
  return fromPath(subject, toPath(ast), object, at);
}

function toPath(ast: Ast.IriTerm | Ast.PropertyPath): Path {
  if ('termType' in ast) return { type: 'link', iri: ast };
  const items = ast.items as readonly (Ast.IriTerm | Ast.PropertyPath)[];
  switch (ast.pathType) {
    case '/':
      return { type: 'sequence', paths: items.map(toPath) };
    case '|':
      return { type: 'alternative', paths: items.map(toPath) };
    case '^':
      return { type: 'inverse', path: toPath(items[0]) };
    case '*':
      return { type: 'zeroOrMore', path: toPath(items[0]) };
    case '+':
      return { type: 'oneOrMore', path: toPath(items[0]) };
    case '?':
      return { type: 'zeroOrOne', path: toPath(items[0]) };
    case '!':
      return toNegated(items);
  }
}

function toNegated(items: readonly (Ast.IriTerm | Ast.PropertyPath)[]): Path {
  const forward: RDF.Term[] = [];
  const backward: RDF.Term[] = [];
  const collect = (item: Ast.IriTerm | Ast.PropertyPath): void => {
    if ('termType' in item) forward.push(item);
    else if (item.pathType === '^') backward.push(item.items[0] as RDF.Term);
    else for (const part of item.items) collect(part as Ast.IriTerm | Ast.PropertyPath);
  };
  for (const item of items) collect(item);
  return { type: 'negated', forward, backward };
}

function fromPath(subject: PatternTerm, path: Path, object: PatternTerm, at: Translation): Algebra {
  switch (path.type) {
    case 'link':
      return { type: 'bgp', patterns: [triple(subject, path.iri, object, at)] };
    case 'inverse':
      return fromPath(object, path.path, subject, at);
    case 'sequence':
      return fromSequence(subject, path.paths, object, at);
    case 'alternative':
      return { type: 'union', operands: path.paths.map((part) => fromPath(subject, part, object, at)) };
    default:
      return { type: 'path', subject, path, object, graph: at.graph };
  }
}

function triple(subject: PatternTerm, iri: RDF.Term, object: PatternTerm, at: Translation): TriplePattern {
  return { subject, predicate: { type: 'term', term: iri }, object, graph: at.graph };
}

function fromSequence(subject: PatternTerm, paths: readonly Path[], object: PatternTerm, at: Translation): Algebra {
  const operands: Algebra[] = [];
  let from = subject;
  paths.forEach((path, i) => {
    const to: PatternTerm = i === paths.length - 1 ? object : { type: 'variable', name: at.fresh() };
    operands.push(fromPath(from, path, to, at));
    from = to;
  });
  return { type: 'join', operands };
}

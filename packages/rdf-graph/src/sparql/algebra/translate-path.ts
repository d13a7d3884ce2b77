import type * as RDF from '@rdfjs/types';
import type * as Ast from 'sparqljs';
import type { Algebra, Path, PatternTerm } from './algebra.ts';
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
    // sparqljs gives `()`, which excludes nothing, as an empty list.
    if (Array.isArray(item)) return;
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
      return {
        type: 'bgp',
        patterns: [{ subject, predicate: { type: 'term', term: path.iri }, object, graph: at.graph }],
      };
    case 'inverse':
      return fromPath(object, path.path, subject, at);
    case 'sequence': {
      const { length } = path.paths;
      const between = Array.from({ length: length - 1 }, (): PatternTerm => ({ type: 'variable', name: at.fresh() }));
      const ends = [subject, ...between, object];
      return { type: 'join', operands: path.paths.map((part, i) => fromPath(ends[i], part, ends[i + 1], at)) };
    }
    case 'alternative':
      return { type: 'union', operands: path.paths.map((part) => fromPath(subject, part, object, at)) };
    default:
      return { type: 'path', subject, path, object, graph: at.graph };
  }
}

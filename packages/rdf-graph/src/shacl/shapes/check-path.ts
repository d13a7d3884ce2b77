import type * as RDF from '@rdfjs/types';
import type { GraphReader } from '../data/graph-reader.ts';
import { rdf, sh, shName } from '../vocabulary.ts';
import { readList } from './read-list.ts';
import type { ReportProblem } from './shape-problem.ts';

const UNARY: ReadonlySet<string> = new Set(['inversePath', 'zeroOrMorePath', 'oneOrMorePath', 'zeroOrOnePath']);

/** How deep paths may nest. */
const MAX_DEPTH = 50;

/** What a path is checked with. */
export interface PathContext {
  readonly graph: GraphReader;
  readonly shape: RDF.Term;
  readonly report: ReportProblem;
}

/** Checks that a node is a well-formed property path (SHACL, 2.3.1). */
export function checkPath(context: PathContext, path: RDF.Term): void {
  const problem = pathProblem(context, path, 0);
  if (problem !== undefined) context.report({ shape: context.shape, parameter: 'sh:path', ...problem });
}

type PathProblem = { readonly message: string; readonly isUnsupported?: true } | undefined;

function pathProblem(context: PathContext, path: RDF.Term, depth: number): PathProblem {
  if (path.termType === 'NamedNode') return undefined;
  if (path.termType !== 'BlankNode') return { message: 'must be an IRI or a path in a blank node' };
  if (depth >= MAX_DEPTH) return { message: `must nest at most ${MAX_DEPTH} paths; it nests deeper or loops` };
  const triples = [...context.graph.match(path)];
  const kinds = triples.filter(({ predicate }) => isPathPredicate(predicate));
  // A node that is both a list and something else is taken for a sequence: the W3C tests do.
  const isList = triples.some(({ predicate }) => predicate.value === rdf.first);
  if (isList || kinds.length === 0) return sequenceProblem(context, path, depth);
  if (kinds.length > 1) return { message: 'must have one of sh:inversePath, sh:alternativePath, ... in a node' };
  const { predicate, object } = kinds[0]!;
  if (predicate.value === sh('alternativePath')) return sequenceProblem(context, object, depth);
  if (predicate.value === sh('inversePath') && object.termType !== 'NamedNode') {
    return { message: 'with sh:inversePath of anything but an IRI is not supported', isUnsupported: true };
  }
  return pathProblem(context, object, depth + 1);
}

function sequenceProblem(context: PathContext, head: RDF.Term, depth: number): PathProblem {
  const members = readList(context.graph, head);
  if (typeof members === 'string') return { message: `is no path: it ${members}` };
  if (members.length < 2) return { message: `must list at least 2 paths; got ${members.length}` };
  for (const member of members) {
    const problem = pathProblem(context, member, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function isPathPredicate(predicate: RDF.Term): boolean {
  const name = shName(predicate);
  return name !== undefined && (name === 'alternativePath' || UNARY.has(name));
}

import type { Path, Term, Triple } from './algebra.ts';

/*
 * Property paths by SPARQL 1.1, section 18.4 and 18.5: pairs of nodes as a multiset. A closure and `?` give each pair
 * once.
 */

type Pair = readonly [Term, Term];

/** A variable of the query; a blank node of the data is written `_:` too, but never stands in a pattern. */
export function isVariable(term: Term): boolean {
  return term.startsWith('?') || term.startsWith('_:');
}

/** The pairs that a path connects. A term that the pattern names is a node for `*` and `?`, also outside of the graph. */
export function pathPairs(path: Path, subject: Term, object: Term, graph: readonly Triple[]): Pair[] {
  const nodes = new Set(graph.flatMap((triple) => [triple.subject, triple.object]));
  for (const end of [subject, object]) if (!isVariable(end)) nodes.add(end);
  return pairsOf(path, graph, nodes);
}

function pairsOf(path: Path, graph: readonly Triple[], nodes: ReadonlySet<Term>): Pair[] {
  const go = (part: Path): Pair[] => pairsOf(part, graph, nodes);
  switch (path.type) {
    case 'link':
      return graph
        .filter(({ predicate }) => predicate === path.iri)
        .map(({ subject, object }): Pair => [subject, object]);
    case 'nps':
      return graph
        .filter(({ predicate }) => !path.iris.includes(predicate))
        .map(({ subject, object }): Pair => [subject, object]);
    case 'inv':
      return go(path.path).map(([a, b]): Pair => [b, a]);
    case 'seq': {
      const right = go(path.right);
      return go(path.left).flatMap(([a, b]) => right.filter(([c]) => c === b).map(([, d]): Pair => [a, d]));
    }
    case 'alt':
      return [...go(path.left), ...go(path.right)];
    case 'zeroOrOne':
      return distinct([...loops(nodes), ...go(path.path)]);
    case 'oneOrMore':
      return closure(go(path.path));
    case 'zeroOrMore':
      return distinct([...loops(nodes), ...closure(go(path.path))]);
  }
}

function loops(nodes: ReadonlySet<Term>): Pair[] {
  return [...nodes].map((node): Pair => [node, node]);
}

function distinct(pairs: readonly Pair[]): Pair[] {
  return [...new Map(pairs.map((pair) => [pair.join(' '), pair])).values()];
}

function closure(steps: readonly Pair[]): Pair[] {
  let reached = distinct(steps);
  for (;;) {
    const further = distinct([
      ...reached,
      ...reached.flatMap(([a, b]) => steps.filter(([c]) => c === b).map(([, d]): Pair => [a, d])),
    ]);
    if (further.length === reached.length) return reached;
    reached = further;
  }
}

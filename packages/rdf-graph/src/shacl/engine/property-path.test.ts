import { expect, it } from 'vitest';
import { namedNode, quad } from '../../rdf/terms.ts';
import { indexQuads } from '../data/indexed-graph.ts';
import { followPath, type PropertyPath } from './property-path.ts';

const TYPES = ['predicate', 'inverse', 'sequence', 'alternative', 'zeroOrOne', 'zeroOrMore', 'oneOrMore'] as const;
const NODES = [0, 1, 2, 3, 4];

/** True at [from][to] where a path leads from a node to another. */
type Relation = readonly (readonly boolean[])[];

const relation = (holds: (from: number, to: number) => boolean): Relation =>
  NODES.map((from) => NODES.map((to) => holds(from, to)));
const compose = (left: Relation, right: Relation) =>
  relation((from, to) => NODES.some((via) => left[from]?.[via] === true && right[via]?.[to] === true));
const either = (left: Relation, right: Relation) =>
  relation((from, to) => left[from]?.[to] === true || right[from]?.[to] === true);
const same = relation((from, to) => from === to);

/** The relation of a path by its definition (SPARQL 1.1, 18.4), with no way through the graph. */
function relationOf(path: PropertyPath, triples: ReadonlyMap<string, Relation>): Relation {
  switch (path.type) {
    case 'predicate':
      return triples.get(path.predicate.value) ?? relation(() => false);
    case 'sequence':
      return path.parts.map((part) => relationOf(part, triples)).reduce(compose);
    case 'alternative':
      return path.parts.map((part) => relationOf(part, triples)).reduce(either);
    case 'inverse': {
      const inner = relationOf(path.path, triples);
      return relation((from, to) => inner[to]?.[from] === true);
    }
    case 'zeroOrOne':
      return either(same, relationOf(path.path, triples));
    case 'zeroOrMore':
      return either(same, closureOf(relationOf(path.path, triples)));
    case 'oneOrMore':
      return closureOf(relationOf(path.path, triples));
  }
}

function closureOf(step: Relation): Relation {
  let closure = step;
  for (const _ of NODES) closure = either(closure, compose(closure, step));
  return closure;
}

it('follows paths of every operator within every other as their definition says', () => {
  let state = 7;
  const random = (count: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
  const node = (n: number) => namedNode(`urn:n${n}`);
  const randomPath = (depth: number): PropertyPath => {
    const type = depth === 0 ? undefined : TYPES[random(TYPES.length)];
    if (type === undefined || type === 'predicate') {
      return { type: 'predicate', predicate: namedNode(random(2) === 0 ? 'urn:p' : 'urn:q') };
    }
    if (type === 'sequence' || type === 'alternative') {
      return { type, parts: [randomPath(depth - 1), randomPath(depth - 1)] };
    }
    return { type, path: randomPath(depth - 1) };
  };
  const seen = new Set<string>();
  for (let round = 0; round < 400; round++) {
    const edges = Array.from({ length: 7 }, () => [random(5), random(2) === 0 ? 'urn:p' : 'urn:q', random(5)] as const);
    const graph = indexQuads(edges.map(([from, predicate, to]) => quad(node(from), namedNode(predicate), node(to))));
    const triples = new Map(
      ['urn:p', 'urn:q'].map((predicate) => [
        predicate,
        relation((from, to) => edges.some(([s, p, o]) => s === from && p === predicate && o === to)),
      ]),
    );
    const path = randomPath(3);
    const expected = relationOf(path, triples);
    for (const from of NODES) {
      const reached = Array.from(followPath(graph, node(from), path), ({ value }) => value).sort();
      expect(reached, JSON.stringify(path)).toEqual(
        NODES.filter((to) => expected[from]?.[to] === true).map((to) => node(to).value),
      );
      if (reached.length > 0 && path.type === 'inverse') seen.add(path.path.type);
    }
  }
  expect(seen).toEqual(new Set(TYPES));
});

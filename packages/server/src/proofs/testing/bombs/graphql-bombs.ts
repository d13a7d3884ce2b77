import { type Bomb, bomb, graphql, nested, times } from './bomb.ts';

export const GRAPHQL_BOMBS: readonly Bomb[] = [
  bomb('selections nested 5,000 deep', ['200 ERR_GRAPHQL_LIMIT', '400 ERR_GRAPHQL_LIMIT'], () =>
    graphql(nested(5_000, '{ quads ', '}', ' { subject { value } } ')),
  ),
  bomb('a filter of every node that is none, forty times', ['200 ERR_GRAPHQL_ERRORS', '400 ERR_GRAPHQL_ERRORS'], () =>
    graphql(`{ nodes { ${times(40, 'f#: outgoing(predicate: [{ kind: URI }]) { direction }', ' ')} } }`, 'traversal'),
  ),
  bomb('a filter of 2,000 values at every node', ['200'], () =>
    graphql(
      `{ getAllEntities { outRels(predicateFilter: {values: [${times(2_000, '"urn:#"', ' ')}]}) { id } } }`,
      'platform',
    ),
  ),
];

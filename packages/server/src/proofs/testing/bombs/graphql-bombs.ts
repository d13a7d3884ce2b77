import { type Bomb, graphql } from './bomb.ts';

/** GraphQL documents, for each schema. */
export const GRAPHQL_BOMBS: readonly Bomb[] = [
  {
    name: 'selections nested 5,000 deep',
    request: () => graphql(`${'{ quads '.repeat(5_000)} { subject { value } } ${'}'.repeat(5_000)}`),
    ends: ['200 ERR_GRAPHQL_LIMIT', '400 ERR_GRAPHQL_LIMIT'],
  },
  {
    name: 'a filter of every node that is none, forty times',
    request: () =>
      graphql(
        `{ nodes { ${Array.from({ length: 40 }, (_, i) => `f${i}: outgoing(predicate: [{ kind: URI }]) { direction }`).join(' ')} } }`,
        'traversal',
      ),
    ends: ['200 ERR_GRAPHQL_ERRORS', '400 ERR_GRAPHQL_ERRORS'],
  },
  {
    name: 'a filter of 2,000 values at every node',
    request: () =>
      graphql(
        `{ getAllEntities { outRels(predicateFilter: {values: [${Array.from({ length: 2_000 }, (_, i) => `"urn:${i}"`).join(' ')}]}) { id } } }`,
        'platform',
      ),
    ends: ['200'],
  },
];

import { type Bomb, graphql } from './bomb.ts';

/** GraphQL documents, for each schema. */
export const GRAPHQL_BOMBS: readonly Bomb[] = [
  {
    name: 'selections nested 5,000 deep',
    request: () => graphql(`${'{ quads '.repeat(5_000)} { subject { value } } ${'}'.repeat(5_000)}`),
    ends: ['200 ERR_GRAPHQL_LIMIT', '400 ERR_GRAPHQL_LIMIT'],
  },
];

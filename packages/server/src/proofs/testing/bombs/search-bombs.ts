import { type Bomb, search } from './bomb.ts';

/** Queries of documents. */
export const SEARCH_BOMBS: readonly Bomb[] = [
  {
    name: 'parentheses nested 2,000 deep',
    request: () => search(`${'('.repeat(2_000)}letter${')'.repeat(2_000)}`),
    ends: ['400 ERR_QUERY_SYNTAX'],
  },
];

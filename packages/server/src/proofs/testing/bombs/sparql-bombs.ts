import { type Bomb, sparql } from './bomb.ts';

const LIMITS = ['503 ERR_TIME_LIMIT', '400 ERR_QUERY_MEMORY'];

/** SPARQL queries and updates. */
export const SPARQL_BOMBS: readonly Bomb[] = [
  {
    name: 'a join of everything with everything, three times',
    request: () => sparql('SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i FILTER(?a != ?d && ?c != ?i) }'),
    ends: LIMITS,
  },
  {
    name: 'a sort of a product',
    request: () => sparql('SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } ORDER BY ?c ?f ?i'),
    ends: LIMITS,
  },
  {
    name: 'groups nested 5,000 deep',
    request: () => sparql(`SELECT * ${'{'.repeat(5_000)} ?s ?p ?o ${'}'.repeat(5_000)}`),
    ends: ['413 ERR_SPARQL_DEPTH'],
  },
];

import { type Bomb, rdf } from './bomb.ts';

/** RDF in each syntax, and patches. */
export const RDF_BOMBS: readonly Bomb[] = [
  {
    name: 'Turtle with 5,000 blank nodes in one another',
    request: () => rdf('text/turtle', `<urn:a> <urn:p> ${'[ <urn:p> '.repeat(5_000)} 1 ${']'.repeat(5_000)} .`),
    ends: ['200', '400 ERR_RDF_SYNTAX', '413 ERR_RDF_DEPTH'],
  },
];

import { type Bomb, shacl } from './bomb.ts';

/** Shapes, over stored data and over their own. */
export const SHACL_BOMBS: readonly Bomb[] = [
  {
    name: 'a list that is its own rest',
    request: () =>
      shacl(
        'ex:S a sh:NodeShape ; sh:targetSubjectsOf <urn:p:1> ; sh:in ex:l . ex:l <http://www.w3.org/1999/02/22-rdf-syntax-ns#first> 1 ; <http://www.w3.org/1999/02/22-rdf-syntax-ns#rest> ex:l .',
      ),
    ends: ['400 ERR_SHACL_SHAPES'],
  },
];

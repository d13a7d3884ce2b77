import { type Bomb, shacl } from './bomb.ts';

const LOOP =
  '<http://www.w3.org/1999/02/22-rdf-syntax-ns#first> ex:p ; <http://www.w3.org/1999/02/22-rdf-syntax-ns#rest>';

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
  {
    name: 'a predicate of which the graph says that it is a list that loops',
    request: () =>
      shacl(
        `ex:S sh:targetSubjectsOf <urn:p:1> ; sh:property [ sh:path ex:seq ; sh:maxCount 1 ] . ex:seq ${LOOP} ex:seq .`,
      ),
    ends: ['200'],
  },
  {
    name: 'a path of blank nodes that loops',
    request: () => shacl('ex:S sh:path _:a ; sh:minCount 1 . _:a sh:zeroOrMorePath [ sh:oneOrMorePath _:a ] .'),
    ends: ['400 ERR_SHACL_SHAPES'],
  },
  {
    name: 'a path whose parts double forty times',
    request: () =>
      shacl(
        `ex:S sh:path _:n0 ; sh:minCount 1 . ${Array.from({ length: 40 }, (_, i) => `_:n${i} sh:alternativePath ( _:n${i + 1} _:n${i + 1} ) .`).join(' ')} _:n40 sh:oneOrMorePath ex:p .`,
      ),
    ends: ['400 ERR_SHACL_SHAPES'],
  },
  {
    name: 'shapes that refer to themselves',
    request: () => shacl('ex:S sh:node ex:T ; sh:targetSubjectsOf <urn:p:1> . ex:T sh:not [ sh:and ( ex:S ) ] .'),
    ends: ['400 ERR_SHACL_SHAPES'],
  },
  {
    name: 'a thousand shapes that share a list of 2,000 values',
    request: () =>
      shacl(
        `${Array.from({ length: 1_000 }, (_, i) => `ex:s${i} sh:in _:l ; sh:targetSubjectsOf <urn:p:1> .`).join('\n')} _:l <http://www.w3.org/1999/02/22-rdf-syntax-ns#first> 0 ; <http://www.w3.org/1999/02/22-rdf-syntax-ns#rest> ( ${Array.from({ length: 2_000 }, (_, i) => i).join(' ')} ) .`,
      ),
    ends: ['200', '400 ERR_SHACL_RESULTS', '503 ERR_TIME_LIMIT'],
  },
  {
    name: 'two thousand messages for each result',
    request: () =>
      shacl(
        `ex:S sh:targetSubjectsOf <urn:p:1>, <urn:p:2>, <urn:p:3> ; sh:nodeKind sh:Literal ; sh:message ${Array.from({ length: 2_000 }, (_, i) => `"${i}"`).join(', ')} .`,
      ),
    ends: ['200', '400 ERR_SHACL_RESULTS', '503 ERR_TIME_LIMIT'],
  },
  {
    name: 'a pattern of 50,000 letters',
    request: () => shacl(`ex:S sh:targetSubjectsOf <urn:p:1> ; sh:pattern "${'a?'.repeat(25_000)}" .`),
    ends: ['400 ERR_SHACL_SHAPES'],
  },
];

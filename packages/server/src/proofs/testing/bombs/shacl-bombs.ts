import { type Bomb, bomb, shacl, times } from './bomb.ts';

const FIRST = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#first>';
const REST = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#rest>';
const REFUSED = ['400 ERR_SHACL_SHAPES'];
const BOUNDED = ['200', '400 ERR_SHACL_RESULTS', '503 ERR_TIME_LIMIT'];

export const SHACL_BOMBS: readonly Bomb[] = [
  bomb('a list that is its own rest', REFUSED, () =>
    shacl(`ex:S a sh:NodeShape ; sh:targetSubjectsOf <urn:p:1> ; sh:in ex:l . ex:l ${FIRST} 1 ; ${REST} ex:l .`),
  ),
  bomb('a predicate of which the graph says that it is a list that loops', ['200'], () =>
    shacl(
      `ex:S sh:targetSubjectsOf <urn:p:1> ; sh:property [ sh:path ex:seq ; sh:maxCount 1 ] . ex:seq ${FIRST} ex:p ; ${REST} ex:seq .`,
    ),
  ),
  bomb('a path of blank nodes that loops', REFUSED, () =>
    shacl('ex:S sh:path _:a ; sh:minCount 1 . _:a sh:zeroOrMorePath [ sh:oneOrMorePath _:a ] .'),
  ),
  bomb('a path whose parts double forty times', REFUSED, () =>
    shacl(
      `ex:S sh:path _:n0 ; sh:minCount 1 . ${times(40, (i) => `_:n${i} sh:alternativePath ( _:n${i + 1} _:n${i + 1} ) .`, ' ')} _:n40 sh:oneOrMorePath ex:p .`,
    ),
  ),
  bomb('shapes that refer to themselves', REFUSED, () =>
    shacl('ex:S sh:node ex:T ; sh:targetSubjectsOf <urn:p:1> . ex:T sh:not [ sh:and ( ex:S ) ] .'),
  ),
  bomb('a thousand shapes that share a list of 2,000 values', BOUNDED, () =>
    shacl(
      `${times(1_000, 'ex:s# sh:in _:l ; sh:targetSubjectsOf <urn:p:1> .', '\n')} _:l ${FIRST} 0 ; ${REST} ( ${times(2_000, '#', ' ')} ) .`,
    ),
  ),
  bomb('two thousand messages for each result', BOUNDED, () =>
    shacl(
      `ex:S sh:targetSubjectsOf <urn:p:1>, <urn:p:2>, <urn:p:3> ; sh:nodeKind sh:Literal ; sh:message ${times(2_000, '"#"', ', ')} .`,
    ),
  ),
  bomb('a pattern of 50,000 letters', REFUSED, () =>
    shacl(`ex:S sh:targetSubjectsOf <urn:p:1> ; sh:pattern "${'a?'.repeat(25_000)}" .`),
  ),
];

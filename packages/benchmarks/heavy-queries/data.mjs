// A seeded graph: people with names, ages and cities, who know each other.

export const BASE = 'http://bench.example/';
const TRIPLES_PER_PERSON = 10;
const FRIENDS = TRIPLES_PER_PERSON - 4;

/** N-Triples of about `size` triples, in pieces that one upload takes. */
export function* generate(size, piecesOf = 250_000) {
  const random = createRandom(42);
  const persons = Math.floor(size / TRIPLES_PER_PERSON);
  let lines = [];
  for (let i = 0; i < persons; i++) {
    lines.push(...aboutPerson(i, persons, random));
    if (lines.length < piecesOf) continue;
    yield lines.join('\n');
    lines = [];
  }
  if (lines.length > 0) yield lines.join('\n');
}

function aboutPerson(i, persons, random) {
  const person = `<${BASE}person/${i}>`;
  const known = Array.from(
    { length: FRIENDS },
    () => `${person} <${BASE}v/knows> <${BASE}person/${Math.floor(persons * random() ** 2)}> .`,
  );
  return [
    `${person} <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <${BASE}v/Person> .`,
    `${person} <${BASE}v/name> "name ${Math.floor(random() * 1e9).toString(36)} of ${i}" .`,
    `${person} <${BASE}v/age> "${18 + Math.floor(random() * 70)}"^^<http://www.w3.org/2001/XMLSchema#integer> .`,
    `${person} <${BASE}v/city> <${BASE}city/${Math.floor(300 * random() ** 3)}> .`,
    ...known,
  ];
}

function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 0x1_0000_0000;
  };
}

const PREFIX = `PREFIX v: <${BASE}v/> PREFIX p: <${BASE}person/>`;

/** Queries that each are seconds of work, or end at the time limit, by the step that they strain. */
export const HEAVY = {
  'cross product, filtered': `${PREFIX} SELECT (COUNT(*) AS ?n) { ?a v:age ?x . ?b v:age ?y FILTER(?x + ?y = 170) }`,
  'order all': `${PREFIX} SELECT ?a ?n { ?a v:name ?n } ORDER BY DESC(?n) ?a`,
  'order all by expression': `${PREFIX} SELECT ?a { ?a v:name ?n } ORDER BY STRLEN(?n) SUBSTR(?n, 3) LIMIT 10`,
  'group by': `${PREFIX} SELECT ?a (COUNT(?b) AS ?n) (GROUP_CONCAT(?b) AS ?all) { ?a v:knows ?b } GROUP BY ?a ORDER BY DESC(?n) LIMIT 5`,
  'property path': `${PREFIX} SELECT (COUNT(*) AS ?n) { p:17 v:knows+ ?b . ?b v:knows* ?c }`,
  'path, both ends open': `${PREFIX} SELECT (COUNT(*) AS ?n) { ?a v:knows+ ?b }`,
  distinct: `${PREFIX} SELECT (COUNT(DISTINCT *) AS ?n) { ?a v:knows ?b . ?b v:city ?c }`,
  construct: `${PREFIX} CONSTRUCT { ?b v:knownBy ?a } { ?a v:knows ?b }`,
  'join of three': `${PREFIX} SELECT (COUNT(*) AS ?n) { ?a v:knows ?b . ?b v:knows ?c . ?c v:knows ?a }`,
  regex: `${PREFIX} SELECT (COUNT(*) AS ?n) { ?a v:name ?n FILTER REGEX(?n, "a.*b.*c.*7$", "i") }`,
  optional: `${PREFIX} SELECT (COUNT(*) AS ?n) { ?a v:knows ?b OPTIONAL { ?b v:knows ?c FILTER(?c = ?a) } }`,
  minus: `${PREFIX} SELECT (COUNT(*) AS ?n) { ?a v:knows ?b MINUS { ?b v:knows ?a } }`,
};

/** A lookup of one person. */
export const POINT = `${PREFIX} SELECT ?n { p:4711 v:name ?n }`;

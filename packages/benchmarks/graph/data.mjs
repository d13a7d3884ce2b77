// A seeded graph of people with skew: few are known by many, few cities hold most people.

const BASE = 'http://bench.example/';
const XSD = 'http://www.w3.org/2001/XMLSchema#';

function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 0x1_0000_0000;
  };
}

const SYLLABLES = ['an', 'be', 'co', 'da', 'el', 'fi', 'go', 'ha', 'iv', 'jo', 'ka', 'lu', 'mi', 'no', 'or', 'pe'];

/** N-Triples of about `size` triples. */
export function generate(size) {
  const random = createRandom(42);
  const persons = Math.floor(size / 10);
  const organisations = Math.max(10, Math.floor(persons / 50));
  const cities = Math.max(20, Math.floor(Math.sqrt(persons)));
  const skewed = (count) => Math.floor(count * random() ** 3);
  const lines = [];
  const iri = (path) => `<${BASE}${path}>`;
  const add = (s, p, o) => lines.push(`${s} ${iri(`v/${p}`)} ${o} .`);
  const type = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>';
  for (let i = 0; i < organisations; i++) {
    const organisation = iri(`org/${i}`);
    lines.push(`${organisation} ${type} ${iri('v/Organisation')} .`);
    add(organisation, 'name', `"organisation${i}"`);
    add(organisation, 'city', iri(`city/${skewed(cities)}`));
  }
  for (let i = 0; lines.length < size; i++) {
    const person = iri(`person/${i}`);
    const name = Array.from({ length: 3 }, () => SYLLABLES[Math.floor(random() * 16)]).join('');
    lines.push(`${person} ${type} ${iri('v/Person')} .`);
    add(person, 'name', `"${name}${i}"`);
    add(person, 'age', `"${18 + Math.floor(random() * 70)}"^^<${XSD}integer>`);
    add(person, 'city', iri(`city/${skewed(cities)}`));
    if (random() < 0.6) add(person, 'email', `"${name}.${i}@bench.example"`);
    if (random() < 0.8) add(person, 'worksFor', iri(`org/${skewed(organisations)}`));
    const friends = 1 + Math.floor(random() * 8);
    for (let f = 0; f < friends; f++) add(person, 'knows', iri(`person/${skewed(persons)}`));
  }
  lines.length = Math.min(lines.length, size);
  return { text: `${lines.join('\n')}\n`, persons, organisations };
}

/** One of the organisations that fewer than the average work for. */
const rareHalf = (i, organisations) => organisations - 1 - (i % (organisations >> 1));

/** The shapes that are measured: each gives the text for a run, so that no engine can answer from a cache of texts. */
export const QUERIES = {
  'point lookup': (i, { persons }) => `SELECT ?p ?o { <${BASE}person/${(i * 7) % persons}> ?p ?o }`,
  star: (i, { organisations }) =>
    `SELECT ?s ?n ?a ?c { ?s v:worksFor <${BASE}org/${rareHalf(i, organisations)}> ; v:name ?n ; v:age ?a ; v:city ?c }`,
  'path of 3': (i, { persons }) =>
    `SELECT ?n { <${BASE}person/${(1000 + i) % persons}> v:knows ?a . ?a v:knows ?b . ?b v:name ?n }`,
  optional: (i, { organisations }) =>
    `SELECT ?s ?e { ?s v:worksFor <${BASE}org/${rareHalf(i, organisations)}> OPTIONAL { ?s v:email ?e } }`,
  'group by + avg': () => 'SELECT ?c (AVG(?a) AS ?avg) (COUNT(*) AS ?n) { ?p v:city ?c ; v:age ?a } GROUP BY ?c',
  'order by + limit': () =>
    'SELECT ?p ?a { ?p v:age ?a ; v:city <http://bench.example/city/1> } ORDER BY DESC(?a) ?p LIMIT 10',
  'order all + limit': () => 'SELECT ?p ?n { ?p v:name ?n } ORDER BY ?n LIMIT 10',
  distinct: () => 'SELECT DISTINCT ?c { ?p v:city ?c }',
  minus: () => 'SELECT (COUNT(*) AS ?n) { ?p a v:Person MINUS { ?p v:email ?e } }',
  'regex filter': () => 'SELECT (COUNT(*) AS ?n) { ?p v:name ?n FILTER(REGEX(?n, "^an.*ka.*7$")) }',
  'count all': () => 'SELECT (COUNT(*) AS ?n) { ?s ?p ?o }',
  'join of 4': () => 'SELECT (COUNT(*) AS ?n) { ?p v:knows ?q . ?q v:worksFor ?o . ?o v:city ?c . ?p v:city ?c }',
  triangle: () => 'SELECT (COUNT(*) AS ?n) { ?a v:knows ?b . ?b v:knows ?c . ?c v:knows ?a }',
  'count per predicate': () => 'SELECT ?p (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY ?p',
};

/** The text of a query for one run, over data of so many `persons` and `organisations`. */
export function queryText(name, i, counts) {
  return `PREFIX v: <${BASE}v/> ${QUERIES[name](Math.abs(i), counts)} # ${i}`;
}

/** Terms of the two-hop walk and of the updates. */
export const person = (i) => `${BASE}person/${i}`;
export const KNOWS = `${BASE}v/knows`;

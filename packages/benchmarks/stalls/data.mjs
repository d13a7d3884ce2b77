// A seeded graph of named things with ten triples each, and documents that mention them.
import { createRandom, createTexts } from '../ingest/documents.mjs';

const TRIPLES_PER_THING = 10;
const FRIENDS = TRIPLES_PER_THING - 5;
const BASE = 'http://bench.example/';
const NAMES = ['eagle', 'orion', 'falcon', 'odyssey', 'kitty', 'hawk', 'antares', 'casper', 'challenger', 'snoopy'];

const nameOf = (i) => `${NAMES[i % 10]} ${NAMES[Math.floor(i / 10) % 10]} ${i.toString(36)}`;

/** N-Triples of about `size` triples, in pieces for a request's body. */
export function* generateTriples(size) {
  const random = createRandom(42);
  const things = Math.floor(size / TRIPLES_PER_THING);
  for (let i = 0; i < things; i += 1000) {
    const lines = [];
    for (let j = i; j < Math.min(things, i + 1000); j++) lines.push(...aboutThing(j, things, random));
    yield `${lines.join('\n')}\n`;
  }
}

function aboutThing(i, things, random) {
  const thing = `<${BASE}thing/${i}>`;
  const known = Array.from(
    { length: FRIENDS },
    () => `${thing} <${BASE}v/knows> <${BASE}thing/${Math.floor(things * random() ** 2)}> .`,
  );
  return [
    `${thing} <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <${BASE}v/Kind${i % 7}> .`,
    `${thing} <http://www.w3.org/2000/01/rdf-schema#label> "${nameOf(i)}" .`,
    `${thing} <${BASE}v/age> "${18 + Math.floor(random() * 70)}"^^<http://www.w3.org/2001/XMLSchema#integer> .`,
    `${thing} <${BASE}v/note> "${Math.floor(random() * 1e9).toString(36)} noted of ${i}"@en .`,
    `${thing} <${BASE}v/city> <${BASE}city/${Math.floor(300 * random() ** 3)}> .`,
    ...known,
  ];
}

/** Texts of some hundred words, with names of things in them. */
export function createDocuments(count, triples) {
  const random = createRandom(7);
  const things = Math.max(1, Math.floor(triples / TRIPLES_PER_THING));
  const names = Array.from({ length: 2000 }, () => nameOf(Math.floor(random() * things)));
  return createTexts(count, names, random);
}

const PREFIX = `PREFIX v: <${BASE}v/> PREFIX t: <${BASE}thing/>`;

/** Requests of readers, each a target below the server's address. */
export const ANSWERS = [
  ...[
    `${PREFIX} SELECT ?n { t:471 v:note ?n }`,
    `${PREFIX} SELECT (COUNT(*) AS ?n) { ?a v:knows ?b . ?b v:city ?c }`,
    `${PREFIX} SELECT ?a ?n { ?a v:note ?n } ORDER BY DESC(?n) LIMIT 1000`,
    `${PREFIX} SELECT ?c (COUNT(?a) AS ?n) { ?a v:city ?c } GROUP BY ?c`,
    `${PREFIX} CONSTRUCT { ?b v:knownBy ?a } { ?a v:knows ?b } LIMIT 100000`,
    `SELECT (COUNT(*) AS ?n) { ?s ?p ?o }`,
    `SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } }`,
  ].map((query) => `/api/graph/knowledge/query?query=${encodeURIComponent(query)}`),
  '/api/graph/knowledge/data?default',
  '/api/search/documents?query=eagle&limit=100',
  '/api/search/documents?query=eagle%20OR%20falcon%20OR%20kitty&limit=100',
  '/api/search/typeahead?query=eag&limit=10',
  '/api/search/facets?query=*&facet=types',
];

/** SPARQL updates by what they do: a thousand quads, many quads. */
export const UPDATES = [
  `${PREFIX} INSERT { ?a v:seen true } WHERE { SELECT ?a { ?a v:age ?n } LIMIT 1000 }`,
  `${PREFIX} DELETE { ?a v:seen true } WHERE { ?a v:seen true }`,
  `${PREFIX} DELETE { ?a v:note ?n } INSERT { ?a v:remark ?n } WHERE { SELECT ?a ?n { ?a v:note ?n } LIMIT 20000 }`,
  `${PREFIX} DELETE WHERE { ?a v:remark ?n }`,
];

import fc from 'fast-check';
import { WORDS } from './two-stores.ts';

/** A request whose answer must not depend on what the viewer may not see. */
export interface ViewerRequest {
  readonly target: string;
  readonly init?: RequestInit;
}

const QUERIES: readonly string[] = [
  'SELECT ?s ?p ?o { ?s ?p ?o } ORDER BY ?s ?p ?o',
  'SELECT (COUNT(*) AS ?c) (COUNT(DISTINCT ?s) AS ?d) (AVG(?w) AS ?a) { ?s <urn:weight> ?w }',
  'SELECT ?t (COUNT(?s) AS ?n) { ?s a ?t } GROUP BY ?t ORDER BY ?t',
  'SELECT ?s { ?s <urn:knows>+ <urn:s:1> } ORDER BY ?s',
  'SELECT ?s { ?s a ?t FILTER NOT EXISTS { ?s <urn:knows> <urn:s:2> } } ORDER BY ?s',
  'SELECT ?s (MAX(?w) AS ?m) { ?s <urn:weight> ?w OPTIONAL { ?s <urn:knows> ?k } } GROUP BY ?s ORDER BY ?s',
  'ASK { ?s a <urn:t:2> }',
  'ASK { <urn:s:0> ?p <urn:s:1> }',
  'SELECT * { ?s ?p',
];

/** Documents for each schema. */
const GRAPHQL: Readonly<Record<string, readonly string[]>> = {
  '': [
    '{ quads(predicate: { kind: URI, value: "urn:knows" }) { subject { value } object { value } graph { value } } }',
  ],
  '/traversal': [
    '{ nodes { node { value } outgoing { edge { value } target { node { value kind } } } } }',
    '{ nodes(starts: [{ kind: URI, value: "urn:s:1" }]) { incoming { edge { value } target { node { value } } } } }',
  ],
  '/platform': [
    '{ getAllEntities { uri types { uri } properties { predicate value } } }',
    '{ node(uri: "urn:s:1") { outRels(limit: 2) { id predicate range_id } inRels { domain_id } relCounts { inRels outRels properties types instances } relFacets { inRels { types { uri count } predicates { uri count } } outRels { types { uri count } } } } }',
    '{ nodes(uris: ["urn:s:0", "urn:s:2", "urn:s:4"], limit: 2, offset: 2) { id shortUri types { uri } } }',
    '{ search: searchWithMetadata(searchTerm: "eagle", limit: 2) { maybeMore limit offset nodes { uri } } }',
    '{ search(searchTerm: "eag*", typeFilter: "urn:t:1") { uri properties { value } } }',
    '{ states(uri: "urn:s:1") { uri type relations { predicate entity { uri } } } }',
  ],
};

const SHACL = '@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .';
const SHAPES: readonly string[] = [
  'sh:targetClass <urn:t:1> ; sh:property [ sh:path rdfs:label ; sh:maxCount 1 ]',
  'sh:targetSubjectsOf <urn:knows> ; sh:property [ sh:path <urn:knows> ; sh:class <urn:t:2> ]',
  'sh:targetObjectsOf <urn:knows> ; sh:property [ sh:path [ sh:inversePath <urn:knows> ] ; sh:minCount 2 ]',
  'sh:targetNode <urn:s:1> ; sh:closed true ; sh:property [ sh:path <urn:weight> ; sh:maxInclusive 2 ]',
  'sh:targetSubjectsOf rdfs:label ; sh:property [ sh:path rdfs:label ; sh:pattern "^eag" ]',
];

const CORRECTION = { entityCategory: 'urn:T', resolvedEntityUri: 'urn:r', resolvedCategory: 'urn:T' };

const word = fc.constantFrom(...WORDS);
const query = fc.oneof(
  word,
  fc.constantFrom(
    ...['*', 'eag*', 'eagle~1', 'e?gle', '"the eagle"', 'fog', 'types:urn*', 'entities.text:eagle*', '(eagle'],
  ),
  fc.tuple(word, fc.constantFrom('AND', 'OR', 'NOT'), word).map((parts) => parts.join(' ')),
);
const id = fc.oneof(
  fc.nat(7).map((n) => `urn:s:${n}`),
  word.map((one) => `mailto:${one}@example.org`),
);
const shared = {
  indices: fc.constantFrom('search', 'doc-content', 'search,doc-content'),
  'show-security-labels': fc.constantFrom('true', 'false'),
};
const paging = {
  limit: fc.integer({ min: 1, max: 5 }).map(String),
  offset: fc.integer({ min: 1, max: 4 }).map(String),
};
const typeFilter = {
  'type-filter': fc.constantFrom('urn:t:1', 'http://xmlns.com/foaf/0.1/Document'),
  'type-filter-mode': fc.constantFrom('any', 'entity', 'identifier'),
};

export const viewerRequest: fc.Arbitrary<ViewerRequest> = fc.oneof(
  get(
    '/api/search/documents',
    { query },
    {
      ...{ ...shared, ...paging, ...typeFilter, highlighting: fc.constant('true') },
      type: fc.constantFrom('query', 'term', 'phrase', 'as-you-type', 'like', 'like-document'),
      collapse: fc.constantFrom('types', 'primaryName'),
      'boost-near': fc.constant('start,exp,1970-01-01,365d'),
    },
  ),
  get(
    '/api/search/typeahead',
    { query: fc.constantFrom('e', 'ea', 'eagle e', 'fal', 'orion', 'x') },
    { ...shared, ...paging, ...typeFilter },
  ),
  get(
    '/api/search/facets',
    { query, facet: fc.constantFrom('types', 'metadata/documentFormat', 'literals/urn:weight', 'none') },
    { 'sample-size': fc.constantFrom('1', '3', '1000'), indices: shared.indices },
  ),
  get('/api/search/states', { id }, {}),
  get('/api/search/list', { id }, shared),
  get('/api/search/documents/uri-search', { query }, paging),
  id.map((one) => ({ target: `/api/search/documents/${encodeURIComponent(one)}` })),
  fc
    .tuple(
      fc.constantFrom(...QUERIES),
      fc.constantFrom('application/sparql-results+json', 'text/csv', 'text/tab-separated-values'),
    )
    .map(([text, Accept]) => ({
      target: `/api/graph/knowledge/query?query=${encodeURIComponent(text)}`,
      init: { headers: { Accept } },
    })),
  fc.constantFrom('text/turtle', 'application/trig', 'application/rdf+xml').map((Accept) => ({
    target: `/api/graph/knowledge/query?query=${encodeURIComponent('CONSTRUCT { } WHERE { }')}`,
    init: { headers: { Accept } },
  })),
  fc
    .constantFrom('findings', 'styles', 'styles?inherit=true', 'styles?class=urn:t:1')
    .map((view) => ({ target: `/api/graph/knowledge/${view}` })),
  fc
    .constantFrom(...Object.entries(GRAPHQL).flatMap(([schema, all]) => all.map((document) => ({ schema, document }))))
    .map(({ schema, document }) => ({
      target: `/api/graph/knowledge${schema}/graphql?query=${encodeURIComponent(document)}`,
    })),
  fc.tuple(fc.constantFrom(...SHAPES), fc.constantFrom('default', 'union', 'urn:none')).map(([shape, graph]) => ({
    target: `/api/graph/knowledge/shacl?graph=${graph}`,
    init: post('text/turtle', `${SHACL} [] a sh:NodeShape ; ${shape} .`),
  })),
  fc.tuple(id, word).map(([documentUri, entityText]) => ({
    target: '/api/search/documents/update-entity',
    init: post('application/json', JSON.stringify({ documentUri, entityText, ...CORRECTION })),
  })),
);

function post(type: string, body: string): RequestInit {
  return { method: 'POST', headers: { 'Content-Type': type }, body };
}

function get(
  path: string,
  required: Readonly<Record<string, fc.Arbitrary<string>>>,
  optional: Readonly<Record<string, fc.Arbitrary<string>>>,
): fc.Arbitrary<ViewerRequest> {
  const parameters = fc.record({ ...required, ...optional }, { requiredKeys: Object.keys(required) });
  return parameters.map((sent) => ({ target: `${path}?${new URLSearchParams(sent as Record<string, string>)}` }));
}

/** The platform schema: entities with their properties, relations, counts, facets and states; and search. */
export const PLATFORM_SDL = /* GraphQL */ `
type Query {
  "The entities that a search finds, best first."
  search(
    graph: String
    searchTerm: String!
    searchType: SearchType = QUERY
    limit: Int = 50
    offset: Int = 1
    "Only results of this type."
    typeFilter: String
  ): [Node!] @deprecated(reason: "searchWithMetadata also says whether there are more results.")
  "The same with what the search says about itself."
  searchWithMetadata(
    graph: String
    searchTerm: String!
    searchType: SearchType = QUERY
    limit: Int = 50
    offset: Int = 1
    typeFilter: String
  ): SearchResults
  "The distinct subjects that have a type, by their N-Triples form; all of them unless limit is given."
  getAllEntities(graph: String, limit: Int, offset: Int = 1): [Node!]
  "What is known of an entity at a time: the subjects linked to it as its states and having a type."
  states(uri: String!, limit: Int = 50, offset: Int = 1, graph: String): [State]!
  """
  An entity; null unless it is a subject or an object. Here and elsewhere graph says where it must be one: default, union
  or the IRI of a named graph; in any when it is missing. Its relations come from all graphs.
  """
  node(graph: String, uri: String!): Node
  "Several entities in the order asked for, without repeats and absent ones, then paged."
  nodes(graph: String, uris: [String!]!, limit: Int = 50, offset: Int = 1): [Node!]
}

"How a search term is read."
enum SearchType {
  "In the query language."
  QUERY
  "Any of the terms."
  TERM
  "The whole phrase."
  PHRASE
  "Not supported."
  WILDCARD
}

"What a search found."
type SearchResults {
  searchTerm: String!
  searchType: SearchType!
  limit: Int!
  offset: Int!
  "Whether there are more results beyond this page."
  maybeMore: Boolean!
  "The results that are in the graph."
  nodes: [Node!]!
}

"""
An entity. Lists take limit (50 by default, 250 at most) and a 1-based offset, and come in the order of the N-Triples
form of predicate and other end.
"""
type Node {
  "The same as uri."
  id: ID!
  "The IRI; a blank node is _:label."
  uri: String!
  "SHA-1 of the uri, in hexadecimal."
  uriHash: String! @deprecated(reason: "id and uri identify an entity.")
  "The uri with a prefix, when one is known."
  shortUri: String!
  types(limit: Int = 50, offset: Int = 1): [Node!]!
  "Relations to literals."
  properties(limit: Int = 50, offset: Int = 1, predicateFilter: UriFilter): [Property!]!
  "Relations to other entities, rdf:type included. The filters must all hold; type and node look at the other end."
  outRels(
    limit: Int = 50
    offset: Int = 1
    predicateFilter: UriFilter
    typeFilter: UriFilter
    nodeFilter: UriFilter
  ): [Rel!]!
  "Relations from other entities."
  inRels(
    limit: Int = 50
    offset: Int = 1
    predicateFilter: UriFilter
    typeFilter: UriFilter
    nodeFilter: UriFilter
  ): [Rel!]!
  relCounts: NodeRelCounts!
  relFacets: NodeRelFacets!
  "The entities of which this is a type."
  instances(limit: Int = 50, offset: Int = 1): [Node!]!
}

"A relation between two entities."
type Rel {
  "SHA-1 of '<subject> <predicate> <object>.', in hexadecimal."
  id: ID!
  "The subject."
  domain: Node!
  domain_id: String!
  "The IRI of the predicate."
  predicate: String!
  "The object."
  range: Node!
  range_id: String!
}

"A relation to a literal."
type Property {
  "The IRI of the predicate."
  predicate: String!
  shortPredicate: String!
  "The lexical form."
  value: String!
  "The IRI of the datatype."
  datatype: String
  "The language tag, when there is one."
  language: String
}

"How many there are of each; filters as for the lists."
type NodeRelCounts {
  inRels(predicateFilter: UriFilter, typeFilter: UriFilter, nodeFilter: UriFilter): Int!
  outRels(predicateFilter: UriFilter, typeFilter: UriFilter, nodeFilter: UriFilter): Int!
  properties(predicateFilter: UriFilter): Int!
  types: Int!
  instances: Int!
}

"What relations there are; filters as for the lists."
type NodeRelFacets {
  inRels(predicateFilter: UriFilter, typeFilter: UriFilter, nodeFilter: UriFilter): RelFacetInfo!
  outRels(predicateFilter: UriFilter, typeFilter: UriFilter, nodeFilter: UriFilter): RelFacetInfo!
}

"Over all relations that pass the filters, those of each facet too: by count descending, then by uri."
type RelFacetInfo {
  "The types of the other ends: each relation counts once per type."
  types(typeFilter: UriFilter, nodeFilter: UriFilter): [FacetInfo!]!
  predicates(predicateFilter: UriFilter, nodeFilter: UriFilter): [FacetInfo!]!
}

type FacetInfo {
  uri: String!
  shortUri: String!
  count: Int!
}

"Keeps (INCLUDE) or drops (EXCLUDE) what any of the values names."
input UriFilter {
  "IRIs, or _:label. At least one."
  values: [String!]!
  mode: FilterMode = INCLUDE
}

enum FilterMode {
  INCLUDE
  EXCLUDE
}

"What is known of an entity at a time."
type State {
  uri: String!
  "The IRI of its type; of several the first by its N-Triples form."
  type: String!
  "When it began, as ISO 8601 writes periods."
  start: String
  "When it ended."
  end: String
  "When it was."
  period: String
  "To and from other entities: first those of which it is the subject, types and the entity itself left out."
  relations(limit: Int = 50, offset: Int = 1): [NonDirectionalRel!]!
  relCounts: StateRelCounts!
}

type StateRelCounts {
  relations: Int!
}

"A relation of which either end is meant."
type NonDirectionalRel {
  "The IRI of the predicate."
  predicate: String!
  entity: Node!
}
`;

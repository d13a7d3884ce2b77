/** Prefixes that field names and the default mapping are written with. */
export const DEFAULT_PREFIXES: Readonly<Record<string, string>> = {
  rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
  owl: 'http://www.w3.org/2002/07/owl#',
  skos: 'http://www.w3.org/2004/02/skos/core#',
  foaf: 'http://xmlns.com/foaf/0.1/',
  schema: 'https://schema.org/',
  schemaHttp: 'http://schema.org/',
  dcterms: 'http://purl.org/dc/terms/',
  dc: 'http://purl.org/dc/elements/1.1/',
  dcat: 'http://www.w3.org/ns/dcat#',
  prov: 'http://www.w3.org/ns/prov#',
  geo: 'http://www.w3.org/2003/01/geo/wgs84_pos#',
  vcard: 'http://www.w3.org/2006/vcard/ns#',
  org: 'http://www.w3.org/ns/org#',
  time: 'http://www.w3.org/2006/time#',
  oa: 'http://www.w3.org/ns/oa#',
  ies: 'http://ies.data.gov.uk/ontology/ies4#',
};

/** The predicate that gives a resource its types. */
export const RDF_TYPE: string = `${DEFAULT_PREFIXES['rdf']}type`;

import { expandIri, type PropertyPath, parsePropertyPath } from './property-path.ts';

/** Prefixes that field names and the default mapping are written with. */
const DEFAULT_PREFIXES: Readonly<Record<string, string>> = {
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

export const RDF_TYPE: string = `${DEFAULT_PREFIXES['rdf']}type`;

/**
 * Mapping of predicates to the fields of an entity's search document. Every list replaces its default; paths are
 * written as {@link parsePropertyPath} reads them.
 */
export interface EntityMappingOptions {
  /** Short forms for field names and for this configuration, beside and over the default ones. */
  readonly prefixes?: Readonly<Record<string, string>>;
  /** Paths to names, the preferred first. */
  readonly names?: readonly string[];
  /** Paths to further names that are looked for in documents. */
  readonly alternativeNames?: readonly string[];
  /** Languages of names, the preferred first; `''` is none. Default `['', 'en']`, then the others by their tag. */
  readonly languages?: readonly string[];
  /** Types whose members are states. */
  readonly stateTypes?: readonly string[];
  /** Predicates whose subjects are states. */
  readonly statePredicates?: readonly string[];
  /** Paths to the instant at which something starts. */
  readonly start?: readonly string[];
  /** Paths to the instant at which something ends. */
  readonly end?: readonly string[];
  /** Predicates from an entity to its identifiers. */
  readonly identifiers?: readonly string[];
  /** Predicates from an identifier to its text. */
  readonly identifierValues?: readonly string[];
  /** Predicates to other entities that the document names by their IRI. */
  readonly relations?: readonly string[];
}

export interface EntityMapping {
  readonly names: readonly PropertyPath[];
  readonly alternativeNames: readonly PropertyPath[];
  readonly languages: readonly string[];
  readonly stateTypes: ReadonlySet<string>;
  readonly statePredicates: ReadonlySet<string>;
  readonly start: readonly PropertyPath[];
  readonly end: readonly PropertyPath[];
  readonly identifiers: ReadonlySet<string>;
  readonly identifierValues: readonly string[];
  readonly relations: ReadonlySet<string>;
  /** `prefix:name` of an IRI, or the IRI. Depends on configuration alone. */
  shorten(iri: string): string;
}

/** The default mapping: RDFS, SKOS, FOAF, schema.org and IES. */
export const DEFAULT_ENTITY_MAPPING: Required<EntityMappingOptions> = {
  prefixes: DEFAULT_PREFIXES,
  names: [
    'skos:prefLabel',
    'rdfs:label',
    'foaf:name',
    'schema:name',
    'schemaHttp:name',
    'ies:hasName/ies:representationValue',
    'vcard:fn',
    'dcterms:title',
  ],
  alternativeNames: ['skos:altLabel', 'foaf:nick', 'schema:alternateName', 'schemaHttp:alternateName'],
  languages: ['', 'en'],
  stateTypes: ['ies:State', 'ies:BoundingState'],
  statePredicates: ['ies:isStateOf', 'ies:isStartOf', 'ies:isEndOf'],
  start: [
    'schema:startDate',
    'schemaHttp:startDate',
    'prov:startedAtTime',
    '^ies:isStartOf/ies:inPeriod/ies:iso8601PeriodRepresentation',
    '^ies:isStartOf/schema:startDate',
  ],
  end: [
    'schema:endDate',
    'schemaHttp:endDate',
    'prov:endedAtTime',
    '^ies:isEndOf/ies:inPeriod/ies:iso8601PeriodRepresentation',
    '^ies:isEndOf/schema:endDate',
  ],
  identifiers: ['ies:isIdentifiedBy', 'schema:identifier', 'schemaHttp:identifier'],
  identifierValues: ['ies:representationValue', 'schema:value', 'schemaHttp:value', 'skos:notation', 'rdf:value'],
  relations: ['ies:isStateOf', 'ies:isStartOf', 'ies:isEndOf', 'ies:owns', 'ies:isPartOf', 'ies:isParticipationOf'],
};

/** Compiles a mapping. @throws `ERR_ENTITY_MAPPING` (invalid), naming the text and what was expected. */
export function compileEntityMapping(options: EntityMappingOptions = {}): EntityMapping {
  const prefixes = { ...DEFAULT_PREFIXES, ...options.prefixes };
  const given = { ...DEFAULT_ENTITY_MAPPING, ...options };
  const paths = (texts: readonly string[]) => texts.map((text) => parsePropertyPath(text, prefixes));
  const iris = (texts: readonly string[]) => texts.map((text) => expandIri(text, prefixes));
  return {
    names: paths(given.names),
    alternativeNames: paths(given.alternativeNames),
    languages: given.languages,
    stateTypes: new Set(iris(given.stateTypes)),
    statePredicates: new Set(iris(given.statePredicates)),
    start: paths(given.start),
    end: paths(given.end),
    identifiers: new Set(iris(given.identifiers)),
    identifierValues: iris(given.identifierValues),
    relations: new Set(iris(given.relations)),
    shorten: shortener(prefixes),
  };
}

/** Every path by which a value far from an entity becomes part of its document. */
export function pathsOf(mapping: EntityMapping): PropertyPath[] {
  const forward = (predicate: string) => ({ predicate, inverse: false });
  const identifiers = [...mapping.identifiers].flatMap((link) =>
    [...mapping.identifierValues, RDF_TYPE].map((value) => [forward(link), forward(value)]),
  );
  return [...namingPaths(mapping), ...mapping.start, ...mapping.end, ...identifiers];
}

export function namingPaths({ names, alternativeNames }: EntityMapping): PropertyPath[] {
  return [...names, ...alternativeNames];
}

/** The predicates on which depends what an entity is called, and of which kind a mention of it is. */
export function namingPredicates(mapping: EntityMapping): ReadonlySet<string> {
  const steps = namingPaths(mapping).flat();
  return new Set([...steps.map(({ predicate }) => predicate), RDF_TYPE]);
}

function shortener(prefixes: Readonly<Record<string, string>>): (iri: string) => string {
  const byLength = Object.entries(prefixes).sort(([, a], [, b]) => b.length - a.length);
  const known = new Map<string, string>();
  return (iri) => {
    let short = known.get(iri);
    if (short === undefined) {
      const match = byLength.find(([, namespace]) => iri.length > namespace.length && iri.startsWith(namespace));
      short = match === undefined ? iri : `${match[0]}:${iri.slice(match[1].length)}`;
      if (known.size > 100_000) known.clear();
      known.set(iri, short);
    }
    return short;
  };
}

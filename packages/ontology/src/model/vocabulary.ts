const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const RDFS = 'http://www.w3.org/2000/01/rdf-schema#';
const OWL = 'http://www.w3.org/2002/07/owl#';
const SKOS = 'http://www.w3.org/2004/02/skos/core#';

/** The predicate that carries styles unless configured otherwise: existing ontologies have it. */
export const DEFAULT_STYLE_PREDICATE = 'http://telicent.io/ontology/style';

export const RDF_TYPE: string = `${RDF}type`;
export const SUB_CLASS_OF: string = `${RDFS}subClassOf`;
export const SUB_PROPERTY_OF: string = `${RDFS}subPropertyOf`;

/** Predicates that give a resource its human-readable name, the preferred one first. */
export const NAME_PREDICATES: readonly string[] = [`${RDFS}label`, `${SKOS}prefLabel`];

export type ResourceKind = 'class' | 'relationship property' | 'attribute property';

/** The two families of terms in which ontologies are written. */
export type Convention = 'RDFS' | 'OWL';

export interface KindTerm {
  readonly kind: ResourceKind;
  readonly convention: Convention;
  /** The short form for messages. */
  readonly short: string;
  /** For terms outside the authoring table that authors write all the same: the table's term. */
  readonly preferred?: string;
}

/** Every type that declares a class or property. */
export const KIND_TERMS: ReadonlyMap<string, KindTerm> = new Map<string, KindTerm>([
  [`${RDFS}Class`, { kind: 'class', convention: 'RDFS', short: 'rdfs:Class' }],
  [`${OWL}Class`, { kind: 'class', convention: 'OWL', short: 'owl:Class' }],
  [`${RDFS}Property`, { kind: 'relationship property', convention: 'RDFS', short: 'rdfs:Property' }],
  [
    `${RDF}Property`,
    { kind: 'relationship property', convention: 'RDFS', short: 'rdf:Property', preferred: 'rdfs:Property' },
  ],
  [`${OWL}ObjectProperty`, { kind: 'relationship property', convention: 'OWL', short: 'owl:ObjectProperty' }],
  [`${RDFS}Literal`, { kind: 'attribute property', convention: 'RDFS', short: 'rdfs:Literal' }],
  [`${OWL}DataProperty`, { kind: 'attribute property', convention: 'OWL', short: 'owl:DataProperty' }],
  [
    `${OWL}DatatypeProperty`,
    { kind: 'attribute property', convention: 'OWL', short: 'owl:DatatypeProperty', preferred: 'owl:DataProperty' },
  ],
  [
    `${OWL}AnnotationProperty`,
    { kind: 'attribute property', convention: 'OWL', short: 'owl:AnnotationProperty', preferred: 'owl:DataProperty' },
  ],
]);

/** Roots that every ontology may extend without declaring them. */
export const BUILT_IN_KINDS: ReadonlyMap<string, ResourceKind> = new Map<string, ResourceKind>([
  [`${OWL}Thing`, 'class'],
  [`${RDFS}Resource`, 'class'],
  [`${RDFS}Class`, 'class'],
  [`${RDFS}Literal`, 'class'],
  [`${SKOS}Concept`, 'class'],
  [`${OWL}topObjectProperty`, 'relationship property'],
  [`${OWL}topDataProperty`, 'attribute property'],
  [`${RDFS}label`, 'attribute property'],
  [`${RDFS}comment`, 'attribute property'],
  [`${RDFS}seeAlso`, 'relationship property'],
  [`${SKOS}prefLabel`, 'attribute property'],
  [`${SKOS}altLabel`, 'attribute property'],
]);

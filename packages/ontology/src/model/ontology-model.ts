import { badArgument, checkList, checkObject } from '@cairn/errors';
import type * as RDF from '@rdfjs/types';
import type { SourceLines } from './source-lines.ts';
import {
  type Convention,
  DEFAULT_STYLE_PREDICATE,
  KIND_TERMS,
  NAME_PREDICATES,
  RDF_TYPE,
  type ResourceKind,
  SUB_CLASS_OF,
  SUB_PROPERTY_OF,
} from './vocabulary.ts';

/** A class or property as an ontology declares it. Values are in the order of the source, each once. */
export interface Resource {
  /** Its IRI, or `_:label`. */
  readonly id: string;
  readonly isAnonymous: boolean;
  /** Its types that declare a class or property, see {@link KIND_TERMS}. */
  readonly kindTypes: readonly string[];
  /** Objects of `rdfs:subClassOf`, as ids. */
  readonly superClasses: readonly string[];
  /** Objects of `rdfs:subPropertyOf`, as ids. */
  readonly superProperties: readonly string[];
  /** Objects of the predicates that name it, the preferred predicate first. */
  readonly names: readonly RDF.Term[];
  /** Objects of the style predicate. */
  readonly styles: readonly RDF.Term[];
  /** 1-based line where it is first a subject, and where its style is, if the syntax tells. */
  readonly line: number | undefined;
  readonly styleLine: number | undefined;
}

/** The classes and properties of an ontology. */
export interface OntologyModel {
  /** By id, in the order of the source. */
  readonly resources: ReadonlyMap<string, Resource>;
  readonly stylePredicate: string;
}

/** Options of {@link createOntologyModel}. */
export interface OntologyModelOptions {
  /** Default {@link DEFAULT_STYLE_PREDICATE}. */
  readonly stylePredicate?: string | undefined;
  readonly lines?: SourceLines | undefined;
}

interface Draft {
  readonly id: string;
  readonly isAnonymous: boolean;
  readonly kindTypes: Set<string>;
  readonly superClasses: Set<string>;
  readonly superProperties: Set<string>;
  readonly names: Map<string, RDF.Term>[];
  readonly styles: Map<string, RDF.Term>;
}

/**
 * Reads the classes and properties out of quads. A resource is declared by a type of {@link KIND_TERMS}, by
 * `rdfs:subClassOf` or `rdfs:subPropertyOf`, or by a style; all other subjects are left out. Graphs do not matter.
 * Cost: O(quads).
 */
export function createOntologyModel(quads: Iterable<RDF.Quad>, options: OntologyModelOptions = {}): OntologyModel {
  checkList(quads, 'the quads');
  checkObject(options, 'the options');
  const stylePredicate = options.stylePredicate ?? DEFAULT_STYLE_PREDICATE;
  const drafts = new Map<string, Draft>();
  for (const quad of quads) {
    checkStatement(quad);
    collect(draftOf(drafts, quad.subject), quad, stylePredicate);
  }
  const resources = new Map<string, Resource>();
  for (const draft of drafts.values()) {
    if (isDeclared(draft)) resources.set(draft.id, toResource(draft, stylePredicate, options.lines));
  }
  return { resources, stylePredicate };
}

function checkStatement(quad: RDF.Quad | null | undefined): void {
  const isQuad = [quad?.subject, quad?.predicate, quad?.object].every((term) => typeof term?.termType === 'string');
  if (!isQuad) throw badArgument('a quad', 'an object with subject, predicate and object', quad);
}

function draftOf(drafts: Map<string, Draft>, subject: RDF.Term): Draft {
  const id = idOf(subject);
  let draft = drafts.get(id);
  if (draft === undefined) {
    draft = {
      id,
      isAnonymous: subject.termType !== 'NamedNode',
      kindTypes: new Set(),
      superClasses: new Set(),
      superProperties: new Set(),
      names: NAME_PREDICATES.map(() => new Map()),
      styles: new Map(),
    };
    drafts.set(id, draft);
  }
  return draft;
}

function collect(draft: Draft, { predicate, object }: RDF.Quad, stylePredicate: string): void {
  const id = idOf(object);
  if (predicate.value === RDF_TYPE && KIND_TERMS.has(id)) draft.kindTypes.add(id);
  else if (predicate.value === SUB_CLASS_OF) draft.superClasses.add(id);
  else if (predicate.value === SUB_PROPERTY_OF) draft.superProperties.add(id);
  else if (predicate.value === stylePredicate) draft.styles.set(keyOf(object), object);
  else draft.names[NAME_PREDICATES.indexOf(predicate.value)]?.set(keyOf(object), object);
}

function isDeclared(draft: Draft): boolean {
  return [draft.kindTypes, draft.superClasses, draft.superProperties, draft.styles].some(({ size }) => size > 0);
}

function toResource(draft: Draft, stylePredicate: string, lines: SourceLines | undefined): Resource {
  return {
    id: draft.id,
    isAnonymous: draft.isAnonymous,
    kindTypes: [...draft.kindTypes],
    superClasses: [...draft.superClasses],
    superProperties: [...draft.superProperties],
    names: draft.names.flatMap((names) => [...names.values()]),
    styles: [...draft.styles.values()],
    line: lines?.subject(draft.id),
    styleLine: lines?.statement(draft.id, stylePredicate),
  };
}

/** The id of a term: an IRI as it is, a blank node with `_:`. */
export function idOf(term: RDF.Term): string {
  return term.termType === 'BlankNode' ? `_:${term.value}` : term.value;
}

function keyOf(term: RDF.Term): string {
  if (term.termType !== 'Literal') return `${term.termType} ${term.value}`;
  return `${term.termType} ${term.language} ${term.datatype.value} ${term.value}`;
}

/** @throws `ERR_ARGUMENT` (invalid) for what is no model as {@link createOntologyModel} makes it */
export function checkModel(ontology: unknown): void {
  checkObject(ontology, 'the ontology');
  if (!((ontology as { readonly resources: unknown }).resources instanceof Map))
    throw badArgument('the ontology', 'a model as createOntologyModel makes it', ontology);
}

/** The direct superclasses of each resource. */
export function parentsOf({ resources }: OntologyModel): ReadonlyMap<string, readonly string[]> {
  return new Map(Array.from(resources.values(), ({ id, superClasses }) => [id, superClasses]));
}

/** The kinds that a resource is declared as, each once. */
export function kindsOf(resource: Resource): readonly ResourceKind[] {
  return [...new Set(resource.kindTypes.flatMap((type) => KIND_TERMS.get(type)?.kind ?? []))];
}

/** The conventions that the types of a resource follow, each once. */
export function conventionsOf(resource: Resource): readonly Convention[] {
  return [...new Set(resource.kindTypes.flatMap((type) => KIND_TERMS.get(type)?.convention ?? []))];
}

/** The human-readable name: the first non-empty literal without a language or in English, else the first of any. */
export function nameOf(resource: Resource): string | undefined {
  const literals = resource.names.filter((term): term is RDF.Literal => isName(term));
  return (literals.find(({ language }) => language === '' || /^en\b/i.test(language)) ?? literals[0])?.value.trim();
}

/** Returns true if a term can name a resource: a literal that is not blank. */
export function isName(term: RDF.Term): boolean {
  return term.termType === 'Literal' && term.value.trim() !== '';
}

import { type Expansion, expandIri, type IriScope, isIriLike } from './iri-expansion.ts';
import { isObject, itemsOf, type JsonObject, type JsonValue, writeCanonicalJson } from './json.ts';
import { isKeyword, isLikeKeyword } from './keywords.ts';
import type { LocalContext, TermDefinition } from './term.ts';

const ENTRIES_OF_CONTEXTS: ReadonlySet<string> = new Set([
  '@base',
  '@direction',
  '@import',
  '@language',
  '@propagate',
  '@protected',
  '@version',
  '@vocab',
]);

/** Defines the terms of a local context among those that it inherits. @throws for a term that is not well made */
export function defineTerms(
  local: JsonObject,
  scope: IriScope & { readonly terms: Map<string, TermDefinition> },
): void {
  const isProtected = local.get('@protected') ?? false;
  if (typeof isProtected !== 'boolean') throw new Error('invalid @protected value');
  const builder = new TermBuilder(local, scope, isProtected);
  for (const term of local.keys()) if (!ENTRIES_OF_CONTEXTS.has(term)) builder.define(term);
}

/** @throws where a protected term means something else than before */
export function checkSameWhereProtected(
  before: ReadonlyMap<string, TermDefinition>,
  after: Map<string, TermDefinition>,
  overridesProtected: boolean,
): void {
  if (overridesProtected) return;
  for (const [term, old] of before) {
    const now = after.get(term);
    if (!old.isProtected || now === old) continue;
    if (now === undefined || keyOf(now) !== keyOf(old)) throw new Error('protected term redefinition');
    after.set(term, old);
  }
}

/** The meaning of a definition, but for its protection. */
function keyOf({ context, container, isProtected: _, ...rest }: TermDefinition): string {
  return JSON.stringify([
    Object.entries(rest),
    [...container].sort(),
    context === undefined ? '' : writeCanonicalJson(context),
  ]);
}

const ENTRIES_OF_TERMS: ReadonlySet<string> = new Set([
  '@id',
  '@reverse',
  '@container',
  '@context',
  '@direction',
  '@index',
  '@language',
  '@nest',
  '@prefix',
  '@protected',
  '@type',
]);

const VOCAB: Expansion = { vocab: true };

class TermBuilder implements LocalContext {
  readonly #local: JsonObject;
  readonly #scope: IriScope & { readonly terms: Map<string, TermDefinition> };
  readonly #isProtected: boolean;
  /** False for terms that are being defined. */
  readonly #defined = new Map<string, boolean>();

  constructor(
    local: JsonObject,
    scope: IriScope & { readonly terms: Map<string, TermDefinition> },
    isProtected: boolean,
  ) {
    this.#local = local;
    this.#scope = scope;
    this.#isProtected = isProtected;
  }

  define(term: string): void {
    const value = this.#local.get(term);
    if (value === undefined || ENTRIES_OF_CONTEXTS.has(term)) return;
    const state = this.#defined.get(term);
    if (state === true) return;
    if (state === false) throw new Error('cyclic IRI mapping');
    if (term === '') throw new Error('invalid term definition: a term without a name');
    checkName(term, value);
    if (isLikeKeyword(term)) return;
    this.#defined.set(term, false);
    this.#scope.terms.delete(term);
    const definition = this.#build(term, value);
    if (definition !== undefined) this.#scope.terms.set(term, definition);
    this.#defined.set(term, true);
  }

  #expand(text: string): string | undefined {
    return expandIri(text, VOCAB, this.#scope, this);
  }

  #build(term: string, value: JsonValue): TermDefinition | undefined {
    if (value !== null && typeof value !== 'string' && !isObject(value)) throw new Error('invalid term definition');
    const entries: JsonObject = isObject(value) ? value : new Map<string, JsonValue>([['@id', value]]);
    for (const name of entries.keys()) {
      if (!ENTRIES_OF_TERMS.has(name)) throw new Error('invalid term definition: an entry that no term has');
    }
    const isProtected = entries.get('@protected') ?? this.#isProtected;
    if (typeof isProtected !== 'boolean') throw new Error('invalid @protected value');
    const type = this.#readType(entries.get('@type'));
    if (entries.has('@reverse')) return this.#buildReverse(entries, type, isProtected);
    const id = entries.get('@id');
    if (typeof id === 'string' && id !== term && isLikeKeyword(id)) return undefined;
    const iri = this.#readId(term, id);
    const container = readContainer(entries.get('@container'), type);
    return {
      iri,
      isPrefix: readPrefix(term, iri, entries.get('@prefix'), !isObject(value)),
      isProtected,
      isReverse: false,
      type: type ?? (container.has('@type') ? '@id' : undefined),
      language: type === undefined ? readLanguage(entries.get('@language')) : undefined,
      direction: readDirection(entries.get('@direction')),
      container,
      context: readContext(entries.get('@context')),
      nest: readNest(entries.get('@nest')),
      index: readIndex(entries.get('@index'), container),
    };
  }

  #buildReverse(entries: JsonObject, type: string | undefined, isProtected: boolean): TermDefinition | undefined {
    if (entries.has('@id') || entries.has('@nest')) throw new Error('invalid reverse property');
    const reverse = entries.get('@reverse');
    if (typeof reverse !== 'string') throw new Error('invalid IRI mapping');
    if (isLikeKeyword(reverse)) return undefined;
    const iri = this.#expand(reverse);
    if (iri === undefined || !isIriLike(iri)) throw new Error('invalid IRI mapping');
    const container = readContainer(entries.get('@container') ?? undefined, type);
    const isPlain = [...container].every((one) => one === '@set' || one === '@index') && container.size < 2;
    if (!isPlain) throw new Error('invalid reverse property');
    return {
      iri,
      isPrefix: false,
      isProtected,
      isReverse: true,
      type,
      language: type === undefined ? readLanguage(entries.get('@language')) : undefined,
      direction: readDirection(entries.get('@direction')),
      container,
      context: readContext(entries.get('@context')),
      nest: undefined,
      index: readIndex(entries.get('@index'), container),
    };
  }

  #readType(value: JsonValue | undefined): string | undefined {
    if (value === undefined) return undefined;
    if (typeof value !== 'string') throw new Error('invalid type mapping');
    const type = this.#expand(value);
    const isKnown = type === '@id' || type === '@vocab' || type === '@json' || type === '@none';
    if (type !== undefined && (isKnown || (isIriLike(type) && !type.startsWith('_:')))) return type;
    throw new Error('invalid type mapping');
  }

  #readId(term: string, id: JsonValue | undefined): string | undefined {
    if (id === null) return undefined;
    if (id !== undefined && typeof id !== 'string') throw new Error('invalid IRI mapping');
    const iri = id === undefined || id === term ? this.#readTerm(term) : this.#readOther(term, id);
    if (iri === '@context') throw new Error('invalid keyword alias');
    if (iri === undefined || !(isKeyword(iri) || isIriLike(iri))) throw new Error('invalid IRI mapping');
    return iri;
  }

  #readOther(term: string, id: string): string | undefined {
    const iri = this.#expand(id);
    if (!term.includes('/') && !term.slice(1, -1).includes(':')) return iri;
    this.#defined.set(term, true);
    if (this.#expand(term) !== iri) throw new Error('invalid IRI mapping: a term that stands for another IRI');
    return iri;
  }

  /** A term that says its IRI itself. */
  #readTerm(term: string): string | undefined {
    const colon = term.indexOf(':', 1);
    if (colon > 0) {
      const prefix = term.slice(0, colon);
      this.define(prefix);
      const definition = this.#scope.terms.get(prefix);
      return definition?.iri === undefined ? term : definition.iri + term.slice(colon + 1);
    }
    if (term === '@type') return term;
    const { vocab } = this.#scope;
    return vocab === undefined ? undefined : vocab + term;
  }
}

function checkName(term: string, value: JsonValue): void {
  if (!isKeyword(term)) return;
  const isType = term === '@type' && isObject(value) && value.size > 0;
  const isKnown =
    isType && [...value].every(([name, of]) => name === '@protected' || (name === '@container' && of === '@set'));
  if (!isKnown) throw new Error('keyword redefinition');
}

const CONTAINERS: ReadonlySet<string> = new Set(['@graph', '@id', '@index', '@language', '@list', '@set', '@type']);

function readContainer(value: JsonValue | undefined, type: string | undefined): ReadonlySet<string> {
  if (value === undefined) return NO_CONTAINER;
  const names = new Set<string>();
  for (const one of itemsOf(value)) {
    if (typeof one !== 'string' || !CONTAINERS.has(one)) throw new Error('invalid container mapping');
    names.add(one);
  }
  const others = [...names].filter((name) => name !== '@set');
  const isGraphMap = others.length === 2 && names.has('@graph') && (names.has('@id') || names.has('@index'));
  const isWithList = names.has('@list') && names.size > 1;
  if (names.size === 0 || isWithList || (others.length > 1 && !isGraphMap))
    throw new Error('invalid container mapping');
  const isTypeOfNames = type === undefined || type === '@id' || type === '@vocab';
  if (names.has('@type') && !isTypeOfNames) throw new Error('invalid type mapping');
  return names;
}

const NO_CONTAINER: ReadonlySet<string> = new Set();

/** Characters after which an IRI can go on. */
const DELIMITER = /[:/?#[\]@]$/;

function readPrefix(term: string, iri: string | undefined, value: JsonValue | undefined, isSimple: boolean): boolean {
  const isName = !/[:/]/.test(term);
  if (value === undefined)
    return isSimple && isName && iri !== undefined && (DELIMITER.test(iri) || iri.startsWith('_:'));
  if (!isName) throw new Error('invalid term definition');
  if (typeof value !== 'boolean') throw new Error('invalid @prefix value');
  if (value && isKeyword(iri)) throw new Error('invalid term definition');
  return value;
}

function readLanguage(value: JsonValue | undefined): string | null | undefined {
  if (value === undefined || value === null || typeof value === 'string') return value;
  throw new Error('invalid language mapping');
}

function readDirection(value: JsonValue | undefined): JsonValue | undefined {
  if (value === undefined || value === null || value === 'ltr' || value === 'rtl') return value;
  throw new Error('invalid base direction');
}

function readContext(value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') throw new Error('invalid scoped context');
  return value;
}

function readNest(value: JsonValue | undefined): JsonValue | undefined {
  if (value === undefined) return value;
  if (typeof value === 'string' && (value === '@nest' || !isKeyword(value))) return value;
  throw new Error('invalid @nest value');
}

function readIndex(value: JsonValue | undefined, container: ReadonlySet<string>): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string' && container.has('@index') && !isKeyword(value)) return value;
  throw new Error('invalid term definition: an index that is no property');
}

import { CodedError } from '@cairn/errors';
import { resolveIri } from '../iri.ts';
import type { ContextBudget } from './context-budget.ts';
import { type Expansion, expandIri } from './iri-expansion.ts';
import { isObject, itemsOf, type JsonObject, type JsonValue, toJsonValue } from './json.ts';
import { isKeyword } from './keywords.ts';
import type { TermDefinition } from './term.ts';
import { checkSameWhereProtected, defineTerms } from './term-definition.ts';

/** A name of a document by its context. */
export interface Name {
  /** A keyword, an IRI or `_:` with a label; `undefined` for a name that says nothing. */
  readonly iri: string | undefined;
  readonly isKeyword: boolean;
  readonly definition: TermDefinition | undefined;
}

/** Input of each context of one document. */
export interface ContextSource {
  readonly budget: ContextBudget;
  /** Base of the document. */
  readonly baseIri: string | undefined;
  /** Contexts by IRI that a document may refer to. */
  readonly known: ReadonlyMap<string, object>;
}

/** The state that a context gives to those below it. */
interface ContextState {
  /** `null`: relative IRIs stay relative; `undefined`: nobody gave one. */
  base: string | null | undefined;
  vocab: string | undefined;
  language: string | undefined;
  terms: Map<string, TermDefinition>;
  /** The context that holds again in the nodes below. */
  previous: Context | undefined;
}

/** How a context is taken over. */
interface ContextUse {
  /** False where it ends at the nodes below. */
  readonly isPropagated: boolean;
  /** Protected terms may be defined anew. */
  readonly overridesProtected: boolean;
}

const LOCAL: ContextUse = { isPropagated: true, overridesProtected: false };
const OF_PROPERTY: ContextUse = { isPropagated: true, overridesProtected: true };
const OF_TYPE: ContextUse = { isPropagated: false, overridesProtected: false };

const MAX_REFERENCES = 16;

/** An active context (JSON-LD 1.1 API, 4.1). It never changes; names that were looked up are remembered. */
export class Context {
  readonly base: string | null | undefined;
  readonly vocab: string | undefined;
  readonly language: string | undefined;
  readonly terms: ReadonlyMap<string, TermDefinition>;
  readonly previous: Context | undefined;
  /** True when a term brings a context of its own. */
  readonly hasScopes: boolean;
  readonly #source: ContextSource;
  readonly #names = new Map<string, Name>();
  readonly #referred = new Map<JsonValue, Context>();
  readonly #ofProperties = new Map<JsonValue, Context>();
  readonly #ofTypes = new Map<JsonValue, Context>();

  constructor(source: ContextSource, state: ContextState) {
    this.#source = source;
    this.base = state.base;
    this.vocab = state.vocab;
    this.language = state.language;
    this.terms = state.terms;
    this.previous = state.previous;
    this.hasScopes = [...state.terms.values()].some(({ context }) => context !== undefined);
  }

  /** The name by its text. Cost: O(1) for one that was looked up before. */
  name(text: string): Name {
    let name = this.#names.get(text);
    if (name === undefined) {
      name = this.#expandName(text);
      if (this.#names.size < MAX_NAMES) this.#names.set(text, name);
    }
    return name;
  }

  #expandName(text: string): Name {
    const iri = this.expand(text, { vocab: true });
    const definition = this.terms.get(text);
    if (iri === undefined) return { iri, isKeyword: false, definition };
    if (isKeyword(iri)) return { iri, isKeyword: true, definition };
    return { iri: isWhole(iri) ? iri : undefined, isKeyword: false, definition };
  }

  /** The IRI or keyword that a text stands for; a relative one where nothing resolves it; `undefined` for none. */
  expand(text: string, how: Expansion): string | undefined {
    return expandIri(text, how, this);
  }

  /** The context below a local one. @throws for a local one that is not well made, `ERR_RDF_REMOTE_CONTEXT` */
  withLocal(local: JsonValue): Context {
    if (typeof local === 'string') return this.#remembered(this.#referred, local, LOCAL);
    return this.#derive(local, LOCAL);
  }

  /** The context below a property whose term brings one. @throws as {@link withLocal} */
  withProperty(local: JsonValue): Context {
    return this.#remembered(this.#ofProperties, local, OF_PROPERTY);
  }

  /** The context of a node of a type whose term brings one. @throws as {@link withLocal} */
  withType(local: JsonValue): Context {
    return this.#remembered(this.#ofTypes, local, OF_TYPE);
  }

  #remembered(contexts: Map<JsonValue, Context>, local: JsonValue, use: ContextUse): Context {
    const known = contexts.get(local);
    if (known !== undefined) return known;
    const context = this.#derive(local, use);
    contexts.set(local, context);
    return context;
  }

  #derive(local: JsonValue, { isPropagated: isUsually, overridesProtected }: ContextUse): Context {
    this.#source.budget.spend(local, this.terms.size);
    const isPropagated = (isObject(local) ? local.get('@propagate') : undefined) ?? isUsually;
    if (typeof isPropagated !== 'boolean') throw new Error('invalid @propagate value');
    let context: Context = isPropagated || this.previous !== undefined ? this : this.#changed({ previous: this });
    for (const one of itemsOf(local)) context = context.#deriveOne(one, { isPropagated, overridesProtected }, 0);
    return context;
  }

  #changed(change: Partial<ContextState>): Context {
    const { base, vocab, language, terms, previous } = this;
    const state: ContextState = { base, vocab, language, terms: terms as Map<string, TermDefinition>, previous };
    return new Context(this.#source, { ...state, ...change });
  }

  #deriveOne(local: JsonValue, use: ContextUse, references: number): Context {
    if (local === null) return this.#clear(use);
    if (typeof local === 'string') return this.#refer(local, use, references);
    if (!isObject(local)) throw new Error('invalid local context');
    return this.#define(this.#import(local), use, references);
  }

  #clear({ isPropagated, overridesProtected }: ContextUse): Context {
    const isProtected = !overridesProtected && [...this.terms.values()].some((term) => term.isProtected);
    if (isProtected) throw new Error('invalid context nullification: a term is protected');
    return createContext(this.#source, isPropagated ? undefined : this.previous);
  }

  #refer(reference: string, use: ContextUse, references: number): Context {
    if (references >= MAX_REFERENCES) throw new Error('context overflow: contexts refer to one another');
    const context = this.#load(reference);
    let derived: Context = this;
    for (const one of itemsOf(context)) derived = derived.#deriveOne(one, use, references + 1);
    return derived;
  }

  #load(reference: string): JsonValue {
    const { known, baseIri } = this.#source;
    const iri = resolveIri(reference, this.base ?? baseIri);
    const document = known.get(reference) ?? (iri === undefined ? undefined : known.get(iri));
    if (document === undefined) throw notFetched(reference);
    return toJsonValue(Reflect.get(document, '@context') ?? {});
  }

  /** A context with what it imports below its own entries. */
  #import(local: JsonObject): JsonObject {
    const reference = local.get('@import');
    if (reference === undefined) return local;
    if (typeof reference !== 'string') throw new Error('invalid @import value');
    const imported = this.#load(reference);
    if (!isObject(imported) || imported.has('@import')) throw new Error('invalid remote context');
    const both = new Map([...imported, ...local]);
    both.delete('@import');
    return both;
  }

  #define(local: JsonObject, { overridesProtected }: ContextUse, references: number): Context {
    checkVersion(local);
    const base = references > 0 ? this.base : this.#readBase(local.get('@base'));
    const vocab = this.#changed({ base }).#readVocab(local.get('@vocab'));
    const language = readLanguage(local.get('@language'), this.language);
    const state = { base, vocab, language, terms: new Map(this.terms), previous: this.previous };
    defineTerms(local, state);
    checkSameWhereProtected(this.terms, state.terms, overridesProtected);
    const defined = new Context(this.#source, state);
    for (const term of local.keys()) defined.#checkScope(state.terms.get(term)?.context);
    return defined;
  }

  /** A context that a term brings is well made, also where nobody uses it; one by its IRI may bring itself. */
  #checkScope(scope: JsonValue | undefined): void {
    if (isObject(scope)) this.withProperty(scope);
  }

  #readBase(value: JsonValue | undefined): string | null | undefined {
    if (value === undefined) return this.base;
    if (value === null) return null;
    if (typeof value !== 'string') throw new Error('invalid base IRI');
    const base = resolveIri(value, this.base ?? undefined);
    if (base === undefined) throw new Error('invalid base IRI');
    return base;
  }

  #readVocab(value: JsonValue | undefined): string | undefined {
    if (value === undefined) return this.vocab;
    if (value === null) return undefined;
    if (typeof value !== 'string') throw new Error('invalid vocab mapping');
    return this.expand(value, { vocab: true, base: true });
  }
}

/** A name that was put behind a vocabulary may give it a second fragment: what is no IRI says nothing. */
function isWhole(iri: string): boolean {
  return iri.includes(':') && iri.indexOf('#') === iri.lastIndexOf('#');
}

/** Names that one context remembers. */
const MAX_NAMES = 10_000;

/** The context of a document before its own. */
export function createContext(source: ContextSource, previous?: Context): Context {
  return new Context(source, {
    base: source.baseIri,
    vocab: undefined,
    language: undefined,
    terms: new Map(),
    previous,
  });
}

function checkVersion(local: JsonObject): void {
  const version = local.get('@version');
  if (version !== undefined && version !== 1.1) throw new Error('invalid @version value');
  const direction = local.get('@direction');
  if (direction === undefined || direction === null || direction === 'ltr' || direction === 'rtl') return;
  throw new Error('invalid base direction');
}

function readLanguage(value: JsonValue | undefined, inherited: string | undefined): string | undefined {
  if (value === undefined) return inherited;
  if (value === null) return undefined;
  if (typeof value !== 'string') throw new Error('invalid default language');
  return value;
}

function notFetched(reference: string): CodedError {
  const message = `JSON-LD contexts are not fetched; got a reference to ${JSON.stringify(reference.slice(0, 200))}`;
  return new CodedError({ code: 'ERR_RDF_REMOTE_CONTEXT', kind: 'unsupported', message });
}

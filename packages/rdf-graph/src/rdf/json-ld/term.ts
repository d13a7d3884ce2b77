import type { JsonValue } from './json.ts';

/** A term of a context (JSON-LD 1.1 API, 4.2). */
export interface TermDefinition {
  /** A keyword, an IRI or a blank node with `_:`; `undefined` for a term that says nothing. */
  readonly iri: string | undefined;
  readonly isPrefix: boolean;
  readonly isProtected: boolean;
  readonly isReverse: boolean;
  /** An IRI, `@id`, `@vocab`, `@json` or `@none`. */
  readonly type: string | undefined;
  /** `null`: strings without a language. `undefined`: that of the context. */
  readonly language: string | null | undefined;
  readonly direction: JsonValue | undefined;
  readonly container: ReadonlySet<string>;
  /** The context of what is below the term. */
  readonly context: JsonValue | undefined;
  readonly nest: JsonValue | undefined;
  /** The property by which an index map is indexed. */
  readonly index: string | undefined;
}

/** Terms that are being defined: a term that is needed by another one is defined before it. */
export interface LocalContext {
  /** Defines a term, unless the context has none of that name or it is defined. */
  define(term: string): void;
}

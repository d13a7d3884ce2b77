import { resolveIri } from '../iri.ts';
import { isKeyword, isLikeKeyword } from './keywords.ts';
import type { LocalContext, TermDefinition } from './term.ts';

/** The way in which a text becomes an IRI: by terms and vocabulary, by the base, or by both. */
export interface Expansion {
  readonly vocab?: boolean;
  readonly base?: boolean;
}

const SCHEME = /^[a-zA-Z][a-zA-Z0-9+.-]*:/;

/** Returns true for a text with a scheme, and for a label of a blank node. */
export function isIriLike(text: string): boolean {
  return SCHEME.test(text) || text.startsWith('_:');
}

/** The parts of a context by which a text is expanded. */
export interface IriScope {
  readonly base: string | null | undefined;
  readonly vocab: string | undefined;
  readonly terms: ReadonlyMap<string, TermDefinition>;
}

/**
 * IRI expansion (JSON-LD 1.1 API, 5.2).
 * @param local terms that are being defined, and are where they are needed
 */
export function expandIri(text: string, how: Expansion, scope: IriScope, local?: LocalContext): string | undefined {
  if (text.charCodeAt(0) === 64) {
    if (isKeyword(text)) return text;
    if (isLikeKeyword(text)) return undefined;
  }
  local?.define(text);
  const definition = scope.terms.get(text);
  if (definition !== undefined && (how.vocab || isKeyword(definition.iri))) return definition.iri;
  const absolute = expandPrefix(text, scope, local);
  if (absolute !== undefined) return absolute;
  if (how.vocab && scope.vocab !== undefined) return scope.vocab + text;
  if (how.base && typeof scope.base === 'string') return resolveIri(text, scope.base) ?? text;
  return text;
}

/** The IRI of a text with a colon; `undefined` for one that is relative. */
function expandPrefix(text: string, scope: IriScope, local: LocalContext | undefined): string | undefined {
  const colon = text.indexOf(':', 1);
  if (colon < 0) return undefined;
  const prefix = text.slice(0, colon);
  if (prefix === '_' || text.startsWith('//', colon + 1)) return text;
  local?.define(prefix);
  const definition = scope.terms.get(prefix);
  if (definition?.isPrefix && definition.iri !== undefined) return definition.iri + text.slice(colon + 1);
  return SCHEME.test(text) ? text : undefined;
}

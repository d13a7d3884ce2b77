/** Scheme, authority, path, query and fragment (RFC 3986, appendix B). */
const PARTS = /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;

const FORBIDDEN = /[\x00-\x20<>"{}|^`\\]/;

/** Returns true if a character may be in an IRI, as far as its syntax forbids some everywhere. */
export function isAllowedInIri(character: string): boolean {
  return !FORBIDDEN.test(character);
}

const ABSOLUTE = /^[a-zA-Z][a-zA-Z0-9+.-]*:[^\x00-\x20<>"{}|^`\\]*$/;

/** Returns true if a text has a scheme and none of the characters that an IRI may not have. */
export function isAbsoluteIri(text: string): boolean {
  return ABSOLUTE.test(text);
}

/**
 * The absolute IRI of a reference (RFC 3986, 5.2); an absolute one stays as it is. `undefined` when the reference holds
 * a character that no IRI may have, or is relative without an absolute base.
 */
export function resolveIri(reference: string, base: string | undefined): string | undefined {
  if (FORBIDDEN.test(reference)) return undefined;
  if (isAbsoluteIri(reference)) return reference;
  if (base === undefined || !isAbsoluteIri(base)) return undefined;
  const [, scheme, baseAuthority, basePath = '', baseQuery] = PARTS.exec(base) ?? [];
  const [, , authority, path = '', query, fragment] = PARTS.exec(reference) ?? [];
  const tail = fragment === undefined ? '' : `#${fragment}`;
  if (authority !== undefined) return join(scheme, authority, removeDotSegments(path), query) + tail;
  if (path === '') return join(scheme, baseAuthority, basePath, query ?? baseQuery) + tail;
  const merged = path.startsWith('/') ? path : mergePaths(baseAuthority, basePath, path);
  return join(scheme, baseAuthority, removeDotSegments(merged), query) + tail;
}

function join(scheme: string, authority: string | undefined, path: string, query: string | undefined): string {
  const host = authority === undefined ? '' : `//${authority}`;
  return `${scheme}:${host}${path}${query === undefined ? '' : `?${query}`}`;
}

function mergePaths(authority: string | undefined, basePath: string, path: string): string {
  if (authority !== undefined && basePath === '') return `/${path}`;
  return basePath.slice(0, basePath.lastIndexOf('/') + 1) + path;
}

function removeDotSegments(path: string): string {
  if (!path.includes('.')) return path;
  const segments = path.split('/');
  const kept: string[] = [];
  segments.forEach((segment, index) => {
    const isDot = segment === '.' || segment === '..';
    if (segment === '..' && kept.length > 1) kept.pop();
    if (!isDot) kept.push(segment);
    else if (index === segments.length - 1) kept.push('');
  });
  return kept.join('/');
}

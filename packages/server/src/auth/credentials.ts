import { tokenMissing, tokenUnusable } from './errors.ts';

const MAX_TOKEN_LENGTH = 16_384;
const COMPACT_JWT = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*$/;

/** A header that may carry a token, and the scheme before it; empty for none. */
export interface CredentialHeader {
  readonly name: string;
  readonly prefix: string;
}

/** Pairs header names with their prefixes; a name without one takes none. */
export function toCredentialHeaders(names: readonly string[], prefixes: readonly string[]): CredentialHeader[] {
  return names.map((name, i) => ({ name: name.toLowerCase(), prefix: prefixes[i] ?? '' }));
}

/**
 * The token of a request: of the first header that holds one.
 * @throws `ERR_TOKEN_MISSING` (unauthenticated), also for credentials of another scheme; `ERR_TOKEN_UNUSABLE` (invalid)
 *   when what is there is no token.
 */
export function findToken(headers: readonly CredentialHeader[], header: (name: string) => string | undefined): string {
  let reason: string | undefined;
  for (const { name, prefix } of headers) {
    const value = header(name);
    if (value === undefined) continue;
    const token = withoutPrefix(value.trim(), prefix);
    if (token === undefined) continue;
    if (token === '') reason ??= `the header ${name} is blank`;
    else if (token.length > MAX_TOKEN_LENGTH) reason ??= `it is longer than ${MAX_TOKEN_LENGTH} characters`;
    else if (!COMPACT_JWT.test(token)) reason ??= 'it is not a signed JWT in compact form';
    else return token;
  }
  throw reason === undefined ? tokenMissing(headers) : tokenUnusable(reason);
}

function withoutPrefix(value: string, prefix: string): string | undefined {
  if (prefix === '') return value;
  if (value.toLowerCase() === prefix.toLowerCase()) return '';
  return value.toLowerCase().startsWith(`${prefix.toLowerCase()} `) ? value.slice(prefix.length + 1).trim() : undefined;
}

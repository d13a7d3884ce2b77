import type { JWTPayload } from 'jose';
import { tokenInvalid } from './errors.ts';
import type { Identity } from './user.ts';
import type { UserInfo } from './userinfo.ts';

/** The user name of a token: the first of these claims that is a text, then `sub`. @throws `ERR_TOKEN_INVALID`. */
export function userNameOf(claims: JWTPayload, nameClaims: readonly string[]): string {
  for (const claim of [...nameClaims, 'sub']) {
    const value = Object.hasOwn(claims, claim) ? claims[claim] : undefined;
    if (typeof value === 'string' && value.trim() !== '') return value;
  }
  throw tokenInvalid('it names no user');
}

export function identityOfClaims(name: string, claims: JWTPayload, rolesClaim: string): Identity {
  return {
    name,
    attributes: toObject(claims['attributes']) ?? {},
    permissions: toTexts(claims['permissions']),
    roles: toTexts(claims[rolesClaim]) ?? [],
  };
}

/** Returns the identity from a userinfo service, which overrides the base in whatever it states. */
export function identityOfUserInfo(base: Identity, info: UserInfo): Identity {
  return {
    name: base.name,
    attributes: toObject(info['attributes']) ?? {},
    permissions: toTexts(info['permissions']) ?? base.permissions,
    roles: toTexts(info['roles']) ?? base.roles,
  };
}

function toObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Readonly<Record<string, unknown>>) : undefined;
}

function toTexts(value: unknown): readonly string[] | undefined {
  if (typeof value === 'string') return value.split(/[\s,]+/).filter((part) => part !== '');
  return Array.isArray(value) ? value.filter((part): part is string => typeof part === 'string') : undefined;
}

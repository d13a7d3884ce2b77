import type { JWTPayload } from 'jose';
import type { AuthSettings, UserSettings } from '../config/configuration.ts';
import { type AttributeSource, withAttributes } from './attribute-source.ts';
import { findToken, toCredentialHeaders } from './credentials.ts';
import { tokenInvalid } from './errors.ts';
import { identityOfClaims, identityOfUserInfo, userNameOf } from './identity.ts';
import { createKeyResolver, keySetReader, type ReadKeySet } from './key-set.ts';
import type { SigningKey } from './keys.ts';
import type { Authenticator, Identity, User } from './user.ts';
import { createUserInfo } from './userinfo.ts';
import { createUsers, type ToUser } from './users.ts';
import { createVerifier, type Verifier } from './verifier.ts';

export interface AuthenticatorOptions {
  /** The key pair of local users; needed in mode local. */
  readonly signingKey?: SigningKey | undefined;
  readonly nowMs: () => number;
  /** Where attributes come from; by default from the token, the users file or userinfo. */
  readonly attributes?: AttributeSource | undefined;
}

export function createAuthenticator(settings: AuthSettings, options: AuthenticatorOptions): Authenticator {
  const toUser = createUsers(settings);
  if (settings.mode === 'disabled') {
    const user = toUser(anonymousOf(settings));
    return { authenticate: async () => user, fault: async () => undefined };
  }
  const isRemote = settings.mode === 'jwks';
  const keys = createKeyResolver(readKeysOf(settings, options), options.nowMs);
  const { leewaySeconds, issuer, audience } = settings;
  const expected = isRemote ? { issuer, audience } : {};
  const verify = createVerifier({ key: keys.key, leewaySeconds, nowMs: options.nowMs, ...expected });
  const identify = sourced(isRemote ? remoteIdentity(settings) : localIdentity(settings), options.attributes);
  const authenticate = bearing(settings, verify, identify, toUser, options.attributes !== undefined);
  return { authenticate, fault: () => keys.fault() };
}

type Identify = (claims: JWTPayload, token: string) => Identity | Promise<Identity>;

/** Identities with the attributes of a source, where there is one. */
function sourced(identify: Identify, source: AttributeSource | undefined): Identify {
  if (source === undefined) return identify;
  return async (claims, token) => withAttributes(await identify(claims, token), claims, source);
}

function bearing(
  settings: AuthSettings,
  verify: Verifier,
  identify: Identify,
  toUser: ToUser,
  isSourced: boolean,
): Authenticator['authenticate'] {
  const headers = toCredentialHeaders(settings.headerNames, settings.headerPrefixes);
  // Claims are the same object as long as the verifier remembers the token, so a user is made once.
  const users = new WeakMap<JWTPayload, User>();
  const isFixed = !isSourced && (settings.userinfoUrl === undefined || settings.mode === 'local');
  return async (header) => {
    const token = findToken(headers, header);
    const claims = await verify(token);
    const known = users.get(claims);
    if (known !== undefined) return known;
    const user = toUser(await identify(claims, token));
    if (isFixed) users.set(claims, user);
    return user;
  };
}

function anonymousOf({ anonymous }: AuthSettings): Identity {
  return { name: 'anonymous', ...anonymous, permissions: anonymous.permissions ?? ['api.*.*'] };
}

function readKeysOf(settings: AuthSettings, { signingKey }: AuthenticatorOptions): ReadKeySet {
  if (settings.mode === 'jwks') return keySetReader(settings.jwksUrl as string);
  if (signingKey === undefined) throw new Error('mode local needs a signing key');
  return async () => ({ keys: [signingKey.publicJwk] });
}

function userOf({ users }: AuthSettings, name: string): UserSettings | undefined {
  return Object.hasOwn(users, name) ? users[name] : undefined;
}

function localIdentity(settings: AuthSettings): Identify {
  return (claims) => {
    const name = userNameOf(claims, settings.usernameClaims);
    const user = userOf(settings, name);
    if (user === undefined) throw tokenInvalid('its user is not configured');
    return { name, ...user };
  };
}

function remoteIdentity(settings: AuthSettings): Identify {
  const { userinfoUrl } = settings;
  const fetchUserInfo = userinfoUrl === undefined ? undefined : createUserInfo(userinfoUrl, settings);
  return async (claims, token) => {
    const name = userNameOf(claims, settings.usernameClaims);
    const user = userOf(settings, name);
    const base = user === undefined ? identityOfClaims(name, claims, settings.rolesClaim) : { name, ...user };
    return fetchUserInfo === undefined ? base : identityOfUserInfo(base, await fetchUserInfo(token));
  };
}

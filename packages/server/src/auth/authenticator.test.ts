import { type CodedError, isCodedError } from '@cairn/errors';
import { exportJWK, generateKeyPair, type JWK, SignJWT, UnsecuredJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { completeConfiguration } from '../config/load.ts';
import { listen } from '../http/node-http.ts';
import { TEST_HTTP_LIMITS } from '../testing/http-limits.ts';
import { createAuthenticator } from './authenticator.ts';
import { challengeOf } from './errors.ts';
import { createKeyResolver } from './key-set.ts';
import { createSigningKey, type SigningKey } from './keys.ts';
import type { Authenticator, User } from './user.ts';

const NOW_SECONDS = 1_800_000_000;
const USERS = {
  alice: { attributes: { clearance: 'TS', nationality: ['GBR'] }, roles: [] },
  bob: { attributes: { clearance: 'O' }, permissions: ['api.knowledge.read'], roles: ['ADMIN'] },
};
const SETTINGS = completeConfiguration({
  auth: { users: USERS, hierarchies: { clearance: ['O', 'TS'] }, roles: { ADMIN: ['api.*.write'] } },
}).auth;

let nowMs = NOW_SECONDS * 1000;
let signingKey: SigningKey;
let local: Authenticator;
beforeAll(async () => {
  signingKey = await createSigningKey();
  local = createAuthenticator(SETTINGS, { signingKey, nowMs: () => nowMs });
});

function bearer(authenticator: Authenticator, token: string): Promise<User> {
  return authenticator.authenticate((name) => (name === 'authorization' ? `Bearer ${token}` : undefined));
}

async function failureOf(promise: Promise<unknown>): Promise<CodedError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isCodedError(error)) throw new Error('expected a coded error', { cause: error });
  return error;
}

describe('local users', () => {
  it('are known by a token of their own key, with attributes, permissions and those of their roles', async () => {
    const alice = await bearer(local, await signingKey.sign('alice', { nowSeconds: NOW_SECONDS, lifeSeconds: 60 }));
    expect(alice.name).toBe('alice');
    expect(alice.permissions).toBeUndefined();
    expect(alice.viewer.permits('clearance=O & nationality=GBR')).toBe(true);
    const bob = await bearer(local, await signingKey.sign('bob', { nowSeconds: NOW_SECONDS, lifeSeconds: 60 }));
    expect(bob.permissions).toEqual(['api.knowledge.read', 'api.*.write']);
    expect(bob.viewer.permits('clearance=TS')).toBe(false);
  });

  it('are refused when the configuration does not know them, prototype keys included', async () => {
    for (const name of ['mallory', '__proto__', 'constructor']) {
      const token = await signingKey.sign(name, { nowSeconds: NOW_SECONDS, lifeSeconds: 60 });
      expect(await failureOf(bearer(local, token))).toMatchObject({ code: 'ERR_TOKEN_INVALID' });
    }
  });

  it('are refused once the token expires, also when it was verified before', async () => {
    const token = await signingKey.sign('alice', { nowSeconds: NOW_SECONDS, lifeSeconds: 10 });
    await bearer(local, token);
    nowMs += 100_000;
    expect((await failureOf(bearer(local, token))).message).toBe('the token is invalid: it has expired');
    nowMs -= 100_000;
  });

  it.each([
    [undefined, 'ERR_TOKEN_MISSING', 'Bearer realm="cairn"'],
    [
      'Bearer',
      'ERR_TOKEN_UNUSABLE',
      'Bearer realm="cairn", error="invalid_request", error_description="the token is unusable: the header authorization is blank"',
    ],
    ['Basic YTpi', 'ERR_TOKEN_MISSING', 'Bearer realm="cairn"'],
    [
      'Bearer abc',
      'ERR_TOKEN_UNUSABLE',
      'Bearer realm="cairn", error="invalid_request", error_description="the token is unusable: it is not a signed JWT in compact form"',
    ],
    [
      'Bearer e30.e30.x',
      'ERR_TOKEN_INVALID',
      'Bearer realm="cairn", error="invalid_token", error_description="the token is invalid: it does not verify"',
    ],
  ])('get a challenge for %j', async (value, code, challenge) => {
    const error = await failureOf(local.authenticate((name) => (name === 'authorization' ? value : undefined)));
    expect(error.code).toBe(code);
    expect(challengeOf(error)).toBe(challenge);
  });

  it('may send the token in the second header, without a prefix', async () => {
    const token = await signingKey.sign('alice', { nowSeconds: NOW_SECONDS, lifeSeconds: 60 });
    const user = await local.authenticate((name) => (name === 'x-amzn-oidc-data' ? token : undefined));
    expect(user.name).toBe('alice');
  });
});

describe('a forged token', () => {
  async function claim(token: string): Promise<string> {
    return (await failureOf(bearer(local, token))).code;
  }

  it('without a signature is refused', async () => {
    const unsecured = new UnsecuredJWT({})
      .setSubject('alice')
      .setExpirationTime(NOW_SECONDS + 60)
      .encode();
    expect(await claim(unsecured)).toBe('ERR_TOKEN_INVALID');
  });

  it('signed with the public key as a secret is refused', async () => {
    const secret = new TextEncoder().encode(JSON.stringify(signingKey.publicJwk));
    const confused = await new SignJWT({})
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject('alice')
      .setExpirationTime(NOW_SECONDS + 60)
      .sign(secret);
    expect(await claim(confused)).toBe('ERR_TOKEN_INVALID');
  });

  it('that brings its own key is refused', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    const jwk = await exportJWK(publicKey);
    for (const header of [{ jwk }, { jku: 'http://127.0.0.1:1/keys' }, { kid: 'other' }]) {
      const token = await new SignJWT({})
        .setProtectedHeader({ alg: 'ES256', ...header })
        .setSubject('alice')
        .setExpirationTime(NOW_SECONDS + 60)
        .sign(privateKey);
      expect(await claim(token)).toBe('ERR_TOKEN_INVALID');
    }
  });
});

describe('users of a key set', () => {
  async function keyPair(
    kid: string,
  ): Promise<{ readonly jwk: JWK; sign(claims: Record<string, unknown>): Promise<string> }> {
    const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
    return {
      jwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' },
      sign: (claims) =>
        new SignJWT({ exp: NOW_SECONDS + 60, ...claims }).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey),
    };
  }

  it('are known over http, with issuer, audience, claims and userinfo', async () => {
    const key = await keyPair('one');
    const infos: string[] = [];
    const issuer = await listen(
      { host: '127.0.0.1', port: 0 },
      async (request) => {
        if (request.path === '/keys') return { status: 200, body: JSON.stringify({ keys: [key.jwk] }) };
        infos.push(request.header('authorization') ?? '');
        return {
          status: 200,
          body: JSON.stringify({
            permissions: ['api.knowledge.read'],
            attributes: { abac_attributes: ['clearance=S'] },
          }),
        };
      },
      TEST_HTTP_LIMITS,
    );
    const settings = completeConfiguration({
      auth: {
        mode: 'jwks',
        jwksUrl: `${issuer.url}/keys`,
        userinfoUrl: `${issuer.url}/userinfo`,
        issuer: 'us',
        audience: ['cairn'],
      },
    }).auth;
    const authenticator = createAuthenticator(settings, { nowMs: () => nowMs });
    const claims = { iss: 'us', aud: 'cairn', email: 'eve@example.org', roles: ['USER'] };
    const user = await bearer(authenticator, await key.sign(claims));
    expect([user.name, user.roles, user.permissions]).toEqual(['eve@example.org', ['USER'], ['api.knowledge.read']]);
    expect(user.viewer.permits('clearance=S')).toBe(true);
    await bearer(authenticator, await key.sign(claims));
    expect(infos).toHaveLength(1);
    for (const wrong of [
      { iss: 'them' },
      { aud: 'other' },
      { exp: NOW_SECONDS - 60 },
      { exp: undefined },
      { nbf: NOW_SECONDS + 600 },
      { email: undefined },
    ]) {
      expect((await failureOf(bearer(authenticator, await key.sign({ ...claims, ...wrong })))).code).toBe(
        'ERR_TOKEN_INVALID',
      );
    }
    await issuer.close(100);
  });

  it('follow rotation, and a flood of unknown keys asks the issuer once in 30 seconds', async () => {
    const [first, second] = [await keyPair('one'), await keyPair('two')];
    let [keys, reads, clock] = [[first.jwk], 0, 0];
    const { key: resolve } = createKeyResolver(
      async () => {
        reads += 1;
        return { keys };
      },
      () => clock,
    );
    const token = {} as never;
    await resolve({ alg: 'RS256', kid: 'one' }, token);
    keys = [second.jwk];
    for (let i = 0; i < 20; i++) await expect(resolve({ alg: 'RS256', kid: `x${i}` }, token)).rejects.toThrow();
    expect(reads).toBe(1);
    clock = 31_000;
    await resolve({ alg: 'RS256', kid: 'two' }, token);
    expect(reads).toBe(2);
    clock += 601_000;
    await expect(resolve({ alg: 'RS256', kid: 'one' }, token)).rejects.toThrow();
  });

  it('get nowhere while no key set was ever read, which is a fault until one is', async () => {
    const { jwk } = await keyPair('one');
    let [isThere, reads, clock] = [false, 0, 0];
    const keys = createKeyResolver(
      async () => {
        reads += 1;
        if (!isThere) throw new Error('connection refused');
        return { keys: [jwk] };
      },
      () => clock,
    );
    for (let i = 0; i < 20; i++) expect(await keys.fault()).toMatchObject({ code: 'ERR_IDENTITY_UNAVAILABLE' });
    expect(reads).toBe(1);
    isThere = true;
    clock = 5_000;
    expect([await keys.fault(), reads]).toEqual([undefined, 2]);
    isThere = false;
    clock = 700_000;
    await keys.key({ alg: 'RS256', kid: 'one' }, {} as never);
    // The keys that it has go on working.
    expect([await keys.fault(), reads]).toEqual([undefined, 3]);
  });

  it('get 503 while the key set cannot be read', async () => {
    const settings = completeConfiguration({ auth: { mode: 'jwks', jwksUrl: 'file:///nonexistent/keys.json' } }).auth;
    const token = await (await keyPair('one')).sign({ sub: 'eve' });
    const error = await failureOf(bearer(createAuthenticator(settings, { nowMs: () => nowMs }), token));
    expect([error.code, error.kind]).toEqual(['ERR_IDENTITY_UNAVAILABLE', 'unavailable']);
  });
});

describe('disabled authentication', () => {
  it('makes everybody the anonymous user', async () => {
    const settings = completeConfiguration({
      auth: { mode: 'disabled', anonymous: { attributes: { clearance: 'O' } } },
    }).auth;
    const user = await createAuthenticator(settings, { nowMs: () => nowMs }).authenticate(() => undefined);
    expect([user.name, user.permissions, user.viewer.permits('clearance=O')]).toEqual(['anonymous', ['api.*.*'], true]);
  });
});

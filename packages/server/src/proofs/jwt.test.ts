import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ConfigurationInput } from '../config/configuration.ts';
import { startTestServer, TEST_CONFIGURATION, type TestServer } from '../testing/server.ts';
import { createIssuerKey, type IssuerKey, type KeyServer, startKeyServer } from './testing/issuer.ts';
import { temporaryDirectory } from './testing/temporary-directory.ts';

const START = Date.UTC(2030, 0, 1);
const LEEWAY_SECONDS = 30;
const FLOOD = 300;

type Claims = Readonly<Record<string, unknown>>;

/** A server whose users come from a key set; `alice` of the configuration is among them. */
function withKeys(jwksUrl: string): ConfigurationInput {
  const auth = {
    ...TEST_CONFIGURATION.auth,
    mode: 'jwks' as const,
    jwksUrl,
    issuer: 'https://issuer.example.org',
    audience: ['cairn'],
    leewaySeconds: LEEWAY_SECONDS,
  };
  return { ...TEST_CONFIGURATION, auth };
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

function goodClaims(): Claims {
  const exp = nowSeconds() + 300;
  return { sub: 'alice', iss: 'https://issuer.example.org', aud: 'cairn', exp };
}

function without(name: string): Claims {
  return Object.fromEntries(Object.entries(goodClaims()).filter(([claim]) => claim !== name));
}

async function statusFor(server: TestServer, token: string): Promise<number> {
  const headers = { Authorization: `Bearer ${token}` };
  const response = await fetch(`${server.url}/api/search/indices`, { headers });
  await response.text();
  const challenge = response.headers.get('www-authenticate');
  // A refusal always says how to do better; a success never asks.
  expect([response.status, challenge !== null]).toEqual([response.status, response.status === 401]);
  if (response.status === 401) expect(challenge).toContain('error="invalid_token"');
  return response.status;
}

let issuer: KeyServer;
let key: IssuerKey;
let stranger: IssuerKey;
let server: TestServer;
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: START });
  key = await createIssuerKey('first');
  stranger = await createIssuerKey('first');
  issuer = await startKeyServer([key.jwk]);
  server = await startTestServer(withKeys(issuer.url));
});
afterEach(() => vi.setSystemTime(START));
afterAll(async () => {
  vi.useRealTimers();
  await server.server.close();
  await issuer.close();
});

const REFUSED: readonly (readonly [string, () => Promise<string>])[] = [
  ['HS256 with the public key in PEM as the secret', () => confused(key.pem)],
  ['HS256 with the public key in PEM without its last line end', () => confused(key.pem.trimEnd())],
  ['HS256 with the JWK as the secret', () => confused(JSON.stringify(key.jwk))],
  ['HS256 with the modulus as the secret', () => confused(key.jwk.n as string)],
  ['HS256 with an empty kid', () => confused(key.pem, { kid: '' })],
  ['no signature (alg none)', async () => new UnsecuredJWT(goodClaims()).encode()],
  [
    'alg none under a real signature',
    async () => withHeader(await key.sign(goodClaims()), { alg: 'none', kid: 'first' }),
  ],
  [
    'alg nOnE under a real signature',
    async () => withHeader(await key.sign(goodClaims()), { alg: 'nOnE', kid: 'first' }),
  ],
  [
    'another algorithm of the same key type',
    async () => withHeader(await key.sign(goodClaims()), { alg: 'PS256', kid: 'first' }),
  ],
  ['a changed payload', async () => withPayload(await key.sign(goodClaims()), { ...goodClaims(), sub: 'dieter' })],
  ['a cut signature', async () => (await key.sign(goodClaims())).slice(0, -4)],
  ['the key of a stranger under a known kid', () => stranger.sign(goodClaims())],
  ['a jwk header that brings its own key', () => stranger.sign(goodClaims(), { jwk: stranger.jwk })],
  ['a jku header', () => stranger.sign(goodClaims(), { jku: issuer.url.replace('/keys', '/evil') })],
  ['an x5u header', () => stranger.sign(goodClaims(), { x5u: issuer.url.replace('/keys', '/evil') })],
  [
    'a critical header that nobody understands',
    async () => withHeader(await key.sign(goodClaims()), { alg: 'RS256', kid: 'first', crit: ['exp'] }),
  ],
  ['an expiry past the leeway', () => key.sign({ ...goodClaims(), exp: nowSeconds() - LEEWAY_SECONDS - 1 })],
  ['no expiry', () => key.sign(without('exp'))],
  ['an expiry that is no number', () => key.sign({ ...goodClaims(), exp: '9999999999' })],
  ['a time before it is valid', () => key.sign({ ...goodClaims(), nbf: nowSeconds() + LEEWAY_SECONDS + 5 })],
  ['another issuer', () => key.sign({ ...goodClaims(), iss: 'https://evil.example.org' })],
  ['an issuer with a slash more', () => key.sign({ ...goodClaims(), iss: 'https://issuer.example.org/' })],
  ['no issuer', () => key.sign(without('iss'))],
  ['another audience', () => key.sign({ ...goodClaims(), aud: 'other' })],
  ['no audience', () => key.sign(without('aud'))],
  ['no user name', () => key.sign(without('sub'))],
];

function confused(secret: string, header: { readonly kid?: string } = { kid: 'first' }): Promise<string> {
  return new SignJWT({ ...goodClaims() })
    .setProtectedHeader({ alg: 'HS256', ...header })
    .sign(new TextEncoder().encode(secret));
}

function withHeader(token: string, header: Claims): string {
  return [toPart(header), ...token.split('.').slice(1)].join('.');
}

function withPayload(token: string, claims: Claims): string {
  const [header, , signature] = token.split('.');
  return [header, toPart(claims), signature].join('.');
}

function toPart(value: Claims): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

describe('a server with a key set by http', () => {
  it('takes a good token, within the leeway too, and one for several audiences', async () => {
    expect(await statusFor(server, await key.sign(goodClaims()))).toBe(200);
    expect(await statusFor(server, await key.sign({ ...goodClaims(), aud: ['other', 'cairn'] }))).toBe(200);
    const late = nowSeconds() - LEEWAY_SECONDS + 5;
    expect(await statusFor(server, await key.sign({ ...goodClaims(), exp: late }))).toBe(200);
    expect(await statusFor(server, await key.sign({ ...goodClaims(), nbf: nowSeconds() + 20 }))).toBe(200);
  });

  it.each(REFUSED)('answers 401 for %s', async (_, token) => {
    expect(await statusFor(server, await token())).toBe(401);
  });

  it('refuses a token that it took before, once it has expired', async () => {
    const token = await key.sign({ ...goodClaims(), exp: nowSeconds() + 10 });
    expect(await statusFor(server, token)).toBe(200);
    vi.setSystemTime(START + (11 + LEEWAY_SECONDS) * 1000);
    expect(await statusFor(server, token)).toBe(401);
  });

  it('has never fetched what a token points to', () => {
    expect(issuer.fetches).toBeGreaterThan(0);
    expect(issuer.fetches).toBeLessThan(5);
  });
});

describe('a flood of unknown key ids', () => {
  it(`of ${FLOOD} tokens reads the key set once more in 30 seconds, and good tokens still pass`, async () => {
    const flooded = await startKeyServer([key.jwk]);
    const target = await startTestServer(withKeys(flooded.url));
    const good = await key.sign(goodClaims());
    expect(await statusFor(target, good)).toBe(200);
    expect(flooded.fetches).toBe(1);
    const flood = async (from: number): Promise<void> => {
      const tokens = Array.from({ length: FLOOD }, (_, i) => stranger.sign(goodClaims(), { kid: `k${from + i}` }));
      const statuses = await Promise.all((await Promise.all(tokens)).map((token) => statusFor(target, token)));
      expect(new Set(statuses)).toEqual(new Set([401]));
    };
    await flood(0);
    expect(flooded.fetches).toBe(1);
    vi.setSystemTime(START + 30_001);
    await flood(FLOOD);
    expect(flooded.fetches).toBe(2);
    vi.setSystemTime(START + 45_000);
    await flood(2 * FLOOD);
    expect(flooded.fetches).toBe(2);
    expect(await statusFor(target, good)).toBe(200);
    await target.server.close();
    await flooded.close();
  });
});

describe('rotation of keys', () => {
  it('takes the new key after at most 30 seconds, and the removed one for at most ten minutes', async () => {
    const rotating = await startKeyServer([key.jwk]);
    const target = await startTestServer(withKeys(rotating.url));
    const next = await createIssuerKey('second');
    const [old, fresh] = await Promise.all(
      [key, next].map((one) => one.sign({ ...goodClaims(), exp: nowSeconds() + 3600 })),
    );
    expect([await statusFor(target, old as string), await statusFor(target, fresh as string)]).toEqual([200, 401]);
    rotating.keys = [key.jwk, next.jwk];
    vi.setSystemTime(START + 31_000);
    expect([await statusFor(target, old as string), await statusFor(target, fresh as string)]).toEqual([200, 200]);
    rotating.keys = [next.jwk];
    vi.setSystemTime(START + 31_000 + 661_000);
    expect([await statusFor(target, fresh as string), await statusFor(target, old as string)]).toEqual([200, 401]);
    await target.server.close();
    await rotating.close();
  });

  it('is followed in a file as well', async () => {
    const file = path.join(temporaryDirectory(), 'keys.json');
    writeFileSync(file, JSON.stringify({ keys: [key.jwk] }));
    const target = await startTestServer(withKeys(pathToFileURL(file).href));
    const next = await createIssuerKey('second');
    expect(await statusFor(target, await key.sign(goodClaims()))).toBe(200);
    expect(await statusFor(target, await confused(key.pem))).toBe(401);
    writeFileSync(file, JSON.stringify({ keys: [next.jwk] }));
    vi.setSystemTime(START + 31_000);
    expect(await statusFor(target, await next.sign(goodClaims()))).toBe(200);
    expect(await statusFor(target, await key.sign({ ...goodClaims(), jti: 'not seen before' }))).toBe(401);
    await target.server.close();
  });

  it('survives an issuer that is away: known keys go on, and a server that never saw a key says 503', async () => {
    const leaving = await startKeyServer([key.jwk]);
    const target = await startTestServer(withKeys(leaving.url));
    expect(await statusFor(target, await key.sign(goodClaims()))).toBe(200);
    await leaving.close();
    const late = await startTestServer(withKeys(leaving.url));
    vi.setSystemTime(START + 31_000);
    expect(await statusFor(target, await stranger.sign(goodClaims(), { kid: 'unknown' }))).toBe(401);
    expect(await statusFor(target, await key.sign({ ...goodClaims(), jti: '2' }))).toBe(200);
    expect(await statusFor(late, await key.sign(goodClaims()))).toBe(503);
    await Promise.all([target.server.close(), late.server.close()]);
  });
});

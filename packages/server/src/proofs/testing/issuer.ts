import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, exportSPKI, generateKeyPair, type JWK, type JWTHeaderParameters, SignJWT } from 'jose';

export interface IssuerKey {
  readonly jwk: JWK;
  readonly pem: string;
  /** A token with these claims; the header names this key unless told otherwise. */
  sign(claims: Readonly<Record<string, unknown>>, header?: Partial<JWTHeaderParameters>): Promise<string>;
}

export async function createIssuerKey(kid: string): Promise<IssuerKey> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' };
  return {
    jwk,
    pem: await exportSPKI(publicKey),
    sign: (claims, header = {}) =>
      new SignJWT({ ...claims }).setProtectedHeader({ alg: 'RS256', kid, ...header }).sign(privateKey),
  };
}

/** Serves a key set over http on loopback, and counts how often it is asked. */
export interface KeyServer {
  readonly url: string;
  keys: readonly JWK[];
  fetches: number;
  close(): Promise<void>;
}

export async function startKeyServer(keys: readonly JWK[]): Promise<KeyServer> {
  const server = createServer((_, response) => {
    issuer.fetches += 1;
    response.end(JSON.stringify({ keys: issuer.keys }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`,
    keys,
    fetches: 0,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return issuer;
}

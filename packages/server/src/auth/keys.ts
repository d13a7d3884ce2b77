import { linkSync, readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CodedError } from '@cairn/errors';
import { nodeFileSystem } from '@cairn/storage-fs/experimental';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK, jwtVerify, SignJWT } from 'jose';

const ALGORITHM = 'ES256';
/** Where the key pair is, relative to the data directory or a backup of it. */
export const SIGNING_KEY_FILE = 'keys/signing-key.json';

/** The key pair of local users. */
export interface SigningKey {
  /** Without the private part: what verifies. */
  readonly publicJwk: JWK;
  readonly isNew: boolean;
  sign(name: string, times: { readonly nowSeconds: number; readonly lifeSeconds: number }): Promise<string>;
}

/** A key pair that lives as long as the process. */
export async function createSigningKey(): Promise<SigningKey> {
  return toSigningKey(await newJwk());
}

/**
 * The key pair of a data directory, made there at first use, readable by its owner only.
 * @throws `ERR_SIGNING_KEY` (corrupt) when the file is not one of ours.
 */
export async function openSigningKey(directory: string): Promise<SigningKey> {
  const file = path.join(directory, SIGNING_KEY_FILE);
  return (await readSigningKey(directory)) ?? checkedKey(await makeJwk(file), file, true);
}

/**
 * The key pair that is in a data directory; `undefined` when there is none.
 * @throws `ERR_SIGNING_KEY` (corrupt) when the file is not one of ours.
 */
export async function readSigningKey(directory: string): Promise<SigningKey | undefined> {
  const file = path.join(directory, SIGNING_KEY_FILE);
  const jwk = readJwk(file);
  return jwk && checkedKey(jwk, file, false);
}

async function checkedKey(jwk: JWK, file: string, isNew: boolean): Promise<SigningKey> {
  if (!(await isWhole(jwk))) throw unusable(file, 'holds a key whose parts do not belong together');
  return toSigningKey(jwk, isNew);
}

/** Returns true if it says what it is for, is named after its public part, and signs what that part verifies. */
async function isWhole(jwk: JWK): Promise<boolean> {
  try {
    if (jwk.alg !== ALGORITHM || jwk.use !== 'sig' || jwk.kid !== (await calculateJwkThumbprint(jwk))) return false;
    const { sign, publicJwk } = await toSigningKey(jwk);
    const token = await sign('whole', { nowSeconds: 0, lifeSeconds: 1 });
    await jwtVerify(token, await importJWK(publicJwk, ALGORITHM), { currentDate: new Date(0) });
    return true;
  } catch {
    return false;
  }
}

function unusable(file: string, problem: string): CodedError {
  const wayOut = 'restore it from a backup, or remove it to have another made: tokens issued before are refused then';
  return new CodedError({ code: 'ERR_SIGNING_KEY', kind: 'corrupt', message: `${file} ${problem}; ${wayOut}` });
}

async function newJwk(): Promise<JWK> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const jwk = await exportJWK(privateKey);
  return { ...jwk, alg: ALGORITHM, use: 'sig', kid: await calculateJwkThumbprint(jwk) };
}

async function makeJwk(file: string): Promise<JWK> {
  await nodeFileSystem.makeDirectory(path.dirname(file));
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, JSON.stringify({ magic: 'cairn-key', version: 1, key: await newJwk() }), {
    mode: 0o600,
    flush: true,
  });
  try {
    // A link fails when another process was first: its key wins.
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
  return readJwk(file) as JWK;
}

function readJwk(file: string): JWK | undefined {
  let text: string;
  try {
    // Reading a pipe would hold the process for ever.
    if (!statSync(file).isFile()) throw unusable(file, 'is no file');
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const stored = parseStored(text);
  if (stored?.magic === 'cairn-key' && stored.version === 1 && stored.key?.d !== undefined) return stored.key;
  const version =
    stored?.magic === 'cairn-key' ? `has the format version ${stored.version}; this release reads 1` : 'is no key file';
  throw unusable(file, version);
}

function parseStored(text: string): { magic?: string; version?: number; key?: JWK } | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function toSigningKey(jwk: JWK, isNew = true): Promise<SigningKey> {
  const { d: _, ...publicJwk } = jwk;
  const key = await importJWK(jwk, ALGORITHM);
  return {
    publicJwk,
    isNew,
    sign: (name, { nowSeconds, lifeSeconds }) =>
      new SignJWT({ preferred_name: name })
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', ...(jwk.kid === undefined ? {} : { kid: jwk.kid }) })
        .setSubject(name)
        .setIssuedAt(nowSeconds)
        .setExpirationTime(nowSeconds + lifeSeconds)
        .sign(key),
  };
}

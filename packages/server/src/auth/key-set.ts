import { readFile } from 'node:fs/promises';
import type { CodedError } from '@cairn/errors';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { request } from 'undici';
import { identityUnavailable } from './errors.ts';

export type ReadKeySet = () => Promise<JSONWebKeySet>;

const MAX_KEY_SET_BYTES = 1_048_576;
const FETCH_TIMEOUT_MS = 5_000;
/** An unknown key id asks again at most this often, so that a flood of them cannot flood the issuer. */
const MIN_REFETCH_MS = 30_000;
/** While there is no key at all it asks more often: the issuer may have started after this service. */
const MIN_RETRY_MS = 5_000;
/** A key set is read anew when older than this, so that a removed key stops working. */
const MAX_AGE_MS = 600_000;

/** A reader of the key set at an http, https or file URL. */
export function keySetReader(url: string): ReadKeySet {
  if (url.startsWith('file:')) return async () => JSON.parse(await readFile(new URL(url), 'utf8')) as JSONWebKeySet;
  return async () => {
    const answer = await request(url, {
      headers: { accept: 'application/json' },
      headersTimeout: FETCH_TIMEOUT_MS,
      bodyTimeout: FETCH_TIMEOUT_MS,
      signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
    });
    if (answer.statusCode !== 200) {
      await answer.body.dump();
      throw new Error(`status ${answer.statusCode}`);
    }
    const text = await answer.body.text();
    if (text.length > MAX_KEY_SET_BYTES) throw new Error(`more than ${MAX_KEY_SET_BYTES} bytes`);
    return JSON.parse(text) as JSONWebKeySet;
  };
}

export interface KeyResolver {
  /** The key of a token's header. @throws `ERR_IDENTITY_UNAVAILABLE` (unavailable) while no key set was ever read */
  readonly key: JWTVerifyGetKey;
  /** The error of reading the key set when none was ever read; tries again when the last try is some seconds old. */
  fault(): Promise<CodedError | undefined>;
}

/** A resolver over a key set that is cached and follows rotation. */
export function createKeyResolver(read: ReadKeySet, nowMs: () => number): KeyResolver {
  let resolve: ReturnType<typeof createLocalJWKSet> | undefined;
  let triedMs = -Infinity;
  let readMs = -Infinity;
  let pending: Promise<void> | undefined;
  let lastFault: CodedError | undefined;

  const refresh = async (): Promise<void> => {
    triedMs = nowMs();
    try {
      resolve = createLocalJWKSet(await read());
      readMs = nowMs();
    } catch (cause) {
      lastFault = identityUnavailable('key set', cause);
      if (resolve === undefined) throw lastFault;
    } finally {
      pending = undefined;
    }
  };
  const refreshOnce = (): Promise<void> => (pending ??= refresh());
  const mayRefetch = (): boolean => nowMs() - triedMs >= MIN_REFETCH_MS;
  const mayRetry = (): boolean => pending !== undefined || nowMs() - triedMs >= MIN_RETRY_MS;

  const key: JWTVerifyGetKey = async (header, token) => {
    if (resolve === undefined) {
      if (!mayRetry()) throw lastFault ?? identityUnavailable('key set');
      await refreshOnce();
    } else if (nowMs() - readMs > MAX_AGE_MS && mayRefetch()) await refreshOnce();
    try {
      return await (resolve as NonNullable<typeof resolve>)(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || !mayRefetch()) throw error;
      await refreshOnce();
      return (resolve as NonNullable<typeof resolve>)(header, token);
    }
  };
  return {
    key,
    async fault() {
      if (resolve === undefined && mayRetry()) await refreshOnce().catch(() => undefined);
      return resolve === undefined ? lastFault : undefined;
    },
  };
}

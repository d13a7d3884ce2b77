import { LRUCache } from 'lru-cache';
import { request } from 'undici';
import type { AuthSettings } from '../config/configuration.ts';
import { identityUnavailable, tokenInvalid } from './errors.ts';

export type UserInfo = Readonly<Record<string, unknown>>;

export type FetchUserInfo = (token: string) => Promise<UserInfo>;

const MAX_USERINFO_BYTES = 1_048_576;
const FETCH_TIMEOUT_MS = 5_000;

/**
 * A cached client of a userinfo service. Concurrent requests with one token share one call.
 * The function throws `ERR_TOKEN_INVALID` (unauthenticated) when the service refuses the token, and
 * `ERR_IDENTITY_UNAVAILABLE` (unavailable) when it does not answer; neither is cached.
 */
export function createUserInfo(url: string, settings: AuthSettings): FetchUserInfo {
  const { userinfoCacheSize: max, userinfoCacheSeconds: cacheSeconds } = settings;
  const cache = new LRUCache<string, Promise<UserInfo>>({ max, ttl: Math.max(1, cacheSeconds * 1000) });
  return (token) => {
    const cached = cacheSeconds > 0 ? cache.get(token) : undefined;
    if (cached !== undefined) return cached;
    const fetched = fetchUserInfo(url, token);
    cache.set(token, fetched);
    fetched.catch(() => cache.delete(token));
    return fetched;
  };
}

async function fetchUserInfo(url: string, token: string): Promise<UserInfo> {
  const { status, text } = await get(url, token);
  if (status === 401 || status === 403) throw tokenInvalid('the userinfo service refuses it');
  if (status !== 200) throw identityUnavailable('userinfo', new Error(`status ${status}`));
  try {
    const info: unknown = JSON.parse(text);
    if (typeof info === 'object' && info !== null && !Array.isArray(info)) return info as UserInfo;
  } catch {
    // Falls through: an answer that is no JSON object is no answer.
  }
  throw identityUnavailable('userinfo', new Error('no JSON object'));
}

async function get(url: string, token: string): Promise<{ readonly status: number; readonly text: string }> {
  try {
    const answer = await request(url, {
      headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
      signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
    });
    const text = await answer.body.text();
    if (text.length > MAX_USERINFO_BYTES) throw new Error(`more than ${MAX_USERINFO_BYTES} bytes`);
    return { status: answer.statusCode, text };
  } catch (cause) {
    throw identityUnavailable('userinfo', cause);
  }
}

import { isCodedError } from '@cairn/errors';
import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import type { AuthSettings } from '../config/configuration.ts';
import { tokenInvalid } from './errors.ts';

/** Signature algorithms that are taken: asymmetric ones only. */
const ALGORITHMS = ['ES256', 'ES384', 'ES512', 'RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'EdDSA'];
const CACHED_TOKENS = 2_000;
/** A verified token is taken without verifying again for this long, and never past its expiry. */
const CACHED_MS = 60_000;

export interface VerifierOptions extends Pick<AuthSettings, 'issuer' | 'audience' | 'leewaySeconds'> {
  readonly key: JWTVerifyGetKey;
  readonly nowMs: () => number;
}

export type Verifier = (token: string) => Promise<JWTPayload>;

/** A verifier. @throws `ERR_TOKEN_INVALID` (unauthenticated), `ERR_IDENTITY_UNAVAILABLE` (unavailable). */
export function createVerifier(options: VerifierOptions): Verifier {
  const verified = new LRUCache<string, { readonly claims: JWTPayload; readonly untilMs: number }>({
    max: CACHED_TOKENS,
  });
  return async (token) => {
    const known = verified.get(token);
    if (known !== undefined && options.nowMs() < known.untilMs) return known.claims;
    const claims = await verify(token, options);
    const expiryMs = ((claims.exp as number) + options.leewaySeconds) * 1000;
    verified.set(token, { claims, untilMs: Math.min(expiryMs, options.nowMs() + CACHED_MS) });
    return claims;
  };
}

async function verify(token: string, options: VerifierOptions): Promise<JWTPayload> {
  try {
    return await verifyWith(token, options.key, options);
  } catch (error) {
    if (isCodedError(error)) throw error;
    if (error instanceof errors.JWKSMultipleMatchingKeys) return tryEach(token, error, options);
    throw tokenInvalid(reasonOf(error), error);
  }
}

/** A token without a key id may fit several keys: the one that verifies is the one. */
async function tryEach(
  token: string,
  candidates: errors.JWKSMultipleMatchingKeys,
  options: VerifierOptions,
): Promise<JWTPayload> {
  for await (const key of candidates) {
    try {
      return await verifyWith(token, () => key, options);
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw tokenInvalid(reasonOf(error), error);
    }
  }
  throw tokenInvalid('its signature does not verify');
}

async function verifyWith(token: string, key: JWTVerifyGetKey, options: VerifierOptions): Promise<JWTPayload> {
  const { payload } = await jwtVerify(token, key, {
    algorithms: ALGORITHMS,
    clockTolerance: options.leewaySeconds,
    currentDate: new Date(options.nowMs()),
    requiredClaims: ['exp'],
    ...(options.issuer === undefined ? {} : { issuer: options.issuer }),
    ...(options.audience === undefined ? {} : { audience: [...options.audience] }),
  });
  return payload;
}

const REASON_BY_CODE: Readonly<Record<string, string>> = {
  ERR_JWT_EXPIRED: 'it has expired',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'its signature does not verify',
  ERR_JWKS_NO_MATCHING_KEY: 'its key is unknown',
  ERR_JOSE_ALG_NOT_ALLOWED: 'its algorithm is not taken',
};

function reasonOf(error: unknown): string {
  if (error instanceof errors.JWTClaimValidationFailed) {
    return error.claim === 'nbf' ? 'it is not yet valid' : `its claim ${error.claim} is missing or wrong`;
  }
  const code = error instanceof errors.JOSEError ? error.code : '';
  return REASON_BY_CODE[code] ?? 'it does not verify';
}

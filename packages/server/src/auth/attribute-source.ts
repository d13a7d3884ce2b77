import { isCodedError } from '@cairn/errors';
import type { JWTPayload } from 'jose';
import { identityUnavailable, tokenInvalid } from './errors.ts';
import type { Identity } from './user.ts';

/**
 * Says what attributes a user has: a directory, a database, a policy service.
 *
 * It is asked at every request of a verified user, so it SHOULD remember its answers for as long as they may be old.
 */
export interface AttributeSource {
  /**
   * The attributes as JSON, as in a users file; `undefined` when the user is not known, who is then refused.
   * What it throws is answered with 503.
   */
  attributesOf(userName: string, claims: JWTPayload): Promise<Readonly<Record<string, unknown>> | undefined>;
}

/** An identity with the attributes of a source. @throws `ERR_TOKEN_INVALID`, `ERR_IDENTITY_UNAVAILABLE` */
export async function withAttributes(
  identity: Identity,
  claims: JWTPayload,
  source: AttributeSource,
): Promise<Identity> {
  let attributes: Identity['attributes'] | undefined;
  try {
    attributes = await source.attributesOf(identity.name, claims);
  } catch (error) {
    throw isCodedError(error) ? error : identityUnavailable('attributes of the user', error);
  }
  if (attributes === undefined) throw tokenInvalid('its user is not known');
  return { ...identity, attributes };
}

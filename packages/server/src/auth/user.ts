import type { CodedError } from '@cairn/errors';
import type { Viewer } from '@cairn/security';
import type { UserSettings } from '../config/configuration.ts';

export interface User {
  readonly name: string;
  readonly viewer: Viewer;
  /** `undefined` when nobody stated any: the user is then restricted by labels only, unless configuration says otherwise. */
  readonly permissions: readonly string[] | undefined;
  readonly roles: readonly string[];
}

/** A user as a token, a users file or a userinfo service states it. */
export interface Identity extends UserSettings {
  readonly name: string;
}

export interface Authenticator {
  /**
   * @throws `ERR_TOKEN_MISSING` or `ERR_TOKEN_INVALID` (unauthenticated), `ERR_TOKEN_UNUSABLE` (invalid),
   *   `ERR_IDENTITY_UNAVAILABLE` (unavailable) when a key set or userinfo service does not answer.
   */
  authenticate(header: (name: string) => string | undefined): Promise<User>;
  /** Why nobody can be let in at present, `ERR_IDENTITY_UNAVAILABLE`; `undefined` when nothing is known against it. */
  fault(): Promise<CodedError | undefined>;
}

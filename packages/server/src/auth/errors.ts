import { CodedError } from '@cairn/errors';

/** No credential was sent, or one of another scheme. */
export function tokenMissing(headers: readonly { readonly name: string; readonly prefix: string }[]): CodedError {
  const places = headers.map(({ name, prefix }) => (prefix === '' ? name : `${name} after ${prefix}`));
  const message = `a token is required in the header ${places.join(' or ')}`;
  return new CodedError({ code: 'ERR_TOKEN_MISSING', kind: 'unauthenticated', message });
}

/** A credential was sent that is no token at all. */
export function tokenUnusable(reason: string): CodedError {
  return new CodedError({ code: 'ERR_TOKEN_UNUSABLE', kind: 'invalid', message: `the token is unusable: ${reason}` });
}

/** A token was sent that proves nothing. */
export function tokenInvalid(reason: string, cause?: unknown): CodedError {
  const message = `the token is invalid: ${reason}`;
  return new CodedError({ code: 'ERR_TOKEN_INVALID', kind: 'unauthenticated', message, cause });
}

export function identityUnavailable(what: string, cause?: unknown): CodedError {
  const message = `the ${what} could not be read`;
  return new CodedError({ code: 'ERR_IDENTITY_UNAVAILABLE', kind: 'unavailable', message, cause });
}

const CHALLENGE_BY_CODE: Readonly<Record<string, string>> = {
  ERR_TOKEN_UNUSABLE: 'invalid_request',
  ERR_TOKEN_INVALID: 'invalid_token',
};

/** The WWW-Authenticate header that goes with an error of authentication; `undefined` for any other error. */
export function challengeOf(error: CodedError): string | undefined {
  if (error.code === 'ERR_TOKEN_MISSING') return 'Bearer realm="cairn"';
  const challenge = CHALLENGE_BY_CODE[error.code];
  if (challenge === undefined) return undefined;
  const description = error.message.replace(/[^\x20-\x7e]|["\\]/g, ' ');
  return `Bearer realm="cairn", error="${challenge}", error_description="${description}"`;
}

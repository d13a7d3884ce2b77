import { CodedError } from '@cairn/errors';

/** Error of damage that is not a torn tail. */
export function logCorrupt(file: string, offset: number, reason: string): CodedError {
  return new CodedError({
    code: 'ERR_LOG_CORRUPT',
    kind: 'corrupt',
    message: `${file} is damaged at offset ${offset}: ${reason}`,
  });
}

export function writeRefused(what: string, cause: unknown): CodedError {
  return new CodedError({
    code: 'ERR_LOG_WRITE',
    kind: 'unavailable',
    message: `could not write ${what}: ${reasonOf(cause)}`,
    cause,
  });
}

export function mendingRefused(topic: string, cause: unknown): CodedError {
  return writeRefused(`the topic ${topic}, whose end is damaged and cannot be set aside`, cause);
}

/** Error of every append after an fsync failed: what the medium holds is unknown from then on. */
export function syncFailed(what: string, cause: unknown): CodedError {
  return new CodedError({
    code: 'ERR_LOG_WRITE',
    kind: 'unavailable',
    message: `fsync of ${what} failed (${reasonOf(cause)}): the log takes no more writes until it is reopened, and whether it kept this one shows then`,
    retryable: false,
    cause,
  });
}

export function logTruncated(topic: string, position: string, first: string): CodedError {
  return new CodedError({
    code: 'ERR_LOG_TRUNCATED',
    kind: 'not-found',
    message: `topic ${topic} has no events before position ${first}: retention removed those ${position}`,
  });
}

export function readRefused(file: string, cause: unknown): CodedError {
  return new CodedError({
    code: 'ERR_LOG_READ',
    kind: 'unavailable',
    message: `could not read ${file}: ${reasonOf(cause)}`,
    cause,
  });
}

export function openRefused(directory: string, cause: unknown): CodedError {
  return new CodedError({
    code: 'ERR_LOG_OPEN',
    kind: 'unavailable',
    message: `could not open the log in ${directory}: ${reasonOf(cause)}`,
    cause,
  });
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

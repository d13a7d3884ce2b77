import { CodedError, type ErrorCode } from '@cairn/errors';
import { reasonOf } from '../files/file-system.ts';

/** Error of damage that is not a torn tail. */
export function logCorrupt(file: string, offset: number, reason: string): CodedError {
  const message = `${file} is damaged at offset ${offset}: ${reason}`;
  return new CodedError({ code: 'ERR_LOG_CORRUPT', kind: 'corrupt', message });
}

export function writeRefused(what: string, cause: unknown): CodedError {
  return refused('ERR_LOG_WRITE', `write ${what}`, cause);
}

export function readRefused(file: string, cause: unknown): CodedError {
  return refused('ERR_LOG_READ', `read ${file}`, cause);
}

export function openRefused(directory: string, cause: unknown): CodedError {
  return refused('ERR_LOG_OPEN', `open the log in ${directory}`, cause);
}

function refused(code: ErrorCode, what: string, cause: unknown): CodedError {
  return new CodedError({ code, kind: 'unavailable', message: `could not ${what}: ${reasonOf(cause)}`, cause });
}

/** Error of every append after an fsync failed: what the medium holds is unknown from then on. */
export function syncFailed(what: string, cause: unknown): CodedError {
  const message = `fsync of ${what} failed (${reasonOf(cause)}): the log takes no more writes until it is reopened, and whether it kept this one shows then`;
  return new CodedError({ code: 'ERR_LOG_WRITE', kind: 'unavailable', message, retryable: false, cause });
}

export function logTruncated(topic: string, position: string, first: string): CodedError {
  const message = `topic ${topic} has no events before position ${first}: retention removed those ${position}`;
  return new CodedError({ code: 'ERR_LOG_TRUNCATED', kind: 'not-found', message });
}

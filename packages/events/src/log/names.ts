import { CodedError } from '@cairn/errors';

/**
 * Checks a topic name: 1 to 100 characters of `A-Z a-z 0-9 . _ -`, and not `.` or `..`.
 * @throws `ERR_TOPIC_INVALID` (invalid)
 */
export function checkTopicName(topic: string): void {
  if (typeof topic === 'string' && /^[A-Za-z0-9._-]{1,100}$/.test(topic) && topic !== '.' && topic !== '..') return;
  throw new CodedError({
    code: 'ERR_TOPIC_INVALID',
    kind: 'invalid',
    message: `a topic name must be 1 to 100 characters of A-Z a-z 0-9 . _ -; got ${quote(topic)}`,
  });
}

/**
 * Checks the name of a consumer group: 1 to 200 characters, no control characters.
 * @throws `ERR_GROUP_INVALID` (invalid)
 */
export function checkGroupName(group: string): void {
  if (typeof group === 'string' && /^[^\u0000-\u001f\u007f\p{Surrogate}]{1,200}$/u.test(group)) return;
  throw new CodedError({
    code: 'ERR_GROUP_INVALID',
    kind: 'invalid',
    message: `a group name must be 1 to 200 characters without control characters; got ${quote(group)}`,
  });
}

export function logClosed(): CodedError {
  return new CodedError({
    code: 'ERR_LOG_CLOSED',
    kind: 'unavailable',
    message: 'the log is closed',
    retryable: false,
  });
}

function quote(name: string): string {
  return JSON.stringify(String(name).slice(0, 200));
}

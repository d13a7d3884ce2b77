import { CodedError } from '@cairn/errors';
import type { z } from 'zod';

const MAX_SHOWN_LENGTH = 120;
const SECRET_KEY = /token|secret|password|private/i;

/** One fault per line: the key, the value and what was expected. */
export function describeIssues(issues: readonly z.core.$ZodIssue[], input: unknown): string[] {
  return issues.flatMap((issue) => describeIssue(issue, [], input));
}

/** The error of a configuration that cannot be used, naming where it came from. */
export function configurationError(source: string, faults: readonly string[], cause?: unknown): CodedError {
  const message = faults.map((fault) => `${source}: ${fault}`).join('\n');
  return new CodedError({ code: 'ERR_CONFIGURATION', kind: 'invalid', message, cause });
}

function describeIssue(issue: z.core.$ZodIssue, above: readonly PropertyKey[], input: unknown): string[] {
  const path = [...above, ...issue.path];
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => `${toKey([...path, key])} is an unknown key`);
  if (issue.code === 'invalid_union') return describeUnion(issue, path, input);
  if (issue.code === 'invalid_key')
    return [`${toKey(path)} is not a valid name; expected ${expectedOf(issue.issues[0])}`];
  return [`${toKey(path)} is ${shownAt(input, path)}; expected ${expectedOf(issue)}`];
}

/** Of the alternatives of a union, the one that came furthest speaks. */
function describeUnion(issue: z.core.$ZodIssueInvalidUnion, path: readonly PropertyKey[], input: unknown): string[] {
  const deepest = [...issue.errors].sort((a, b) => depthOf(b) - depthOf(a))[0] ?? [];
  if (depthOf(deepest) > 0) return deepest.flatMap((inner) => describeIssue(inner, path, input));
  const expected = issue.errors.flatMap((alternative) => alternative.slice(0, 1).map(expectedOf));
  return [`${toKey(path)} is ${shownAt(input, path)}; expected ${[...new Set(expected)].join(' or ')}`];
}

function depthOf(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(0, ...issues.map((issue) => issue.path.length + (issue.code === 'unrecognized_keys' ? 1 : 0)));
}

function expectedOf(issue: z.core.$ZodIssue | undefined): string {
  if (issue === undefined) return 'another value';
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected === 'int' ? 'a whole number' : `${article(issue.expected)} ${issue.expected}`;
    case 'invalid_value':
      return issue.values.length === 1 ? String(issue.values[0]) : `one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return `at least ${issue.minimum}${issue.origin === 'string' ? ' character' : issue.origin === 'array' ? ' entry' : ''}`;
    case 'too_big':
      return `at most ${issue.maximum}`;
    default:
      return issue.message;
  }
}

function article(noun: string): string {
  return /^[aeiou]/.test(noun) ? 'an' : 'a';
}

function toKey(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'the whole';
  return path.map((key, i) => (typeof key === 'number' ? `[${key}]` : `${i === 0 ? '' : '.'}${String(key)}`)).join('');
}

function shownAt(input: unknown, path: readonly PropertyKey[]): string {
  if (path.some((key) => SECRET_KEY.test(String(key)))) return 'not usable';
  let value = input;
  for (const key of path) value = (value as Record<PropertyKey, unknown> | null | undefined)?.[key];
  if (value === undefined) return 'missing';
  const text = JSON.stringify(value);
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}...` : text;
}

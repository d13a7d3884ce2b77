import { CodedError, ERROR_KINDS, type ErrorKind } from '@cairn/errors';
import { describe, expect, it } from 'vitest';
import { type Fault, faultOf } from './fault.ts';

const coded = (kind: ErrorKind, more: { retryable?: boolean; cause?: unknown } = {}): CodedError =>
  new CodedError({ code: 'ERR_X', kind, message: 'x', ...more });

const system = (code: string): Error =>
  Object.assign(new Error(`${code}: i/o error, read`), { code, errno: -5, syscall: 'read' });

const BY_KIND: Readonly<Record<ErrorKind, Fault>> = {
  invalid: 'content',
  unsupported: 'content',
  'too-large': 'content',
  unauthenticated: 'content',
  denied: 'content',
  'not-found': 'content',
  conflict: 'content',
  unavailable: 'surroundings',
  overloaded: 'surroundings',
  exhausted: 'content',
  timeout: 'time',
  cancelled: 'surroundings',
  corrupt: 'surroundings',
  internal: 'content',
};

describe('the fault of an error', () => {
  it.each(ERROR_KINDS)('follows its kind: %s', (kind) => {
    expect(faultOf(coded(kind))).toBe(BY_KIND[kind]);
  });

  const others: readonly (readonly [string, unknown, Fault])[] = [
    ['a read that the system refused', system('EIO'), 'surroundings'],
    ['no file left to open', system('EMFILE'), 'surroundings'],
    [
      'a connection that was refused',
      Object.assign(new Error('x'), { code: 'ECONNREFUSED', errno: -111 }),
      'surroundings',
    ],
    ['an error of a stranger that the system is behind', new Error('x', { cause: system('EIO') }), 'surroundings'],
    ['a defect that the system is behind', coded('internal', { cause: system('EIO') }), 'surroundings'],
    ['a medium that takes no more writes', coded('unavailable', { retryable: false }), 'surroundings'],
    ['what says itself that it may go later', coded('invalid', { retryable: true }), 'surroundings'],
    ['a cancellation by a signal', new DOMException('x', 'AbortError'), 'surroundings'],
    ['a judgement, whatever the system said on the way', coded('invalid', { cause: system('EIO') }), 'content'],
    ['a defect that the content has met', new TypeError('x is not a function'), 'content'],
    [
      'a defect by way of a judgement',
      new Error('x', { cause: coded('invalid', { cause: system('EIO') }) }),
      'content',
    ],
    ['data that zlib refuses', Object.assign(new Error('x'), { code: 'Z_DATA_ERROR', errno: -3 }), 'content'],
    ['an argument that Node refuses', Object.assign(new TypeError('x'), { code: 'ERR_INVALID_ARG_TYPE' }), 'content'],
    ['a code of its own', Object.assign(new Error('x'), { code: 'EPARSE' }), 'content'],
    ['what is no error', 'x', 'content'],
    ['nothing', undefined, 'content'],
  ];
  it.each(others)('of %s', (_name, error, fault) => {
    expect(faultOf(error)).toBe(fault);
  });

  it('is found in causes that go round in a ring', () => {
    const ring = new Error('x');
    ring.cause = ring;
    expect(faultOf(ring)).toBe('content');
  });
});

import { describe, expect, it } from 'vitest';
import { CodedError, ERROR_KINDS, isCodedError, throwIfAborted, toSourcePosition } from './index.ts';

describe('CodedError', () => {
  it('carries code, kind, message and cause', () => {
    const cause = new Error('disk');
    const error = new CodedError({ code: 'ERR_LOG_WRITE', kind: 'unavailable', message: 'log not writable', cause });
    expect(error).toMatchObject({ code: 'ERR_LOG_WRITE', kind: 'unavailable', message: 'log not writable', cause });
    expect(error).toBeInstanceOf(Error);
  });

  it('may be retried by default only where waiting helps', () => {
    const retryable = ERROR_KINDS.filter((kind) => new CodedError({ code: 'ERR_X', kind, message: kind }).retryable);
    expect(retryable).toEqual(['unavailable', 'overloaded', 'timeout']);
    expect(new CodedError({ code: 'ERR_X', kind: 'timeout', message: '', retryable: false }).retryable).toBe(false);
  });
});

describe('isCodedError', () => {
  it('recognises the error of another copy of the package', async () => {
    const copyUrl = `./index.ts?copy=${Date.now()}`;
    const copy = (await import(copyUrl)) as typeof import('./index.ts');
    const foreign = new copy.CodedError({ code: 'ERR_X', kind: 'invalid', message: 'x' });
    expect(copy.CodedError).not.toBe(CodedError);
    expect(foreign).not.toBeInstanceOf(CodedError);
    expect(isCodedError(foreign)).toBe(true);
  });

  it('refuses what only looks alike', () => {
    for (const value of [null, undefined, 'x', new Error('x'), { code: 'ERR_X', kind: 'invalid', retryable: false }]) {
      expect(isCodedError(value)).toBe(false);
    }
  });
});

describe('toSourcePosition', () => {
  it('counts lines by every line ending and columns from one', () => {
    const text = 'ab\ncd\r\nef\rg';
    const at = (offset: number) => {
      const { line, column } = toSourcePosition(text, offset);
      return [line, column];
    };
    expect([0, 2, 3, 5, 7, 10, 99].map(at)).toEqual([
      [1, 1],
      [1, 3],
      [2, 1],
      [2, 3],
      [3, 1],
      [4, 1],
      [4, 2],
    ]);
  });
});

describe('throwIfAborted', () => {
  it('passes while nothing was aborted', () => {
    throwIfAborted(undefined);
    throwIfAborted(new AbortController().signal);
  });

  it('throws a coded reason as it is and wraps any other', () => {
    const reason = new CodedError({ code: 'ERR_TIME_LIMIT', kind: 'timeout', message: 'time limit of 10 ms reached' });
    expect(() => throwIfAborted(AbortSignal.abort(reason))).toThrow(reason);
    expect(() => throwIfAborted(AbortSignal.abort('bye'))).toThrow(
      expect.objectContaining({ code: 'ERR_CANCELLED', kind: 'cancelled' }),
    );
  });
});

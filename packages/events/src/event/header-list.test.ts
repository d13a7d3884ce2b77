import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHeaders } from './header-list.ts';

describe('createHeaders', () => {
  it('takes pairs, a record and other headers', () => {
    const pairs = createHeaders([
      ['a', '1'],
      ['b', '2'],
    ]);
    expect(createHeaders({ a: '1', b: ['2'], c: undefined, d: [] }).toArray()).toEqual(pairs.toArray());
    expect(createHeaders(pairs).toArray()).toEqual(pairs.toArray());
    expect(createHeaders().toArray()).toEqual([]);
  });

  it('finds names without case and keeps the case they were first given', () => {
    const headers = createHeaders([
      ['Exec-Path', 'one'],
      ['x', ''],
      ['EXEC-PATH', 'two'],
    ]);
    expect(headers.getAll('exec-path')).toEqual(['one', 'two']);
    expect(headers.get('X')).toBe('');
    expect([...headers].map(([name]) => name)).toEqual(['Exec-Path', 'x', 'Exec-Path']);
    expect(headers.append('exec-path', 'three').toArray()[3]).toEqual(['Exec-Path', 'three']);
  });

  it('does not know prototype keys unless they are given', () => {
    expect(createHeaders().has('__proto__')).toBe(false);
    expect(createHeaders().get('constructor')).toBeUndefined();
    expect(createHeaders([['__proto__', 'x']]).get('__PROTO__')).toBe('x');
  });

  it('replaces values in the place of the old ones, and leaves the original as it was', () => {
    const headers = createHeaders([
      ['a', '1'],
      ['B', '2'],
      ['c', '3'],
      ['b', '4'],
    ]);
    const replaced = headers.with('b', 'x', 'y');
    expect(replaced.toArray().map(([, value]) => value)).toEqual(['1', 'x', 'y', '3']);
    expect(headers.with('B').has('b')).toBe(false);
    expect(headers.with('new', 'v').toArray().at(-1)).toEqual(['new', 'v']);
    expect(headers.getAll('b')).toEqual(['2', '4']);
  });

  it('refuses names that cannot stand in a header line, and mends text that UTF-8 cannot hold', () => {
    for (const name of ['', 'a b', 'a:b', 'a\n', '\u0000', '\ud800', 'x'.repeat(257)]) {
      const refused = expect.objectContaining({ code: 'ERR_HEADER_INVALID', kind: 'invalid' });
      expect(() => createHeaders([[name, 'v']]), JSON.stringify(name)).toThrow(refused);
    }
    expect(createHeaders([['a', 'x\ud800y']]).get('a')).toBe('x\ufffdy');
  });

  it('equals a list that is searched in lower case, for few headers and for many', () => {
    const name = fc.constantFrom('a', 'A', 'b', 'B', 'Long-Name', 'long-name', 'LONG-NAME');
    fc.assert(
      fc.property(fc.array(fc.tuple(name, fc.string()), { maxLength: 40 }), (pairs) => {
        const headers = createHeaders(pairs);
        for (const wanted of ['a', 'b', 'long-name', 'none']) {
          const values = pairs
            .filter(([one]) => one.toLowerCase() === wanted)
            .map(([, value]) => Buffer.from(value).toString());
          expect(headers.getAll(wanted.toUpperCase())).toEqual(values);
          expect(headers.get(wanted)).toBe(values[0]);
          const spellings = new Set(
            headers
              .toArray()
              .map(([one]) => one)
              .filter((one) => one.toLowerCase() === wanted),
          );
          expect(spellings.size).toBe(values.length > 0 ? 1 : 0);
        }
      }),
    );
  });
});

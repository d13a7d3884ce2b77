import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TermKind } from '../port/term-kind.ts';
import { TermTable } from './term-table.ts';

const text = fc.oneof(
  { weight: 20, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  fc.integer({ min: 1, max: 90_000 }).map((length) => 'x'.repeat(length)),
);

describe('the table of terms', () => {
  it('keeps every id and finds every text while it grows', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 60 }), fc.integer({ min: 1, max: 4000 }), (texts, more) => {
        const table = new TermTable();
        const known = new Map<string, number>();
        const intern = (one: string): void => {
          const id = table.lookup(TermKind.string, 0, one, true);
          expect(id).toBe(known.get(one) ?? known.size + 2);
          known.set(one, id);
        };
        for (const one of texts) {
          intern(one);
          for (let i = 0; i < more; i += 61) intern(`${one.length} ${i}`);
        }
        for (const [one, id] of known) {
          expect(table.text(id)).toBe(
            new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(one)),
          );
          expect(table.lookup(TermKind.string, 0, one, false)).toBe(id);
        }
        expect(table.lookup(TermKind.string, 0, 'nobody wrote this', false)).toBe(0);
      }),
      { numRuns: 20 },
    );
  });

  it('copies a little with each term when it grows, and never much at once', () => {
    const sizes: number[] = [];
    const table = new TermTable((byteLength) => {
      sizes.push(byteLength);
      return new ArrayBuffer(byteLength);
    });
    let copied = 0;
    let most = 0;
    const set = Uint32Array.prototype.set;
    const setBytes = Uint8Array.prototype.set;
    Uint32Array.prototype.set = function (this: Uint32Array, ...args) {
      copied += args[0].length * 4;
      set.apply(this, args);
    };
    Uint8Array.prototype.set = function (this: Uint8Array, ...args) {
      copied += args[0].length;
      setBytes.apply(this, args);
    };
    try {
      for (let i = 0; i < 300_000; i++) {
        copied = 0;
        table.lookup(TermKind.iri, 0, `http://e.example/a/longer/path/${i}`, true);
        most = Math.max(most, copied);
      }
    } finally {
      Uint32Array.prototype.set = set;
      Uint8Array.prototype.set = setBytes;
    }
    expect(Math.max(...sizes)).toBeGreaterThan(8_000_000);
    expect(most).toBeLessThan(600_000);
    expect(table.text(299_999)).toBe('http://e.example/a/longer/path/299997');
  });

  it('refuses what its offsets and ids could not tell apart, and stays as it was', () => {
    const few = new TermTable(undefined, undefined, { maxBytes: 1 << 20, maxTerms: 700 });
    for (let i = 0; few.size < 700; i++) few.lookup(TermKind.iri, 0, `e:${i}`, true);
    const beyond = () => few.lookup(TermKind.iri, 0, 'e:one-more', true);
    expect(beyond).toThrow(expect.objectContaining({ code: 'ERR_DICTIONARY_FULL', kind: 'exhausted' }));
    expect(few.lookup(TermKind.iri, 0, 'e:one-more', false)).toBe(0);
    expect(few.lookup(TermKind.iri, 0, 'e:697', false)).toBe(699);
    const small = new TermTable(undefined, undefined, { maxBytes: 300_000, maxTerms: 7000 });
    for (let i = 0; i < 9; i++) small.lookup(TermKind.string, 0, `${i}${'y'.repeat(9999)}`, true);
    const long = 'z'.repeat(90_000);
    expect(() => small.lookup(TermKind.string, 0, long, true)).toThrow(/hold 300000 bytes/);
    expect(small.lookup(TermKind.string, 0, 'short', true)).toBe(11);
    expect(small.text(10)).toMatch(/^8y+$/);
  });
});

import { runAtOnce } from '@cairn/events';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Checksum, checksumOf, WordChecksum } from './array-file.ts';

const content = Uint8Array.from({ length: 4099 }, (_, i) => (i * 31) ^ (i >>> 3));

function digest(pieces: readonly Uint8Array[], checksum: Checksum | WordChecksum = new WordChecksum()): string {
  for (const piece of pieces) checksum.update(piece);
  return checksum.digest();
}

describe('the checksum of a blob', () => {
  it('is the same however the bytes are cut, and wherever they lie in a buffer', () => {
    const lengths = fc.array(fc.nat(40), { maxLength: 60 });
    fc.assert(
      fc.property(fc.nat(content.length), fc.nat(7), lengths, (size, offset, cuts) => {
        const moved = new Uint8Array(size + offset).subarray(offset);
        moved.set(content.subarray(0, size));
        const pieces: Uint8Array[] = [];
        let at = 0;
        for (const length of cuts) {
          pieces.push(moved.subarray(at, at + length));
          at = Math.min(at + length, size);
        }
        pieces.push(moved.subarray(at));
        expect(digest(pieces)).toBe(digest([content.slice(0, size)]));
      }),
    );
  });

  it('tells every changed bit, every missing byte at the end and every zero that is added', () => {
    for (const size of [1, 2, 3, 4, 5, 63, 64]) {
      const whole = content.slice(0, size);
      const seen = new Set([digest([whole])]);
      for (let bit = 0; bit < size * 8; bit++) {
        const changed = whole.slice();
        changed[bit >>> 3] ^= 1 << (bit & 7);
        seen.add(digest([changed]));
      }
      for (let shorter = 0; shorter < size; shorter++) seen.add(digest([whole.subarray(0, shorter)]));
      for (let zeros = 1; zeros < 9; zeros++) seen.add(digest([whole, new Uint8Array(zeros)]));
      expect(seen.size).toBe(1 + size * 8 + size + 8);
    }
  });

  it('is recomputed by words or by bytes, as the stored one was', () => {
    const byWords = digest([content]);
    const byBytes = digest([content], new Checksum());
    expect([byWords.length, byBytes.length]).toEqual([17, 16]);
    expect(runAtOnce(checksumOf(content, byWords))).toBe(byWords);
    expect(runAtOnce(checksumOf(content, byBytes))).toBe(byBytes);
  });
});

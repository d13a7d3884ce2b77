import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { contentHash, createContentHasher } from './hash.ts';

it('is the SHA-256 that others compute, whole or in pieces', () => {
  expect(contentHash('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 300 })), (pieces) => {
      const hasher = createContentHasher();
      for (const piece of pieces) hasher.update(piece);
      const whole = Buffer.concat(pieces);
      const expected = createHash('sha256').update(whole).digest('hex');
      expect([hasher.digest(), contentHash(whole)]).toEqual([expected, expected]);
    }),
  );
});

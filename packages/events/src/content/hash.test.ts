import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { contentHash } from './hash.ts';

it('is the SHA-256 that others compute', () => {
  expect(contentHash('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 3000 }), (bytes) => {
      expect(contentHash(bytes)).toBe(createHash('sha256').update(bytes).digest('hex'));
    }),
  );
});

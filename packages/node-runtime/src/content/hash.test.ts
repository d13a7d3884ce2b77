import { contentHash } from '@cairn/events';
import { describe, expect, it } from 'vitest';
import { hashContent } from './hash.ts';

describe('the hash of content', () => {
  it.each([0, 1, 256 * 1024, 256 * 1024 + 1])('is SHA-256 in hex for %i bytes', async (size) => {
    const bytes = new Uint8Array(size).fill(7);
    expect(await hashContent(bytes)).toBe(contentHash(bytes));
  });
});

import { describe, expect, it } from 'vitest';
import { resolveExtractionLimits } from './limits.ts';

describe('limits of extraction', () => {
  it('are refused when they are no numbers, and would let everything through', () => {
    const names = ['maxTextBytes', 'maxEntries', 'maxArchiveBytes', 'maxCompressionRatio', 'maxDepth', 'maxPages'];
    for (const name of names) {
      for (const value of [Number.NaN, -1, JSON.parse('"100"') as number]) {
        const refused = expect.objectContaining({
          code: 'ERR_CONFIGURATION',
          message: expect.stringContaining(`${name} must be a number of 0 or more`),
        });
        expect(() => resolveExtractionLimits({ [name]: value })).toThrow(refused);
      }
      expect(resolveExtractionLimits({ [name]: undefined })).toEqual(resolveExtractionLimits({}));
    }
  });
});

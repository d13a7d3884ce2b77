import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Pacer, sortInSteps } from './pacer.ts';

describe('sorting in steps', () => {
  it('gives what a stable sort gives, with a step at least every thousand items', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(5_000), fc.integer({ min: 1, max: 5_000 }), async (length, spread) => {
        let steps = 0;
        const pacer: Pacer = {
          note: () => {},
          step: () => {
            steps++;
          },
        };
        const items = Array.from({ length }, (_, i) => ({ key: (i * 7_919) % spread, place: i }));
        const sorted = await sortInSteps(pacer, items, (a, b) => a.key - b.key);
        expect(sorted).toEqual([...items].sort((a, b) => a.key - b.key));
        expect(steps).toBeGreaterThanOrEqual(Math.floor(length / 1_024));
      }),
      { numRuns: process.env['CAIRN_LONG'] ? 1_000 : 30 },
    );
  }, 1_800_000);
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutRanges } from './cut-ranges.ts';
import { mergeRanges } from './merge-ranges.ts';
import { Range } from './range.ts';

type Row = readonly [a: number, b: number, c: number];

const permitted = Uint8Array.of(0, 1, 0, 1);
const rows = fc.uniqueArray(fc.tuple(fc.nat(6), fc.nat(3), fc.nat(9)), {
  maxLength: 80,
  selector: (row) => row.join(),
});
const layer = fc.record({ rows, before: fc.nat(2), seed: fc.nat(3) });

/** A range in the middle of longer columns. */
function rangeOf(sorted: readonly Row[], before: number, setOf: (at: number) => number): Range {
  const range = new Range();
  const column = (place: 0 | 1 | 2) =>
    Uint32Array.of(...Array(before).fill(0), ...sorted.map((row) => row[place]), 0xffff);
  range.a = column(0);
  range.b = column(1);
  range.c = column(2);
  range.sets = Uint16Array.from(range.a, (_, at) => setOf(at));
  range.start = before;
  range.end = before + sorted.length;
  return range;
}

function rowsOf({ a, b, c, sets, start, end }: Range): Row[] {
  const found: Row[] = [];
  for (let i = start; i < end; i++) if (sets === null || permitted[sets[i]] === 1) found.push([a[i], b[i], c[i]]);
  return found;
}

describe('ranges cut in pieces', () => {
  it('merge to what the whole ranges merge to, in pieces that are no longer than asked', () => {
    fc.assert(
      fc.property(fc.array(layer, { minLength: 1, maxLength: 6 }), fc.integer({ min: 6, max: 60 }), (layers, max) => {
        const ranges = layers.map(({ rows: given, before, seed }) => {
          const sorted = [...given].sort((x, y) => x[0] - y[0] || x[1] - y[1] || x[2] - y[2]);
          return rangeOf(sorted, before, (at) => (at * 7 + seed) % 4);
        });
        const whole = new Range();
        mergeRanges(whole, ranges, permitted);
        const found: Row[] = [];
        const part = new Range();
        for (const piece of cutRanges(ranges, max)) {
          expect(piece.reduce((sum, { start, end }) => sum + end - start, 0)).toBeLessThanOrEqual(max);
          expect(piece.every(({ start, end }) => start < end)).toBe(true);
          mergeRanges(part, piece, permitted);
          found.push(...rowsOf(part));
        }
        expect(found).toEqual(rowsOf(whole));
      }),
      { numRuns: process.env['CAIRN_LONG'] === undefined ? 500 : 50_000 },
    );
  });

  it('are at least as long as the share of one range, so that they are few', () => {
    const sorted = (step: number): Row[] => Array.from({ length: 10_000 }, (_, i) => [1, i * step, 0]);
    const ranges = [1, 2, 3, 5].map((step) => rangeOf(sorted(step), 0, () => 1));
    const pieces = [...cutRanges(ranges, 1000)];
    expect(pieces.length).toBeLessThanOrEqual(4 * (40_000 / 1000) + 4);
  });

  it('are not cut where nothing is in them', () => {
    expect([...cutRanges([rangeOf([], 1, () => 1)], 10)]).toEqual([]);
  });
});

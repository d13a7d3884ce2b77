import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashUnits } from './surface-hash.ts';
import { SurfaceTable, UNKNOWN } from './surface-table.ts';

const RUNS = process.env['CAIRN_LONG'] === '1' ? 20_000 : 300;

describe('a surface table', () => {
  it('answers as a map does, also where hashes collide', () => {
    const forms = fc.uniqueArray(fc.string({ unit: 'binary', maxLength: 6 }), { maxLength: 200 });
    fc.assert(
      fc.property(forms, fc.constantFrom(0, 1, 3, -1), (all, mask) => {
        const table = new SurfaceTable();
        const hashOf = (form: string): number => hashUnits(form, 0, form.length) & mask;
        all.forEach((form, value) => {
          expect(table.find(form, 0, form.length, hashOf(form))).toBe(UNKNOWN);
          table.add(form, 0, form.length, hashOf(form), value);
        });
        all.forEach((form, value) => {
          expect(table.find(`<${form}>`, 1, form.length + 1, hashOf(form))).toBe(value);
        });
        expect(table.size).toBe(all.length);
      }),
      { numRuns: RUNS },
    );
  });

  it('finds forms that were crowded while it was small when it has grown', () => {
    const table = new SurfaceTable();
    const forms = Array.from({ length: 6000 }, (_, i) => `form ${i}`);
    // The first share their cells until there are thousands.
    const hashOf = (i: number): number => (i < 200 ? (i % 8) << 10 : hashUnits(forms[i], 0, forms[i].length));
    forms.forEach((form, i) => {
      table.add(form, 0, form.length, hashOf(i), i);
      if (i % 500 !== 499) return;
      for (let known = 0; known <= i; known++) {
        expect(table.find(forms[known], 0, forms[known].length, hashOf(known))).toBe(known);
      }
    });
  });

  it('forgets everything when it is cleared', () => {
    const table = new SurfaceTable();
    for (let i = 0; i < 100; i++) table.add(`form ${i}`, 0, `form ${i}`.length, 7, i);
    table.clear();
    expect(table.find('form 1', 0, 6, 7)).toBe(UNKNOWN);
    expect(table.find('form 99', 0, 7, 7)).toBe(UNKNOWN);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashUnits, SurfaceTable, UNKNOWN } from './surface-table.ts';

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

  it('grows in steps before it has to grow at once, and takes in what is added meanwhile', () => {
    const table = new SurfaceTable();
    const forms = Array.from({ length: 120_000 }, (_, i) => `form ${i}`);
    // Some share their cells, before and while it grows.
    const hashOf = (i: number): number => (i % 3000 < 40 ? i & 7 : hashUnits(forms[i], 0, forms[i].length));
    let steps = 0;
    let work: Generator<void, void> | undefined;
    forms.forEach((form, i) => {
      table.add(form, 0, form.length, hashOf(i), i);
      if (work === undefined && table.isCrowded) work = table.growInSteps();
      if (i % 20 !== 0 || work === undefined) return;
      if (work.next().done === true) work = undefined;
      steps++;
      expect(table.find(form, 0, form.length, hashOf(i))).toBe(i);
    });
    // It has grown from 2^14 to 2^18 cells, in pieces of 2^13.
    expect(steps).toBeGreaterThan(10);
    forms.forEach((form, i) => void (table.find(form, 0, form.length, hashOf(i)) === i || expect.fail(form)));
  });

  it('may be left alone while it grows in steps, or be cleared', () => {
    for (const isCleared of [false, true]) {
      const table = new SurfaceTable();
      const add = (i: number): void => table.add(`${i}`, 0, `${i}`.length, hashUnits(`${i}`, 0, `${i}`.length), i);
      const find = (i: number): number => table.find(`${i}`, 0, `${i}`.length, hashUnits(`${i}`, 0, `${i}`.length));
      let count = 0;
      while (!table.isCrowded) add(count++);
      const work = table.growInSteps();
      work.next();
      if (isCleared) table.clear();
      for (const end = count + 200_000; count < end; ) add(count++);
      while (work.next().done !== true);
      expect(find(0)).toBe(isCleared ? UNKNOWN : 0);
      for (let i = count - 200_000; i < count; i++) if (find(i) !== i) expect.fail(`${i}`);
    }
  });

  it('forgets everything when it is cleared', () => {
    const table = new SurfaceTable();
    for (let i = 0; i < 100; i++) table.add(`form ${i}`, 0, `form ${i}`.length, 7, i);
    table.clear();
    expect(table.find('form 1', 0, 6, 7)).toBe(UNKNOWN);
    expect(table.find('form 99', 0, 7, 7)).toBe(UNKNOWN);
  });
});

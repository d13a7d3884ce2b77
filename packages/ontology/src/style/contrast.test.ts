import { describe, expect, it } from 'vitest';
import { contrastOf } from './contrast.ts';

describe('contrastOf', () => {
  it('gives the values of WCAG 2.1 in either order', () => {
    expect(contrastOf('#000000', '#FFFFFF')).toBeCloseTo(21, 5);
    expect(contrastOf('#FFFFFF', '#777777')).toBeCloseTo(4.48, 2);
    expect(contrastOf('#777777', '#FFFFFF')).toBeCloseTo(4.48, 2);
    expect(contrastOf('#abc', '#abc')).toBe(1);
  });

  it('reads short forms and ignores alpha', () => {
    expect(contrastOf('#000', '#fff')).toBeCloseTo(21, 5);
    expect(contrastOf('#000000FF', '#FFFFFF00')).toBeCloseTo(21, 5);
    expect(contrastOf('red', '#fff')).toBeUndefined();
  });
});

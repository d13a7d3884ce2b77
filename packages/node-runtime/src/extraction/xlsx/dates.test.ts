import { describe, expect, it } from 'vitest';
import { toCellDate } from './dates.ts';

describe('toCellDate', () => {
  it.each([
    ['45322', false, '2024-01-31'],
    ['45322.5', false, '2024-01-31T12:00:00'],
    ['0.25', false, '06:00:00'],
    ['43860', true, '2024-01-31'],
    ['-1', false, '-1'],
    ['1e99', false, '1e99'],
    ['', false, ''],
    ['words', false, 'words'],
  ])('shows %j as %j', (serial, is1904, expected) => {
    expect(toCellDate(serial, is1904)).toBe(expected);
  });
});

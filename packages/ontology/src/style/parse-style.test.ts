import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { goodStyle } from '../testing/styles.ts';
import { parseStyle } from './parse-style.ts';

const SHORT_RECORD = {
  dark: { backgroundColor: '#17202A', color: '#5DADE2' },
  light: { backgroundColor: '#1B2631', color: '#AED6F1' },
  shape: 'circle',
  faIcon: 'fa-user',
  faUnicode: '\uf007',
  faClass: 'fa-solid',
};

describe('parseStyle', () => {
  it('reads plain and percent-encoded JSON alike', () => {
    const json = JSON.stringify(goodStyle());
    for (const literal of [json, encodeURIComponent(json)]) {
      expect(parseStyle(literal)).toEqual({ style: goodStyle(), findings: [] });
    }
  });

  it('reads plain JSON first, so that a percent sign in it stays one', () => {
    const style = { ...goodStyle(), note: '100%25' };
    expect(parseStyle(JSON.stringify(style)).style).toEqual(style);
  });

  it('upgrades the short record and says so', () => {
    const { style, findings } = parseStyle(JSON.stringify(SHORT_RECORD));
    expect(findings).toEqual([expect.objectContaining({ rule: 'style-short-record', severity: 'note' })]);
    expect(style?.defaultStyles).toMatchObject({ dark: SHORT_RECORD.dark, shape: 'ellipse', borderWidth: '2px' });
    expect(style?.defaultIcons).toMatchObject({ faIcon: 'fa-solid fa-user', faUnicode: '\uf007' });
  });

  it('takes an alias of a shape for the shape that it means, with a warning', () => {
    const style = goodStyle();
    const circle = { ...style, defaultStyles: { ...style.defaultStyles, shape: 'circle' } };
    const parsed = parseStyle(JSON.stringify(circle));
    expect(parsed.style).toEqual(style);
    expect(parsed.findings).toEqual([
      expect.objectContaining({ rule: 'style-shape', severity: 'warning', correction: 'ellipse' }),
    ]);
  });

  it('gives no style when a finding is an error', () => {
    const { style, findings } = parseStyle(JSON.stringify({ ...SHORT_RECORD, shape: 'blob' }));
    expect(style).toBeUndefined();
    expect(findings.map(({ rule }) => rule)).toEqual(['style-short-record', 'style-shape']);
  });

  it('finds nesting that is too deep to be written again to be no style', () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"defaultStyles":', '}'],
    ] as const) {
      const { style, findings } = parseStyle(`${open.repeat(3_500)}0${close.repeat(3_500)}`);
      expect(style).toBeUndefined();
      expect(findings).not.toEqual([]);
      const inField = parseStyle(`{"size":${'['.repeat(30_000)}${']'.repeat(30_000)}}`);
      expect(inField.style).toBeUndefined();
    }
  });

  it('turns any text into findings and never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), fc.json().map(encodeURIComponent)), (literal) => {
        const { style, findings } = parseStyle(literal);
        expect(style === undefined).toBe(findings.some(({ severity }) => severity === 'error'));
      }),
    );
    expect(parseStyle('x'.repeat(70_000)).findings[0]?.message).toContain('65536 characters; got 70000');
  });
});

import { describe, expect, it } from 'vitest';
// @ts-expect-error a plain module without declarations
import { currentModule, iconTablesModule } from '../../scripts/make-icon-tables.mjs';
import { codePointOf, getFontAwesomeIcon } from './font-awesome.ts';
import { isRemixIcon } from './remix.ts';

describe('icon tables', () => {
  it('are what the generator makes of the installed icon sets', () => {
    expect(currentModule()).toBe(iconTablesModule());
  });

  it('know free icons by name and by alias, with their styles', () => {
    expect(getFontAwesomeIcon('user')).toMatchObject({ name: 'user', styles: ['regular', 'solid'] });
    expect(getFontAwesomeIcon('user')?.codePoints[0]).toBe('f007');
    expect(getFontAwesomeIcon('user-alt')).toBe(getFontAwesomeIcon('user'));
    expect(getFontAwesomeIcon('github')?.styles).toEqual(['brands']);
    expect(getFontAwesomeIcon('no-such-icon')).toBeUndefined();
    expect(getFontAwesomeIcon('constructor')).toBeUndefined();
  });

  it('know Remix icons by their whole class', () => {
    expect(['ri-user-line', 'user-line', 'ri-', 'ri-user'].map(isRemixIcon)).toEqual([true, false, false, false]);
  });
});

describe('codePointOf', () => {
  it('reads the character and its escapes', () => {
    for (const value of ['\uf007', '\\uf007', '\\u{f007}', '\\f007', '&#xF007;', 'U+F007', 'f007']) {
      expect(codePointOf(value)).toBe('f007');
    }
    for (const value of ['', 'user', 'a', '\uf007\uf007', '\\u']) expect(codePointOf(value)).toBeUndefined();
  });
});

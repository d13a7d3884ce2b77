import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { goodStyle, withValue } from '../testing/styles.ts';
import { STYLE_FIELDS } from './kinds.ts';
import { validateStyle } from './validate-style.ts';

/** path, value, rule, correction */
const FAULTS: readonly [string, unknown, string, string?][] = [
  ['defaultStyles.dark.color', 'red', 'style-colour'],
  ['defaultStyles.dark.color', 'AABBCC', 'style-colour', '#AABBCC'],
  ['defaultStyles.light.backgroundColor', '#12345', 'style-colour'],
  ['defaultStyles.light.backgroundColor', 12, 'style-colour'],
  ['defaultStyles.shape', 'circle', 'style-shape', 'ellipse'],
  ['defaultStyles.shape', 'blob', 'style-shape'],
  ['defaultStyles.borderWidth', '2', 'style-length', '2px'],
  ['defaultStyles.borderRadius', 'round', 'style-length'],
  ['defaultStyles.size', 'XL', 'style-size'],
  ['size', 's', 'style-size', 'S'],
  ['defaultIcons.riIcon', 'ri-no-such-icon', 'style-remix-icon'],
  ['defaultIcons.riIcon', 'user-line', 'style-remix-icon', 'ri-user-line'],
  ['defaultIcons.faIcon', 'fa-user', 'style-font-awesome-icon', 'fa-regular fa-user'],
  ['defaultIcons.faIcon', 'fa-brands fa-user', 'style-font-awesome-icon', 'fa-regular fa-user'],
  ['defaultIcons.faUnicode', 'zz', 'style-font-awesome-unicode'],
  ['defaultIcons.faUnicode', '\\uf008', 'style-icon-agreement', '\\uf007'],
  ['defaultIcons.faClass', 'fa-duotone', 'style-font-awesome-class'],
  ['defaultIcons.faClass', 'fa-brands', 'style-icon-agreement', 'fa-solid'],
];

describe('validateStyle', () => {
  it('finds nothing in a good style, wherever its size stands', () => {
    expect(validateStyle(goodStyle())).toEqual([]);
    expect(validateStyle({ ...withValue(goodStyle(), 'defaultStyles.size', undefined), size: 'L' })).toEqual([]);
  });

  for (const [path, value, rule, correction] of FAULTS) {
    it(`says what is wrong with ${path} ${JSON.stringify(value)}`, () => {
      const findings = validateStyle(withValue(goodStyle(), path, value), { subject: 'urn:c', line: 7 });
      expect(findings).toHaveLength(1);
      const [finding] = findings;
      const severity = value === 'circle' ? 'warning' : 'error';
      expect(finding).toMatchObject({ rule, severity, path, subject: 'urn:c', line: 7 });
      expect(finding?.correction).toBe(correction);
      expect(finding?.message).toContain(path);
      expect(finding?.message).toContain(JSON.stringify(value));
    });
  }

  it('asks for each required field by its path', () => {
    for (const { path, required } of STYLE_FIELDS) {
      const found = validateStyle(withValue(goodStyle(), path.join('.'), undefined)).map((f) => [f.rule, f.path]);
      expect(found).toEqual(required ? [['style-required', path.join('.')]] : []);
    }
  });

  it('accepts every spelling of a code point and of a style class', () => {
    for (const faUnicode of ['\uf007', '\\uf007', '\\f007', 'f007', '&#xf007;', 'U+F007']) {
      expect(validateStyle(withValue(goodStyle(), 'defaultIcons.faUnicode', faUnicode))).toEqual([]);
    }
    for (const faUnicode of ['\uf007', '\\uf406']) {
      const style = withValue(goodStyle(), 'defaultIcons.faUnicode', faUnicode);
      expect(validateStyle(withValue(style, 'defaultIcons.faIcon', 'fas fa-user-alt'))).toEqual([]);
    }
  });

  it('warns about colours that cannot be told apart, and about fields that mean nothing', () => {
    expect(validateStyle(withValue(goodStyle(), 'defaultStyles.dark.color', '#17202B'))).toEqual([
      expect.objectContaining({ rule: 'style-contrast', severity: 'warning', path: 'defaultStyles.dark.color' }),
    ]);
    expect(validateStyle(withValue(goodStyle(), 'defaultStyles.colour', '#17202B'))).toEqual([
      expect.objectContaining({ rule: 'style-unknown-field', severity: 'warning', path: 'defaultStyles.colour' }),
    ]);
  });

  it('never throws, whatever JSON it is given', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(...STYLE_FIELDS), (value, { path }) => {
        expect(validateStyle(value).length).toBeGreaterThan(0);
        validateStyle(withValue(goodStyle(), path.join('.'), value));
      }),
    );
  });
});

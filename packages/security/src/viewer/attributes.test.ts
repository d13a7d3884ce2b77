import { describe, expect, it } from 'vitest';
import { attributesFromJson } from './attributes.ts';

const READ: readonly (readonly [unknown, Record<string, readonly string[]>])[] = [
  [{}, {}],
  [
    { abac_attributes: ['clearance=TS', 'nationality=GBR,nationality=FRA', 'staff'] },
    { clearance: ['TS'], nationality: ['GBR', 'FRA'], staff: ['true'] },
  ],
  [{ abac_attributes: 'a=1' }, { a: ['1'] }],
  [{ abac_attributes: ['\'two words\'="x y"', ''] }, { 'two words': ['x y'] }],
  [
    { clearance: 'S', nationality: ['GBR', 'FRA', 'GBR'] },
    { clearance: ['S'], nationality: ['GBR', 'FRA'] },
  ],
  [
    { staff: true, age: 42, none: null, empty: [] },
    { staff: ['true'], age: ['42'] },
  ],
  [{ org: { unit: { name: 'x' }, site: [1, false] } }, { 'org.unit.name': ['x'], 'org.site': ['1', 'false'] }],
  [{ a: { b: 'x' }, 'a.b': 'y', abac_attributes: ['a.b=z'] }, { 'a.b': ['x', 'y', 'z'] }],
];

const REFUSED: readonly (readonly [unknown, RegExp])[] = [
  [null, /attributes must be an object; got null/],
  [['a=1'], /attributes must be an object; got a list/],
  ['a=1', /got a string/],
  [{ a: [{ b: 1 }] }, /attribute a must be .*; got an object/],
  [{ a: [['x']] }, /attribute a must be .*; got a list/],
  [{ a: { '': 'x' } }, /must have a name; got "a\."/],
  [{ '': 'x' }, /must have a name/],
  [{ abac_attributes: [5] }, /abac_attributes\[0\] must be a text such as clearance=TS; got a number/],
  [{ abac_attributes: ['a=1', 'b<2'] }, /abac_attributes\[1\]: label is malformed/],
  [{ abac_attributes: ['a|b'] }, /other operators are not possible/],
  [{ abac_attributes: ['a!=b'] }, /other operators are not possible/],
  [{ abac_attributes: ['*'] }, /other operators are not possible/],
];

describe('attributesFromJson', () => {
  it.each(READ)('reads %j', (json, attributes) => {
    expect({ ...attributesFromJson(json) }).toEqual(attributes);
  });

  it.each(REFUSED)('refuses %j', (json, message) => {
    expect(() => attributesFromJson(json)).toThrow(
      expect.objectContaining({ code: 'ERR_ATTRIBUTES', kind: 'invalid', message: expect.stringMatching(message) }),
    );
  });

  it('takes prototype keys for plain names', () => {
    const attributes = attributesFromJson(JSON.parse('{"__proto__": "x", "constructor": {"prototype": 1}}'));
    expect(Object.entries(attributes)).toEqual([
      ['__proto__', ['x']],
      ['constructor.prototype', ['1']],
    ]);
  });

  it('refuses what nests deeper than 32 levels, however deep it is', () => {
    let json: unknown = 'x';
    for (let i = 0; i < 50_000; i++) json = { a: json };
    expect(() => attributesFromJson(json)).toThrow(/at most 32 levels/);
  });
});

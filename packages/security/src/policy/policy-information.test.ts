import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseLabel } from '../label/parse.ts';
import { runs } from '../testing/runs.ts';
import { labelFromPolicyInformation } from './policy-information.ts';

const EDH = {
  EDH: {
    classification: 'O',
    permittedOrgs: ['A', 'B'],
    permittedNats: ['GBR'],
    andGroups: ['urn:g1'],
    orGroups: ['urn:g2', 'urn:g3:or'],
  },
};
const IDH = {
  apiVersion: 'v1',
  uuid: 'c0ffee',
  creationDate: '2026-01-01T00:00:00Z',
  containsPii: false,
  dataSource: 'test',
  ownership: { originatingOrg: 'A', user: 'u' },
  access: { classification: 'OS', allowedOrgs: ['A'], allowedNats: ['GBR', 'FRA'], groups: ['urn:g1', 'urn:g2:and'] },
};
const withAccess = (change: object): unknown => ({ ...IDH, access: { ...IDH.access, ...change } });

const BUILT: readonly (readonly [string, unknown, string])[] = [
  [
    'EDH',
    EDH,
    '(classification=O&(permitted_organisations=A|permitted_organisations=B)&(permitted_nationalities=GBR)&urn:g1:and&(urn:g2:or|urn:g3:or))',
  ],
  ['EDH as text', JSON.stringify({ EDH: { classification: 'S' } }), '(classification=S)'],
  ['EDH with empty lists', { EDH: { classification: 'O', permittedNats: [], orGroups: [] } }, '(classification=O)'],
  [
    'IDH',
    IDH,
    '(classification=OS&(permitted_organisations=A)&(permitted_nationalities=GBR|permitted_nationalities=FRA)&urn:g1:and&urn:g2:and)',
  ],
  ['IDH with empty lists', withAccess({ allowedOrgs: [], allowedNats: [], groups: [] }), '(classification=OS)'],
  [
    'IDH with groups of which one suffices',
    withAccess({ allowedOrgs: [], allowedNats: [], groups: ['x:or', 'y:or'] }),
    '(classification=OS&(x:or|y:or))',
  ],
  ['IDH under its name', { IDH: withAccess({ allowedOrgs: [], allowedNats: [], groups: [] }) }, '(classification=OS)'],
  [
    'words that need quotes',
    { EDH: { classification: 'Top Secret', permittedOrgs: ['Acme "1"|b', 'A.'], andGroups: ['2 b'] } },
    '(classification="Top Secret"&(permitted_organisations="Acme \\"1\\"|b"|permitted_organisations="A.")&"2 b:and")',
  ],
];

const REFUSED: readonly (readonly [unknown, RegExp])[] = [
  ['{', /must be JSON/],
  [null, /Policy-Information must be an object; got null/],
  [[], /Policy-Information must be an object; got a list/],
  [{}, /must hold EDH or access/],
  [{ EDH: 'O' }, /EDH must be an object; got a string/],
  [{ EDH: {} }, /EDH.classification must be a non-empty string; got nothing/],
  [{ EDH: { classification: '' } }, /EDH.classification must be a non-empty string; got ""/],
  [{ EDH: { classification: 'O', permittedNats: 'GBR' } }, /EDH.permittedNats must be a list of strings; got a string/],
  [
    { EDH: { classification: 'O', andGroups: ['a', 5] } },
    /EDH.andGroups\[1\] must be a non-empty string; got a number/,
  ],
  [{ EDH: { classification: 'O', orGroups: null } }, /EDH.orGroups must be a list of strings; got null/],
  [{ EDH: { classification: 'a\ud800' } }, /EDH.classification must be Unicode text/],
  [withAccess({ classification: 'P' }), /access.classification must be one of O, OS, S, TS; got "P"/],
  [withAccess({ groups: undefined }), /access.groups must be a list of strings; got nothing/],
  [{ ...IDH, access: [] }, /access must be an object; got a list/],
  [{ IDH: { access: { classification: 'O' } } }, /IDH.access.groups must be a list/],
];

describe('labelFromPolicyInformation', () => {
  it.each(BUILT)('builds the label of %s', (_, value, label) => {
    expect(labelFromPolicyInformation(value)).toBe(label);
  });

  it.each(REFUSED)('refuses %j', (value, message) => {
    expect(() => labelFromPolicyInformation(value)).toThrow(
      expect.objectContaining({
        code: 'ERR_POLICY_INFORMATION',
        kind: 'invalid',
        message: expect.stringMatching(message),
      }),
    );
  });

  it('refuses a label that would be too long', () => {
    const permittedOrgs = Array.from({ length: 5000 }, (_, i) => `organisation${i}`);
    expect(() => labelFromPolicyInformation({ EDH: { classification: 'O', permittedOrgs } })).toThrow(
      expect.objectContaining({ code: 'ERR_LABEL_TOO_LARGE' }),
    );
  });

  it('gives every word back to the parser as it was, whatever it holds', () => {
    const word = fc.string({ unit: 'grapheme', minLength: 1 });
    fc.assert(
      fc.property(word, word, (classification, organisation) => {
        const label = labelFromPolicyInformation({ EDH: { classification, permittedOrgs: [organisation] } });
        expect(parseLabel(label)).toMatchObject({
          kind: 'all',
          items: [{ value: classification }, { value: organisation }],
        });
      }),
      runs(500, 20_000),
    );
  });
});

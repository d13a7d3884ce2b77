import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attributes, hierarchies, holds, writtenLabel } from '../testing/labels.ts';
import { runs } from '../testing/runs.ts';
import { evaluateLabel } from './evaluate.ts';
import { parseLabel } from './parse.ts';

const USER = { clearance: ['OS'], nationality: ['GBR', 'FRA'], a: ['true'], empty: [], odd: ['X'] };
const TIERS = { clearance: ['O', 'OS', 'S', 'TS'], odd: ['O', 'S'] };

const PERMITTED = [
  '*',
  'a',
  'a=true',
  'nationality=GBR',
  'nationality=FRA',
  'nationality!=GBR',
  'clearance=O',
  'clearance=OS',
  'clearance!=O',
  'clearance!=S',
  'odd=X',
  'clearance=TS|a',
  'a,nationality=FRA',
  'a&nationality=GBR&(clearance=S|clearance=OS)',
];

const DENIED = [
  '!',
  '',
  'b',
  'b!=x',
  'empty=x',
  'empty!=x',
  'a=false',
  'a!=true',
  'clearance=S',
  'clearance=TS',
  'clearance!=OS',
  'clearance=UNKNOWN',
  'odd=O',
  'A',
  'a,b',
  'a&clearance=S',
  '__proto__',
  'constructor!=x',
  'toString!=x',
];

describe('evaluateLabel', () => {
  it.each(PERMITTED)('permits %j', (text) => {
    expect(evaluateLabel(parseLabel(text), USER, TIERS)).toBe(true);
  });

  it.each(DENIED)('denies %j', (text) => {
    expect(evaluateLabel(parseLabel(text), USER, TIERS)).toBe(false);
  });

  it('compares by equality alone without a hierarchy', () => {
    expect(evaluateLabel(parseLabel('clearance=O'), USER)).toBe(false);
    expect(evaluateLabel(parseLabel('clearance=OS'), USER)).toBe(true);
  });

  it('agrees with the reference for any label, user and hierarchy', () => {
    fc.assert(
      fc.property(writtenLabel, attributes, hierarchies, ({ text, meaning }, user, tiers) => {
        expect(evaluateLabel(parseLabel(text), user, tiers)).toBe(holds(meaning, user, tiers));
      }),
      runs(5000, 200_000),
    );
  });
});

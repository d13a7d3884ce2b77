import { createViewer } from '@cairn/security';
import { expect, it } from 'vitest';
import { PrefixTable } from './prefix-table.ts';

const viewer = createViewer({ attributes: { a: ['1'] } });
const given = (prefix: string, label = 'a=1', iri = 'urn:x') => ({ prefix, iri, label });

it('keeps a thousand prefixes of a label, and passes over more', () => {
  const table = new PrefixTable([]);
  for (let n = 0; n < 3_000; n++) table.change(given(`p${n}`));
  expect(Object.keys(table.visibleTo(viewer))).toHaveLength(1_000);
  table.change(given('p5', 'a=1', 'urn:y'));
  expect(table.visibleTo(viewer)['p5']).toBe('urn:y');
  table.change({ prefix: 'p7', iri: undefined, label: undefined });
  table.change(given('later'));
  expect(table.visibleTo(viewer)).toMatchObject({ later: 'urn:x' });
  expect(new PrefixTable(table.stored()).stored()).toEqual(table.stored());
});

it('lets prefixes that a viewer may not see keep none of theirs out', () => {
  const table = new PrefixTable([]);
  for (let n = 0; n < 3_000; n++) table.change(given(`p${n}`, 'a=2'));
  table.change(given('mine'));
  expect(table.visibleTo(viewer)).toEqual({ mine: 'urn:x' });
});

it('passes over prefixes and IRIs that are too long', () => {
  const table = new PrefixTable([]);
  table.change(given('p'.repeat(257)));
  table.change(given('p', 'a=1', `urn:${'x'.repeat(2_100)}`));
  table.change(given('p'.repeat(256)));
  expect(Object.keys(table.visibleTo(viewer))).toEqual(['p'.repeat(256)]);
});

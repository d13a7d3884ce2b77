import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluateLabel } from '../label/evaluate.ts';
import { parseLabel } from '../label/parse.ts';
import { attributes, hierarchies, writtenLabel } from '../testing/labels.ts';
import { runs } from '../testing/runs.ts';
import { createViewer, createViewerOfEverything, createViewerOfNothing } from './create-viewer.ts';
import { createLabelSetTable, createLabelTable } from './label-table.ts';
import type { Attributes, Hierarchies, Viewer } from './viewer.ts';

const TIERS = { clearance: ['O', 'OS', 'S', 'TS'] };
const viewerOf = (user: Attributes, tiers: Hierarchies = TIERS): Viewer =>
  createViewer({ attributes: user, hierarchies: tiers });

describe('a viewer', () => {
  it('decides by attributes and hierarchies and denies malformed and empty labels', () => {
    const viewer = viewerOf({ clearance: ['S'] });
    expect(['*', 'clearance=OS'].map((label) => viewer.permits(label))).toEqual([true, true]);
    const denied = ['!', 'clearance=TS', '', ' ', 'clearance=', 'clearance>=O', '('.repeat(1000), 'x'.repeat(70_000)];
    for (const label of denied) expect(viewer.permits(label)).toBe(false);
  });

  it('decides any label as the evaluator does, asked once or again, by text or by id', () => {
    fc.assert(
      fc.property(writtenLabel, attributes, hierarchies, ({ text }, user, tiers) => {
        const viewer = viewerOf(user, tiers);
        const decision = evaluateLabel(parseLabel(text), user, tiers);
        const byId = viewer.permittedLabels(createLabelTable([text]))[0];
        expect([viewer.permits(text), viewer.permits(text), byId === 1]).toEqual([decision, decision, decision]);
      }),
      runs(1000, 50_000),
    );
  });

  it('does not change when what it was made of changes', () => {
    const user = { a: ['true'] };
    const viewer = viewerOf(user);
    user.a.push('other');
    expect(viewer.permits('a=other')).toBe(false);
  });

  it('keeps deciding rightly when it is asked about more labels than it remembers', () => {
    const viewer = viewerOf({ a: ['1', '4999'] });
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 5000; i++) expect(viewer.permits(`a=${i}`)).toBe(i === 1 || i === 4999);
    }
  });

  it('extends its decisions as a table grows and leaves the entries beyond it at zero', () => {
    const table = createLabelTable(['*', '!']);
    const viewer = viewerOf({ a: ['true'] });
    const first = viewer.permittedLabels(table);
    expect([...first.slice(0, 2)]).toEqual([1, 0]);
    expect(first.slice(2).every((entry) => entry === 0)).toBe(true);
    table.intern('a');
    expect(viewer.permittedLabels(table)).toBe(first);
    expect(first[2]).toBe(1);
    for (let i = 0; i < 1000; i++) table.intern(`b${i}|a`);
    const grown = viewer.permittedLabels(table);
    expect(grown.length).toBeGreaterThanOrEqual(table.size);
    expect([...grown.slice(0, table.size)]).toEqual([1, 0, ...Array.from({ length: 1001 }, () => 1)]);
  });

  it('permits a set when any of its labels permits, and the empty set never', () => {
    const sets = createLabelSetTable(createLabelTable(['*', '!', 'a', 'b']), [[], [1], [1, 2], [3], [0, 3]]);
    const permitted = (viewer: Viewer): number[] => [...viewer.permittedSets(sets).slice(0, sets.size)];
    expect(permitted(viewerOf({ a: ['true'] }))).toEqual([0, 0, 1, 0, 1]);
    expect(permitted(createViewerOfNothing())).toEqual([0, 0, 0, 0, 0]);
    expect(permitted(createViewerOfEverything())).toEqual([0, 1, 1, 1, 1]);
  });

  it('keeps the decisions of one table apart from those of another', () => {
    const viewer = viewerOf({ a: ['true'] });
    expect(viewer.permittedLabels(createLabelTable(['a']))[0]).toBe(1);
    expect(viewer.permittedLabels(createLabelTable(['b']))[0]).toBe(0);
  });
});

describe('the key of a viewer', () => {
  it('is equal for users whom every label decides alike', () => {
    const keys = [
      viewerOf({ clearance: ['S'], b: ['2', '1', '2'], none: [] }),
      viewerOf({ b: ['1', '2'], clearance: ['S'] }, { ...TIERS, unused: ['1'] }),
      viewerOf({ b: ['1', '2'], clearance: ['S'] }, { clearance: ['OS', 'O', 'S'] }),
    ].map((viewer) => viewer.key);
    expect(new Set(keys).size).toBe(1);
  });

  it('differs between users whom some label tells apart', () => {
    const keys = [
      viewerOf({}),
      viewerOf({ clearance: ['S'] }),
      viewerOf({ clearance: ['TS'] }),
      viewerOf({ clearance: ['TS', 'S'] }),
      viewerOf({ clearance: ['S'] }, {}),
      viewerOf({ clearance: ['S'], a: ['true'] }),
      createViewerOfEverything(),
      createViewerOfNothing(),
    ].map((viewer) => viewer.key);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('is equal exactly when the decisions are', () => {
    const user = fc.tuple(attributes, hierarchies);
    const labels = ['true', 'O', 'OS', 'S', 'TS', 'x', '1.5', '"say \\"hi\\""', '__proto__', '""'].flatMap((value) =>
      ['a', 'b', 'clearance', 'urn:g:1', '5', '"two words"', '__proto__', 'été', 'constructor'].flatMap((name) => [
        `${name}=${value}`,
        `${name}!=${value}`,
      ]),
    );
    fc.assert(
      fc.property(user, user, ([attributesA, tiersA], [attributesB, tiersB]) => {
        const [one, other] = [viewerOf(attributesA, tiersA), viewerOf(attributesB, tiersB)];
        const alike = labels.every((label) => one.permits(label) === other.permits(label));
        expect(one.key === other.key).toBe(alike);
      }),
      runs(500, 20_000),
    );
  });
});

describe('the viewers of everything and of nothing', () => {
  it('permit every label, also malformed ones, and none, not even *', () => {
    for (const label of ['*', '!', '', 'a', 'a&']) {
      expect(createViewerOfEverything().permits(label)).toBe(true);
      expect(createViewerOfNothing().permits(label)).toBe(false);
    }
  });
});

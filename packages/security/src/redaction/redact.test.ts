import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { labelledDocument, leafValues, withOnly } from '../testing/documents.ts';
import { runs } from '../testing/runs.ts';
import { createViewer, createViewerOfEverything, createViewerOfNothing } from '../viewer/create-viewer.ts';
import type { Viewer } from '../viewer/viewer.ts';
import type { JsonObject, JsonValue } from './json.ts';
import { labelledLeaves } from './leaves.ts';
import { redactDocument } from './redact.ts';

const viewerOf = (...names: string[]): Viewer =>
  createViewer({ attributes: Object.fromEntries(names.map((name) => [name, ['true']])) });
const [a, b] = [viewerOf('a'), viewerOf('b')];

/** Documents as a viewer with attribute `a` sees them, with and without labels. */
const CASES: readonly (readonly [string, JsonObject, JsonObject | undefined, JsonObject | undefined])[] = [
  ['denies what no label says anything about', { uri: 'u', name: 'n' }, undefined, undefined],
  [
    'decides fields by the default',
    { uri: 'u', name: 'n', securityLabels: { defaults: 'a' } },
    { uri: 'u', name: 'n' },
    { uri: 'u', name: 'n', securityLabels: { defaults: 'a' } },
  ],
  [
    'lets the label of a field stand in place of the default',
    { uri: 'u', open: 1, shut: 2, securityLabels: { defaults: 'a', shut: 'b', open: 'a|b' } },
    { uri: 'u', open: 1 },
    { uri: 'u', open: 1, securityLabels: { open: 'a|b' } },
  ],
  [
    'decides list items by a parallel list, where an empty label means the default',
    { tags: ['x', 'y', 'z'], securityLabels: { defaults: 'a', tags: ['b', '', '*'] } },
    { tags: ['y', 'z'] },
    { tags: ['y', 'z'], securityLabels: { defaults: 'a', tags: ['', '*'] } },
  ],
  [
    'denies the items beyond a parallel list that is too short',
    { tags: ['x', 'y'], securityLabels: { defaults: 'a', tags: ['a'] } },
    { tags: ['x'] },
    { tags: ['x'], securityLabels: { tags: ['a'] } },
  ],
  [
    'ignores labels beyond the list',
    { tags: ['x'], securityLabels: { tags: ['a', 'b'] } },
    { tags: ['x'] },
    { tags: ['x'], securityLabels: { tags: ['a'] } },
  ],
  [
    'removes containers that become empty, and those that were',
    { name: 'n', list: ['x'], meta: { deep: { x: 1 } }, none: {}, nil: [], securityLabels: { name: 'a' } },
    { name: 'n' },
    { name: 'n', securityLabels: { name: 'a' } },
  ],
  [
    'hides a document of which only the uri is left',
    { uri: 'u', x: 1, securityLabels: { uri: 'a' } },
    undefined,
    undefined,
  ],
  [
    'keeps the uri with any other leaf, whatever the default says',
    { uri: 'u', x: 1, y: 2, securityLabels: { defaults: 'b', x: 'a' } },
    { uri: 'u', x: 1 },
    { uri: 'u', x: 1, securityLabels: { x: 'a' } },
  ],
  [
    'hides a uri whose own label denies',
    { uri: 'u', x: 1, securityLabels: { uri: 'b', x: 'a' } },
    { x: 1 },
    { x: 1, securityLabels: { x: 'a' } },
  ],
  [
    'lets nested objects inherit the default or carry their own',
    { one: { x: 1 }, two: { x: 2, securityLabels: { defaults: 'b' } }, securityLabels: { defaults: 'a' } },
    { one: { x: 1 } },
    { one: { x: 1 }, securityLabels: { defaults: 'a' } },
  ],
  [
    'lets the label of a field gate the object in it',
    { one: { x: 1, securityLabels: { x: '*' } }, two: { x: 2 }, securityLabels: { one: 'b', two: 'a' } },
    { two: { x: 2 } },
    { two: { x: 2 }, securityLabels: { two: 'a' } },
  ],
  [
    'labels objects in a list one by one',
    {
      list: [{ x: 1 }, { x: 2 }, { x: 3, y: 4, securityLabels: { y: 'b' } }],
      securityLabels: { list: ['b', 'a', 'a'] },
    },
    { list: [{ x: 2 }, { x: 3 }] },
    { list: [{ x: 2 }, { x: 3 }], securityLabels: { list: ['a', 'a'] } },
  ],
  [
    'denies by a malformed label, and by what is no label',
    {
      v: 1,
      w: 2,
      x: 3,
      y: 4,
      z: 5,
      securityLabels: { defaults: 'a', w: 'a&', x: 5, y: { defaults: 'a' }, z: ['a', 'a'] },
    },
    { v: 1 },
    { v: 1, securityLabels: { defaults: 'a' } },
  ],
  [
    'takes a single label in a list, a string for the labels object, and null for none',
    { x: 1, y: { z: 1, securityLabels: 'a' }, w: 2, securityLabels: { defaults: 'a', x: ['a'], w: null } },
    { x: 1, y: { z: 1 }, w: 2 },
    {
      x: 1,
      y: { z: 1, securityLabels: { defaults: 'a' } },
      w: 2,
      securityLabels: { defaults: 'a', x: ['a'], w: '' },
    },
  ],
  [
    'never shows other keys that end in securityLabels',
    { x: 1, 'x.securityLabels': 'b', securityLabels: { defaults: 'a' } },
    { x: 1 },
    { x: 1, securityLabels: { defaults: 'a' } },
  ],
];

describe('redactDocument', () => {
  it.each(CASES)('%s', (_, document, plain, shown) => {
    expect(redactDocument(document, a)).toEqual(plain);
    expect(redactDocument(document, a, { showSecurityLabels: true })).toEqual(shown);
  });

  it('uses the default label of its options for what has none', () => {
    expect(redactDocument({ x: 1 }, a, { defaultLabel: 'a' })).toEqual({ x: 1 });
    expect(redactDocument({ x: 1 }, b, { defaultLabel: 'a' })).toBeUndefined();
    expect(redactDocument({ x: 1, securityLabels: { defaults: 'a' } }, a, { defaultLabel: 'b' })).toEqual({ x: 1 });
  });

  it('leaves the document as it was', () => {
    const document = Object.freeze({
      x: 1,
      tags: Object.freeze(['y']),
      securityLabels: Object.freeze({ defaults: 'a' }),
    });
    const redacted = redactDocument(document, a);
    expect(redacted).not.toBe(document);
    expect(redacted?.['tags']).not.toBe(document.tags);
  });

  it('shows whatever stands for a label as denying to the viewer of everything', () => {
    let deep: JsonValue = 'a';
    for (let i = 0; i < 50_000; i++) deep = [deep];
    const document = { x: 1, y: 2, z: [3], securityLabels: { defaults: 5, x: deep, y: ['a', 'b'], z: [{}] } };
    expect(redactDocument(document, createViewerOfEverything(), { showSecurityLabels: true })).toEqual({
      ...document,
      securityLabels: { x: ['!'], y: '!', z: ['!'] },
    });
  });

  it('takes prototype keys for data', () => {
    const text =
      '{"__proto__":{"x":1},"constructor":2,"y":3,"securityLabels":{"defaults":"b","__proto__":"a","constructor":"a"}}';
    const redacted = redactDocument(JSON.parse(text), a, { showSecurityLabels: true });
    expect(JSON.stringify(redacted)).toBe(
      '{"__proto__":{"x":1},"constructor":2,"securityLabels":{"__proto__":"a","constructor":"a"}}',
    );
    expect(Object.getPrototypeOf(redacted)).toBe(Object.prototype);
    expect(
      redactDocument({ toString: 1, securityLabels: { defaults: 'b' } } as unknown as JsonObject, a),
    ).toBeUndefined();
  });

  it('hides what nests deeper than 100 levels, however deep it is', () => {
    const nested = (levels: number): JsonObject => {
      let document: JsonObject = { x: 1 };
      for (let i = 1; i < levels; i++) document = { child: document };
      return document;
    };
    const options = { defaultLabel: '*' };
    expect(redactDocument(nested(100), a, options)).toEqual(nested(100));
    expect(redactDocument(nested(101), a, options)).toBeUndefined();
    expect(redactDocument({ y: 1, deep: nested(50_000) }, a, options)).toEqual({ y: 1 });
    expect([...labelledLeaves(nested(100), options)]).toHaveLength(1);
    expect(() => labelledLeaves(nested(50_000))).toThrow(
      expect.objectContaining({ code: 'ERR_DOCUMENT_TOO_DEEP', kind: 'too-large' }),
    );
  });
});

describe('redaction and labelled leaves', () => {
  const viewer = fc.subarray(['a', 'b', 'c']).map((names) => viewerOf(...names));
  const anyViewer = fc.oneof(
    { weight: 8, arbitrary: viewer },
    { weight: 1, arbitrary: fc.constant(createViewerOfEverything()) },
    { weight: 1, arbitrary: fc.constant(createViewerOfNothing()) },
  );
  const options = fc.constantFrom({}, { defaultLabel: 'a' }, { defaultLabel: '*' }, { defaultLabel: 'a&b' });

  it('agree on every leaf', () => {
    fc.assert(
      fc.property(labelledDocument, anyViewer, options, (document, who, given) => {
        const permitted = [...labelledLeaves(document, given)].filter((leaf) => who.permits(leaf.label));
        expect(leafValues(redactDocument(document, who, given))).toEqual(permitted.map((leaf) => leaf.value));
      }),
      runs(1500, 30_000),
    );
  });

  it('give every leaf its path', () => {
    fc.assert(
      fc.property(labelledDocument, (document) => {
        for (const { path, value } of labelledLeaves(document)) {
          const found = path.reduce<unknown>(
            (at, step) => Object.entries(at as object).find(([key]) => key === `${step}`)?.[1],
            document,
          );
          expect(found).toBe(value);
        }
      }),
      runs(400, 5_000),
    );
  });

  it('do not interfere: the answer is that over a document that never held anything hidden', () => {
    fc.assert(
      fc.property(labelledDocument, viewer, options, fc.boolean(), (document, who, given, showSecurityLabels) => {
        const visible = [...labelledLeaves(document, given)].filter((leaf) => who.permits(leaf.label));
        const restricted = withOnly(document, new Set(visible.map((leaf) => leaf.value)));
        const redact = (from: JsonObject) =>
          JSON.stringify(redactDocument(from, who, { ...given, showSecurityLabels }));
        expect(redact(restricted)).toBe(redact(document));
      }),
      runs(1500, 30_000),
    );
  });

  it('decide a document that was redacted with its labels as before', () => {
    fc.assert(
      fc.property(labelledDocument, viewer, options, (document, who, given) => {
        const shown = redactDocument(document, who, { ...given, showSecurityLabels: true });
        const again = shown && redactDocument(shown, who, { ...given, showSecurityLabels: true });
        expect(JSON.stringify(again)).toBe(JSON.stringify(shown));
        const withoutLabels = shown && redactDocument(shown, who, given);
        expect(JSON.stringify(withoutLabels)).toBe(JSON.stringify(redactDocument(document, who, given)));
      }),
      runs(1000, 15_000),
    );
  });

  it('show no label that denies the viewer', () => {
    fc.assert(
      fc.property(labelledDocument, viewer, (document, who) => {
        const shown = redactDocument(document, who, { showSecurityLabels: true });
        for (const label of shownLabels(shown)) expect(label === '' || who.permits(label)).toBe(true);
      }),
      runs(1000, 15_000),
    );
  });
});

function shownLabels(value: unknown, inLabels = false): string[] {
  if (typeof value === 'string') return inLabels ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => shownLabels(item, inLabels || key === 'securityLabels'));
}

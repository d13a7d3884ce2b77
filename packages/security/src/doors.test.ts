import { isCodedError } from '@cairn/errors';
import { describe, expect, it } from 'vitest';
import {
  allOf,
  anyOf,
  attributesFromJson,
  canonicalLabel,
  checkStatedLabel,
  createLabelSetTable,
  createLabelTable,
  createViewer,
  evaluateLabel,
  formatLabel,
  isEmptyLabel,
  labelFromPolicyInformation,
  labelledLeaves,
  parseLabel,
  redactDocument,
  toHierarchies,
} from './index.ts';

/** What callers without types pass. */
const WRONG: readonly unknown[] = [undefined, null, 7, Number.NaN, true, 'text', [], {}, new Date(0), () => 'x'];

// biome-ignore lint/suspicious/noExplicitAny: what a caller without types passes
type Wrong = any;

const viewer = createViewer({ attributes: {} });
const label = parseLabel('a');

/** A door with one wrong argument, and the values that are right there. */
const DOORS: readonly (readonly [name: string, call: (wrong: Wrong) => unknown, right: readonly string[]])[] = [
  ['parseLabel', (wrong) => parseLabel(wrong), ['text']],
  ['canonicalLabel', (wrong) => canonicalLabel(wrong), ['text']],
  ['isEmptyLabel', (wrong) => isEmptyLabel(wrong), ['text']],
  ['allOf', (wrong) => allOf(wrong), ['list']],
  ['allOf, a label', (wrong) => allOf([wrong]), ['text']],
  ['anyOf', (wrong) => anyOf(wrong), ['list']],
  ['formatLabel', (wrong) => formatLabel(wrong), []],
  ['evaluateLabel', (wrong) => evaluateLabel(wrong, {}), []],
  ['evaluateLabel, attributes', (wrong) => evaluateLabel(label, wrong), ['object']],
  ['evaluateLabel, hierarchies', (wrong) => evaluateLabel(label, {}, wrong), ['object', 'undefined']],
  ['createViewer', (wrong) => createViewer(wrong), []],
  ['createViewer, attributes', (wrong) => createViewer({ attributes: wrong }), ['object']],
  ['createViewer, values', (wrong) => createViewer({ attributes: { a: wrong } }), ['list']],
  ['createViewer, a value', (wrong) => createViewer({ attributes: { a: [wrong] } }), ['text']],
  [
    'createViewer, hierarchies',
    (wrong) => createViewer({ attributes: {}, hierarchies: wrong }),
    ['object', 'undefined', 'null'],
  ],
  ['createViewer, a hierarchy', (wrong) => createViewer({ attributes: {}, hierarchies: { a: wrong } }), ['list']],
  ['attributesFromJson', (wrong) => attributesFromJson(wrong), ['object']],
  [
    'attributesFromJson, a value',
    (wrong) => attributesFromJson({ a: wrong }),
    ['text', 'number', 'boolean', 'list', 'object', 'null', 'undefined', 'date'],
  ],
  ['toHierarchies', (wrong) => toHierarchies(wrong), ['object', 'list']],
  ['labelFromPolicyInformation', (wrong) => labelFromPolicyInformation(wrong), []],
  ['redactDocument', (wrong) => redactDocument(wrong, viewer), ['object']],
  ['redactDocument, viewer', (wrong) => redactDocument({}, wrong), []],
  ['redactDocument, options', (wrong) => redactDocument({}, viewer, wrong), ['object', 'undefined']],
  ['labelledLeaves', (wrong) => labelledLeaves(wrong), ['object']],
  ['createLabelTable', (wrong) => createLabelTable(wrong), ['list', 'undefined']],
  ['LabelTable.intern', (wrong) => createLabelTable().intern(wrong), ['text']],
  ['LabelTable.label', (wrong) => createLabelTable().label(wrong), []],
  ['createLabelSetTable', (wrong) => createLabelSetTable(wrong), []],
  ['createLabelSetTable, sets', (wrong) => createLabelSetTable(createLabelTable(), wrong), ['list', 'undefined']],
  ['LabelSetTable.intern', (wrong) => createLabelSetTable(createLabelTable()).intern(wrong), ['list']],
  ['checkStatedLabel', (wrong) => checkStatedLabel(wrong, { where: 'it', writer: undefined }), ['text']],
  ['checkStatedLabel, writer', (wrong) => checkStatedLabel('a', { where: 'it', writer: wrong }), ['undefined']],
];

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'list';
  if (value instanceof Date) return 'date';
  return typeof value === 'string' ? 'text' : Number.isNaN(value) ? 'nan' : typeof value;
}

describe('a door of this package', () => {
  it.each(DOORS)('%s refuses what it cannot use, with a code', (_name, call, right) => {
    for (const wrong of WRONG) {
      const outcome = attempt(() => call(wrong));
      if (right.includes(kindOf(wrong))) expect([kindOf(wrong), outcome]).toEqual([kindOf(wrong), 'done']);
      else expect([kindOf(wrong), outcome]).toEqual([kindOf(wrong), 'invalid']);
    }
  });

  it('decides nothing for what is no label: it denies', () => {
    for (const wrong of WRONG) if (wrong !== 'text') expect(viewer.permits(wrong as Wrong)).toBe(false);
  });

  it('takes a date for its text, as JSON does', () => {
    expect(attributesFromJson({ since: new Date(0) })).toEqual({ since: ['1970-01-01T00:00:00.000Z'] });
    const document = { made: new Date(0), securityLabels: { defaults: '*' } } as Wrong;
    expect(redactDocument(document, viewer)).toEqual({ made: '1970-01-01T00:00:00.000Z' });
  });
});

/** `done`, the kind of a coded error, or the message of another. */
function attempt(call: () => unknown): string {
  try {
    call();
    return 'done';
  } catch (error) {
    return isCodedError(error) ? error.kind : String(error);
  }
}

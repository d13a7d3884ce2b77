import { type AnyArgument, type Door, doorFaults, WRONG_ARGUMENTS } from '@cairn/errors/conformance';
import { describe, expect, it } from 'vitest';
import {
  allOf,
  anyOf,
  attributesFromJson,
  checkDefaultLabel,
  checkStatedLabel,
  createLabelSetTable,
  createLabelTable,
  createViewer,
  createViewerOfEverything,
  evaluateLabel,
  formatLabel,
  isEmptyLabel,
  labelFromPolicyInformation,
  labelledLeaves,
  parseLabel,
  redactDocument,
} from './index.ts';

const viewer = createViewer({ attributes: {} });
const label = parseLabel('a');

const DOORS: readonly Door[] = [
  ['parseLabel', (wrong) => parseLabel(wrong), ['text']],
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
  ['labelFromPolicyInformation', (wrong) => labelFromPolicyInformation(wrong), []],
  ['redactDocument', (wrong) => redactDocument(wrong, viewer), ['object']],
  ['redactDocument, viewer', (wrong) => redactDocument({}, wrong), []],
  ['redactDocument, options', (wrong) => redactDocument({}, viewer, wrong), ['object', 'undefined']],
  [
    'redactDocument, defaultLabel',
    (defaultLabel) => redactDocument({}, viewer, { defaultLabel }),
    ['text', 'undefined'],
  ],
  ['labelledLeaves, defaultLabel', (defaultLabel) => labelledLeaves({}, { defaultLabel }), ['text', 'undefined']],
  ['checkDefaultLabel', (wrong) => checkDefaultLabel(wrong, 'the label'), ['text', 'undefined']],
  ['labelledLeaves', (wrong) => labelledLeaves(wrong), ['object']],
  ['createLabelTable', (wrong) => createLabelTable(wrong), ['list', 'undefined']],
  ['LabelTable.intern', (wrong) => createLabelTable().intern(wrong), ['text']],
  ['LabelTable.label', (wrong) => createLabelTable().label(wrong), []],
  ['createLabelSetTable', (wrong) => createLabelSetTable(wrong), []],
  ['createLabelSetTable, sets', (wrong) => createLabelSetTable(createLabelTable(), wrong), ['list', 'undefined']],
  ['LabelSetTable.intern', (wrong) => createLabelSetTable(createLabelTable()).intern(wrong), ['list']],
  ['checkStatedLabel', (wrong) => checkStatedLabel(wrong, { where: 'it', writer: undefined }), ['text']],
  ['checkStatedLabel, options', (wrong) => checkStatedLabel('a', wrong), []],
  ['checkStatedLabel, where', (where) => checkStatedLabel('a', { where, writer: undefined }), ['text']],
  ['Viewer.permittedLabels', (wrong) => viewer.permittedLabels(wrong), []],
  ['Viewer.permittedSets', (wrong) => viewer.permittedSets(wrong), []],
  ['Viewer.permittedLabels, of everything', (wrong) => createViewerOfEverything().permittedLabels(wrong), []],
  ['Viewer.permittedSets, of everything', (wrong) => createViewerOfEverything().permittedSets(wrong), []],
  ['checkStatedLabel, writer', (wrong) => checkStatedLabel('a', { where: 'it', writer: wrong }), ['undefined']],
];

describe('a door of this package', () => {
  it.each(DOORS)('%s refuses what it cannot use, with a code', async (_name, call, right) => {
    expect(await doorFaults(call, right)).toEqual([]);
  });

  it('decides nothing for what is no label: it denies', () => {
    const { text: _, ...others } = WRONG_ARGUMENTS;
    for (const wrong of Object.values<AnyArgument>(others)) expect(viewer.permits(wrong)).toBe(false);
  });

  it('takes a date for its text, as JSON does', () => {
    expect(attributesFromJson({ since: new Date(0) })).toEqual({ since: ['1970-01-01T00:00:00.000Z'] });
    const document = { made: new Date(0), securityLabels: { defaults: '*' } } as AnyArgument;
    expect(redactDocument(document, viewer)).toEqual({ made: '1970-01-01T00:00:00.000Z' });
  });

  it('refuses a default label that is malformed, which would hide everything, and takes an empty one for none', () => {
    const refused = expect.objectContaining({
      code: 'ERR_LABEL_SYNTAX',
      kind: 'invalid',
      message: expect.stringMatching(/^defaultLabel is malformed/),
    });
    for (const defaultLabel of ['bad(', 'a&', 'a b', ')']) {
      for (let time = 0; time < 2; time++) {
        expect(() => redactDocument({ a: 1 }, viewer, { defaultLabel })).toThrow(refused);
        expect(() => labelledLeaves({ a: 1 }, { defaultLabel })).toThrow(refused);
      }
    }
    expect([...labelledLeaves({ a: 1 }, { defaultLabel: '' })]).toEqual([{ path: ['a'], value: 1, label: '!' }]);
  });
});

import { type Door, doorFaults, WRONG_ARGUMENTS } from '@cairn/errors/conformance';
import { dataFactory } from '@cairn/rdf-graph';
import { describe, expect, it } from 'vitest';
import {
  checkOntology,
  createOntologyModel,
  createPreviewPage,
  createStyle,
  createStyleResolver,
  hasSeverity,
  parseStyle,
  setStyle,
  toFlatStyle,
  toStyleTurtle,
  validateOntology,
  validateOntologyInSteps,
  validateStyle,
  withSubclasses,
} from './index.ts';
import { readSourceLines } from './model/source-lines.ts';
import { localNameOf, toFallbackText } from './resolve/fallback-text.ts';
import { upgradeStyle } from './style/upgrade-style.ts';

const SET = { label: '*', factory: dataFactory };
const model = createOntologyModel([]);
const style = createStyleResolver(model).resolve('urn:c');

const DOORS: readonly Door[] = [
  ['checkOntology', (wrong) => checkOntology(wrong), []],
  ['checkOntology, text', (text) => checkOntology({ text, contentType: 'text/turtle' }), ['text']],
  ['checkOntology, type', (contentType) => checkOntology({ text: '', contentType }), ['text']],
  [
    'checkOntology, options',
    (wrong) => checkOntology({ text: '', contentType: 'text/turtle' }, wrong),
    ['object', 'undefined'],
  ],
  ['validateOntology', (wrong) => validateOntology(wrong), ['list']],
  ['validateOntologyInSteps', (wrong) => validateOntologyInSteps(wrong).next(), ['list']],
  ['validateOntologyInSteps, options', (wrong) => validateOntologyInSteps([], wrong).next(), ['object', 'undefined']],
  ['validateOntology, options', (wrong) => validateOntology([], wrong), ['object', 'undefined']],
  ['createOntologyModel', (wrong) => createOntologyModel(wrong), ['list']],
  ['readSourceLines', (wrong) => readSourceLines(wrong), ['text']],
  ['withSubclasses', (wrong) => withSubclasses(wrong, []), []],
  ['withSubclasses, classes', (wrong) => withSubclasses(model, wrong), ['list']],
  ['createStyleResolver', (wrong) => createStyleResolver(wrong), []],
  ['createPreviewPage', (wrong) => createPreviewPage(wrong), []],
  ['createPreviewPage, options', (wrong) => createPreviewPage(model, wrong), ['object', 'undefined']],
  ['toFlatStyle', (wrong) => toFlatStyle(wrong, 'dark'), ['object']],
  ['toFlatStyle, theme', (wrong) => toFlatStyle(style, wrong), []],
  ['toFallbackText', (wrong) => toFallbackText(wrong), ['text']],
  ['localNameOf', (wrong) => localNameOf(wrong), ['text']],
  ['hasSeverity', (wrong) => hasSeverity(wrong, 'error'), ['list']],
  ['hasSeverity, threshold', (wrong) => hasSeverity([], wrong), []],
  ['parseStyle', (wrong) => parseStyle(wrong), ['text']],
  ['parseStyle, context', (wrong) => parseStyle('{}', wrong), ['object', 'undefined']],
  ['validateStyle, context', (wrong) => validateStyle({}, wrong), ['object', 'undefined']],
  ['upgradeStyle', (wrong) => upgradeStyle(wrong), ['object']],
  ['createStyle', (wrong) => createStyle(wrong), ['object', 'undefined']],
  ['createStyle, faIcon', (faIcon) => createStyle({ faIcon }), ['undefined']],
  ['toStyleTurtle', (wrong) => toStyleTurtle(wrong, createStyle()), ['text']],
  ['toStyleTurtle, predicate', (wrong) => toStyleTurtle('urn:c', createStyle(), wrong), ['text', 'undefined']],
  ['setStyle', (wrong) => setStyle(wrong, createStyle(), SET), ['text']],
  ['setStyle, style', (wrong) => setStyle('urn:c', wrong, SET), []],
  ['setStyle, options', (wrong) => setStyle('urn:c', createStyle(), wrong), []],
  ['setStyle, label', (label) => setStyle('urn:c', createStyle(), { ...SET, label }), ['text']],
  ['setStyle, factory', (factory) => setStyle('urn:c', createStyle(), { ...SET, factory }), []],
  ['setStyle, existing', (existing) => setStyle('urn:c', createStyle(), { ...SET, existing }), ['list', 'undefined']],
  [
    'setStyle, stylePredicate',
    (stylePredicate) => setStyle('urn:c', createStyle(), { ...SET, stylePredicate }),
    ['text', 'undefined'],
  ],
  ['createStyleResolver, options', (wrong) => createStyleResolver(model, wrong), ['object', 'undefined']],
  ['StyleResolver.resolve', (wrong) => createStyleResolver(model).resolve(wrong), ['text']],
  ['createOntologyModel, a quad', (wrong) => createOntologyModel([wrong]), []],
  ['createOntologyModel, options', (wrong) => createOntologyModel([], wrong), ['object', 'undefined']],
  ['toStyleTurtle, style', (wrong) => toStyleTurtle('urn:c', wrong), []],
];

describe('a door of this package', () => {
  it.each(DOORS)('%s refuses what it cannot use, with a code', async (_name, call, right) => {
    expect(await doorFaults(call, right)).toEqual([]);
  });

  it('validateStyle finds fault with anything that is no style', () => {
    for (const wrong of Object.values(WRONG_ARGUMENTS)) expect(validateStyle(wrong).length).toBeGreaterThan(0);
  });
});

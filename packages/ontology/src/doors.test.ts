import { isCodedError } from '@cairn/errors';
import { describe, expect, it } from 'vitest';
import {
  checkOntology,
  createOntologyModel,
  createPreviewPage,
  createStyle,
  createStyleResolver,
  hasSeverity,
  localNameOf,
  parseStyle,
  readSourceLines,
  toFallbackText,
  toFlatStyle,
  toStyleTurtle,
  upgradeStyle,
  validateOntology,
  validateStyle,
  withSubclasses,
} from './index.ts';

/** What callers without types pass. */
const WRONG: readonly unknown[] = [undefined, null, 7, Number.NaN, true, 'text', [], {}, new Date(0), () => 'x'];

// biome-ignore lint/suspicious/noExplicitAny: what a caller without types passes
type Wrong = any;

/** A door with one wrong argument, and the kinds of values that are right there. */
type Door = readonly [name: string, call: (wrong: Wrong) => unknown, right: readonly string[]];

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
  ['toStyleTurtle, style', (wrong) => toStyleTurtle('urn:c', wrong), []],
];

describe('a door of this package', () => {
  it.each(DOORS)('%s refuses what it cannot use, with a code', async (_name, call, right) => {
    for (const wrong of WRONG) {
      const kind = kindOf(wrong);
      expect([kind, await attempt(() => call(wrong))]).toEqual([kind, right.includes(kind) ? 'done' : 'invalid']);
    }
  });

  it('validateStyle finds fault with anything that is no style', () => {
    for (const wrong of WRONG) expect(validateStyle(wrong).length).toBeGreaterThan(0);
  });
});

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'list';
  if (value instanceof Date) return 'date';
  return typeof value === 'string' ? 'text' : Number.isNaN(value) ? 'nan' : typeof value;
}

/** `done`, the kind of a coded error, or the message of another. */
async function attempt(call: () => unknown): Promise<string> {
  try {
    await call();
    return 'done';
  } catch (error) {
    return isCodedError(error) ? error.kind : String(error);
  }
}

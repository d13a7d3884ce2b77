import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attributes, hierarchies, type Meaning, writtenLabel } from '../testing/labels.ts';
import { runs } from '../testing/runs.ts';
import { createViewer } from '../viewer/create-viewer.ts';
import { allOf, anyOf } from './combine.ts';

const canonicalLabel = (text: string): string => allOf([text]);

import { parseLabel } from './parse.ts';

const ALL: readonly (readonly [readonly string[], string])[] = [
  [[], ''],
  [['', ' '], ''],
  [['a'], 'a'],
  [['b', 'a'], 'a&b'],
  [['a,b', 'c'], 'a&b&c'],
  [['a|b', 'c'], '(a|b)&c'],
  [['b|a', 'a|b'], 'a|b'],
  [['a', '*'], 'a'],
  [['*', '*'], '*'],
  [['a', '!'], '!'],
  [['a', ''], '!'],
  [['\'a\'="true"', 'a = true', '(a)'], 'a'],
];

const ANY: readonly (readonly [readonly string[], string])[] = [
  [[], ''],
  [['', ''], ''],
  [['b', 'a'], 'a|b'],
  [['a,b', 'c'], 'a&b|c'],
  [['a', '*'], '*'],
  [['a', '!'], 'a'],
  [['!', '!'], '!'],
  [['a', ''], 'a'],
  [['a|(c|b)', 'b|a'], 'a|b|c'],
];

describe('allOf', () => {
  it.each(ALL)('of %j is %j', (labels, expected) => {
    expect(allOf(labels)).toBe(expected);
  });

  it('refuses a malformed label', () => {
    expect(() => allOf(['a', 'a&'])).toThrow(expect.objectContaining({ code: 'ERR_LABEL_SYNTAX' }));
  });

  it('refuses to give what could not be parsed again', () => {
    const long = (letter: string): string => letter.repeat(40_000);
    expect(() => allOf([long('a'), long('b')])).toThrow(expect.objectContaining({ code: 'ERR_LABEL_TOO_LARGE' }));
  });

  it('permits those whom every label permits', () => {
    agreesWithEvaluation(allOf, (decisions) => decisions.every(Boolean));
  });
});

describe('anyOf', () => {
  it.each(ANY)('of %j is %j', (labels, expected) => {
    expect(anyOf(labels)).toBe(expected);
  });

  it('refuses a malformed label', () => {
    expect(() => anyOf(['*', 'a<b'])).toThrow(expect.objectContaining({ code: 'ERR_LABEL_SYNTAX' }));
  });

  it('permits those whom at least one label permits', () => {
    agreesWithEvaluation(anyOf, (decisions) => decisions.some(Boolean));
  });
});

describe('the canonical label', () => {
  it('is its own canonical label', () => {
    fc.assert(
      fc.property(writtenLabel, ({ text }) => {
        const canonical = canonicalLabel(text);
        expect(canonicalLabel(canonical)).toBe(canonical);
        expect(parseLabel(canonical).kind).not.toBe('list');
      }),
      runs(2000, 100_000),
    );
  });

  it('is equal for labels that differ in order, repetition and nesting', () => {
    fc.assert(
      fc.property(writtenLabel, fc.infiniteStream(fc.nat(7)), ({ text, meaning }, choices) => {
        expect(canonicalLabel(plainly(rearranged(meaning, choices)))).toBe(canonicalLabel(text));
      }),
      runs(3000, 100_000),
    );
  });

  it('keeps a label that nests as deep as may be', () => {
    let deep = 'x0';
    for (let level = 1; level <= 100; level++) deep = `x${level}${level % 2 === 0 ? '|' : '&'}(${deep})`;
    expect(canonicalLabel(canonicalLabel(deep))).toBe(canonicalLabel(deep));
  });
});

function agreesWithEvaluation(
  combine: (labels: readonly string[]) => string,
  expected: (decisions: readonly boolean[]) => boolean,
): void {
  const labels = fc.array(fc.oneof(writtenLabel, fc.constant({ text: '' })), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(labels, attributes, hierarchies, (written, user, tiers) => {
      const viewer = createViewer({ attributes: user, hierarchies: tiers });
      const texts = written.map(({ text }) => text);
      expect(viewer.permits(combine(texts))).toBe(expected(texts.map((text) => viewer.permits(text))));
    }),
    runs(3000, 100_000),
  );
}

/** The same meaning with items turned around, repeated, or wrapped in a group of one's own kind. */
function rearranged(meaning: Meaning, choices: Iterator<number>): Meaning {
  if (meaning.kind !== 'all' && meaning.kind !== 'any') return meaning;
  const { kind } = meaning;
  const items = meaning.items.map((item) => rearranged(item, choices));
  const choice = choices.next().value as number;
  if (choice & 1) items.reverse();
  if (choice & 2) items.push(items[0]);
  if (choice & 4)
    return {
      kind,
      items: [
        { kind, items: items.slice(0, 1) },
        { kind, items },
      ],
    };
  return { kind, items };
}

function plainly(meaning: Meaning): string {
  if (meaning.kind === 'everyone') return '*';
  if (meaning.kind === 'nobody') return '!';
  if (meaning.kind !== 'test') return meaning.items.map(grouped).join(meaning.kind === 'all' ? '&' : '|');
  return `${JSON.stringify(meaning.attribute)}${meaning.negated ? '!=' : '='}${JSON.stringify(meaning.value)}`;
}

function grouped(meaning: Meaning): string {
  return meaning.kind === 'test' ? plainly(meaning) : `(${plainly(meaning)})`;
}

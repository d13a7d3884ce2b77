import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IS_LONG, PROPERTY_TIMEOUT_MS } from '../testing/runs.ts';
import { Gazetteer } from './gazetteer.ts';
import type { NameMatch } from './name-matches.ts';
import { type NamedEntity, nameEntries, UNTYPED_CATEGORY } from './named-entity.ts';
import { tokenize } from './tokenizer.ts';

const RUNS = IS_LONG ? 20_000 : 300;

function run<Result>(search: Generator<void, Result, undefined>): Result {
  for (;;) {
    const step = search.next();
    if (step.done) return step.value;
  }
}

function entity(uri: string, names: readonly string[], label = '*'): NamedEntity {
  return { uri, names: names.map((value) => ({ value, label })), types: [{ value: 'urn:type', label }] };
}

function gazetteerOf(...entities: readonly NamedEntity[]): Gazetteer {
  const gazetteer = new Gazetteer();
  for (const one of entities) gazetteer.set(one);
  return gazetteer;
}

function found(gazetteer: Gazetteer, text: string): string[] {
  return run(gazetteer.find(text)).map(({ start, end, entry }) => `${text.slice(start, end)} ${entry.uri}`);
}

describe('the gazetteer', () => {
  const apollo = gazetteerOf(
    entity('a11', ['Apollo 11', 'Apollo XI']),
    entity('apollo', ['Apollo']),
    entity('ny', ['New York']),
    entity('armstrong', ['Neil Armstrong', 'Armstrong']),
  );

  it('finds the longest name at each place', () => {
    expect(found(apollo, 'Apollo 11 and Apollo; Neil Armstrong.')).toEqual([
      'Apollo 11 a11',
      'Apollo apollo',
      'Neil Armstrong armstrong',
    ]);
  });

  it('compares without case, marks, compatibility forms and line breaks', () => {
    expect(found(apollo, 'APOLLO\n11, néil ＡＲＭＳＴＲＯＮＧ')).toEqual([
      'APOLLO\n11 a11',
      'néil ＡＲＭＳＴＲＯＮＧ armstrong',
    ]);
  });

  it('finds whole words only, and none across paragraphs', () => {
    expect(found(apollo, 'Apollonia, Apollo110 and New\n\nYork')).toEqual([]);
  });

  it('finds names in scripts without spaces', () => {
    const japan = gazetteerOf(entity('moon', ['月面']), entity('a11', ['アポロ11号']));
    expect(found(japan, '1969年、アポロ11号は月面に着いた。')).toEqual(['アポロ11号 a11', '月面 moon']);
  });

  it('finds every thing that a name stands for', () => {
    const two = gazetteerOf(entity('planet', ['Mercury']), entity('metal', ['mercury']));
    expect(found(two, 'Mercury').sort()).toEqual(['Mercury metal', 'Mercury planet']);
  });

  it('compiles many names in slices, and finds what was there when a text came', () => {
    const gazetteer = new Gazetteer();
    const count = 20_000;
    for (let i = 0; i < count; i++) gazetteer.set(entity(`e${i}`, [`Capsule number ${i}`]));
    const first = gazetteer.find('Capsule number 7');
    const second = gazetteer.find('Capsule number 19999 and Lander');
    let slices = 0;
    for (let step = first.next(); ; step = first.next()) {
      if (step.done) {
        expect(step.value.map(({ entry }) => entry.uri)).toEqual(['e7']);
        break;
      }
      slices++;
      second.next();
      gazetteer.set(entity(`late ${slices}`, [`Lander ${slices}`]));
    }
    // Two thousand names, or states, in each slice of which the second text takes every other.
    expect(slices).toBeGreaterThan(count / 2048 / 2);
    expect(run(second).map(({ entry }) => entry.uri)).toEqual(['e19999']);
    expect(found(gazetteer, 'Lander 1')).toEqual(['Lander 1 late 1']);
  });

  it('follows changes', () => {
    const gazetteer = gazetteerOf(entity('a', ['Eagle']));
    gazetteer.set(entity('a', ['Intrepid']));
    gazetteer.set(entity('b', ['Eagle Nebula']));
    expect(found(gazetteer, 'Eagle, Intrepid, Eagle Nebula')).toEqual(['Intrepid a', 'Eagle Nebula b']);
    gazetteer.set({ uri: 'b', names: [], types: [] });
    expect(found(gazetteer, 'Eagle Nebula')).toEqual([]);
    expect(gazetteer.size).toBe(1);
  });

  it('keeps a visible short name that a hidden longer one contains', () => {
    const gazetteer = gazetteerOf(entity('short', ['Orion']), entity('long', ['Project Orion'], 'clearance=TS'));
    expect(found(gazetteer, 'Project Orion')).toContain('Orion short');
  });

  it('searches in slices and finds the same', () => {
    const text = `${'word '.repeat(10_000)}Apollo 11`;
    const search = apollo.find(text);
    expect(search.next().done).toBe(false);
    expect(run(search).length).toBe(1);
  });
});

describe('what a name stands for', () => {
  it('has the type under the label of the name when everybody who sees the name sees the type', () => {
    const entries = nameEntries({
      uri: 'u',
      names: [{ value: 'N', label: 'a' }],
      types: [{ value: 'urn:t', label: '*' }],
    });
    expect([...(entries.get('N') ?? [])]).toEqual([{ uri: 'u', category: 'urn:t', label: 'a' }]);
  });

  it('has an entry without a type that is more secret than the name', () => {
    const entries = nameEntries({
      uri: 'u',
      names: [{ value: 'N', label: 'a' }],
      types: [{ value: 'urn:t', label: 'b' }],
    });
    expect([...(entries.get('N') ?? [])]).toEqual([
      { uri: 'u', category: UNTYPED_CATEGORY, label: 'a' },
      { uri: 'u', category: 'urn:t', label: 'a&b' },
    ]);
  });
});

/** The naive reference: every name at every token, then from left to right the longest of each label. */
function findNaively(entities: readonly NamedEntity[], text: string): string[] {
  const tokens = [...tokenize(text)];
  const matches: NameMatch[] = [];
  for (const one of entities) {
    for (const [name, entries] of nameEntries(one)) {
      const forms = [...tokenize(name)].map(({ form }) => form);
      for (let at = 0; at + forms.length <= tokens.length; at++) {
        if (forms.length === 0 || forms.join(' ').length < 2) continue;
        if (!forms.every((form, offset) => tokens[at + offset].form === form)) continue;
        const start = tokens[at].start;
        const end = tokens[at + forms.length - 1].end;
        for (const entry of entries) matches.push({ start, end, entry });
      }
    }
  }
  const chosen: NameMatch[] = [];
  for (const label of new Set(matches.map(({ entry }) => entry.label))) {
    const own = matches.filter(({ entry }) => entry.label === label);
    own.sort((a, b) => a.start - b.start || b.end - a.end);
    let last = { start: -1, end: -1 };
    for (const match of own) {
      const same = match.start === last.start && match.end === last.end;
      if (match.start < last.end && !same) continue;
      chosen.push(match);
      last = match;
    }
  }
  return chosen.map(({ start, end, entry }) => `${start}-${end} ${entry.uri} ${entry.label}`).sort();
}

const word = fc.constantFrom('aa', 'bb', 'cc', 'dd');
const name = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
const label = fc.constantFrom('*', 'x', 'y');
const named = fc.record({
  uri: fc.constantFrom('u1', 'u2', 'u3', 'u4', 'u5'),
  names: fc.uniqueArray(fc.record({ value: name, label }), { maxLength: 4, selector: ({ value }) => value }),
  types: fc.constant([]),
});

describe('the automaton', () => {
  it('finds what a naive search finds, through any sequence of changes', { timeout: PROPERTY_TIMEOUT_MS }, () => {
    fc.assert(
      fc.property(fc.array(named, { maxLength: 12 }), fc.array(word, { maxLength: 30 }), (changes, words) => {
        const gazetteer = new Gazetteer();
        const current = new Map<string, NamedEntity>();
        for (const change of changes) {
          gazetteer.set(change);
          current.set(change.uri, change);
        }
        const text = words.join(' ');
        const matches = run(gazetteer.find(text));
        const actual = matches.map(({ start, end, entry }) => `${start}-${end} ${entry.uri} ${entry.label}`).sort();
        expect(actual).toEqual(findNaively([...current.values()], text));
      }),
      { numRuns: RUNS },
    );
  });
});

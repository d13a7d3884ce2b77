import { runAtOnce } from '@cairn/events';
import { describe, expect, it } from 'vitest';
import { readLabelledDocument } from '../document/labelled-document.ts';
import { compileIndexMapping } from '../mapping/index-mapping.ts';
import { SegmentBuilder } from './segment-builder.ts';

const mapping = compileIndexMapping('search');
const VALUES = 10_000;

/** Adds a document with as many values in one field; how often it paused, and the segment. */
function build(values: number) {
  const notes = Array.from({ length: values }, (_, i) => `note ${i}`);
  const document = { uri: 'd', notes, securityLabels: { defaults: '*' } };
  const builder = new SegmentBuilder(mapping);
  const steps = builder.add(readLabelledDocument(document, mapping));
  let pauses = 0;
  while (steps.next().done !== true) pauses += 1;
  return { pauses, segment: runAtOnce(builder.finish()) };
}

describe('a document with many values in one field', () => {
  it('is added with a pause after each few hundred of them, as text and as exact terms', () => {
    const { pauses, segment } = build(VALUES);
    expect(pauses).toBeGreaterThan((3 * VALUES) / 512);
    // Each is a whole term, and all lie in one slot.
    expect(segment.spaces.mirror.terms.size).toBeGreaterThanOrEqual(VALUES);
    expect(segment.spaces.text.terms.size).toBeGreaterThan(VALUES);
    const field = segment.fields.indexOf('notes');
    const slots = [...segment.spaces.mirror.slots.field].filter((number) => number === field);
    expect(slots).toHaveLength(1);
  });

  it('is added at once when it has few', () => {
    expect(build(100).pauses).toBe(0);
  });
});

describe('a document with long texts in one field', () => {
  it('is added with pauses, and has the terms of one that is added at once', () => {
    const words = Array.from({ length: 10_000 }, (_, i) => `word${i % 300}`).join(' ');
    const document = { uri: 'd', primaryName: ['short', words, 'end'], securityLabels: { defaults: '*' } };
    const builder = new SegmentBuilder(mapping);
    const steps = builder.add(readLabelledDocument(document, mapping));
    let pauses = 0;
    while (steps.next().done !== true) pauses += 1;
    expect(pauses).toBeGreaterThan((2 * 10_000) / 4096);
    const pieces = words.split(' ').map((word) => ({ word }));
    const parted = { ...document, primaryName: 'short', end: 'end', pieces };
    const other = new SegmentBuilder(mapping);
    runAtOnce(other.add(readLabelledDocument(parted, mapping)));
    const { text, typeahead } = runAtOnce(builder.finish()).spaces;
    expect(text.terms.size).toBe(302);
    expect(typeahead.terms.size).toBe(302);
    const expected = runAtOnce(other.finish()).spaces.text;
    for (let rank = 0; rank < 302; rank++) {
      expect(text.terms.term(rank)).toBe(expected.terms.term(rank));
    }
  });
});

describe('many documents of words of their own', () => {
  it('are added with pauses while the tables of words grow, and keep every word', () => {
    const builder = new SegmentBuilder(mapping);
    let pauses = 0;
    for (let i = 0; i < 1500; i++) {
      const text = Array.from({ length: 40 }, (_, word) => `w${i}x${word}`).join(' ');
      const document = { uri: `d${String(i).padStart(4, '0')}`, text, securityLabels: { defaults: '*' } };
      const steps = builder.add(readLabelledDocument(document, mapping));
      while (steps.next().done !== true) pauses += 1;
    }
    // A table of 2^16 cells is moved in eight pieces.
    expect(pauses).toBeGreaterThan(8);
    const { terms } = runAtOnce(builder.finish()).spaces.text;
    for (let i = 0; i < 1500; i += 7) expect(terms.find(`w${i}x${i % 40}`)).toBeGreaterThanOrEqual(0);
  });
});

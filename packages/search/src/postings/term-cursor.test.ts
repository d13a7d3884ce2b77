import { runAtOnce } from '@cairn/events';
import { createViewer } from '@cairn/security';
import { describe, expect, it } from 'vitest';
import { readLabelledDocument } from '../document/labelled-document.ts';
import { compileFieldSelection } from '../mapping/field-selection.ts';
import { compileIndexMapping } from '../mapping/index-mapping.ts';
import type { SearchDocument } from '../port/search-index.ts';
import { countVisible } from '../scoring/statistics.ts';
import { SegmentBuilder } from '../segment/segment-builder.ts';
import { createSegmentState, type SegmentState, withoutDocuments } from '../segment/segment-state.ts';
import { openVisibleSlots, viewSegment } from '../segment/segment-view.ts';
import { Random } from '../testing/random.ts';
import { END } from './cursor.ts';
import { countVisibleDocuments, isTermVisible, TermCursor, TermProbe } from './term-cursor.ts';

const mapping = compileIndexMapping('search');
const FIELDS = { title: 2, body: 1, aside: 0 };
const SELECTION = compileFieldSelection(['title^2', 'body']);
const viewer = createViewer({ attributes: { c: ['O'] } });
const LABELS = ['*', 'c=O', 'c=S'];

function makeDocuments(random: Random, count: number): SearchDocument[] {
  const text = (): string => random.list(0, 4, () => random.pick(['moon', 'dust', 'sun'])).join(' ');
  return Array.from({ length: count }, (_, i) => ({
    ...{ uri: String(i).padStart(5, '0'), title: text(), body: text(), aside: text() },
    securityLabels: { title: random.pick(LABELS), body: random.pick(LABELS), aside: '*', uri: '*' },
  }));
}

/** Counts by reading the documents: the weighted frequency of a term in each that has it. */
function countNaively(documents: readonly SearchDocument[], dead: ReadonlySet<number>, term: string) {
  const found: [document: number, frequency: number][] = [];
  documents.forEach((document, number) => {
    const labels = document['securityLabels'] as Record<string, string>;
    let frequency = 0;
    for (const [field, weight] of Object.entries(FIELDS)) {
      if (labels[field] === 'c=S') continue;
      frequency +=
        weight *
        String(document[field])
          .split(' ')
          .filter((word) => word === term).length;
    }
    if (frequency > 0 && !dead.has(number)) found.push([number, frequency]);
  });
  return found;
}

function openTerm(state: SegmentState, term: string) {
  const view = viewSegment(state, viewer, 0);
  const space = state.segment.spaces.text;
  const visible = openVisibleSlots(view, 'text', SELECTION);
  return { view, space, visible, ordinal: space.terms.find(term) };
}

describe('walking the postings of a term', () => {
  const random = new Random(5);
  const documents = makeDocuments(random, 1500);
  const builder = new SegmentBuilder(mapping);
  for (const document of documents) runAtOnce(builder.add(readLabelledDocument(document, mapping)));
  const whole = runAtOnce(createSegmentState(runAtOnce(builder.finish())));
  const dead = new Set(Array.from({ length: 200 }, () => random.below(1500)));
  const states: [string, SegmentState, ReadonlySet<number>][] = [
    ['all alive', whole, new Set()],
    ['with deletions', withoutDocuments(whole, [...dead]), dead],
  ];

  it('counts a term anew once documents are deleted, also where the count before is remembered', () => {
    const alive = viewSegment(whole, viewer, 0);
    const later = viewSegment(withoutDocuments(runAtOnce(createSegmentState(whole.segment)), [...dead]), viewer, 0);
    for (const term of ['moon', 'dust', 'moon', 'sun', 'dust']) {
      expect(countVisible(alive, 'text', term, SELECTION)).toBe(countNaively(documents, new Set(), term).length);
      expect(countVisible(later, 'text', term, SELECTION)).toBe(countNaively(documents, dead, term).length);
    }
  });

  it.each(states)('finds what a reader of the documents finds, %s', (_, state, gone) => {
    for (const term of ['moon', 'dust', 'sun']) {
      const { view, space, visible, ordinal } = openTerm(state, term);
      const cursor = new TermCursor(space, ordinal, view, visible);
      const found: [number, number][] = [];
      for (let at = cursor.next(); at !== END; at = cursor.next()) found.push([at, cursor.frequency]);
      const expected = countNaively(documents, gone, term);
      expect(found).toEqual(expected);
      expect(countVisibleDocuments(space, ordinal, view, visible)).toBe(expected.length);
      expect(isTermVisible(space, ordinal, view, visible)).toBe(true);
    }
  });

  it.each(states)('advances to the first at or after a document, %s', (_, state, gone) => {
    const { view, space, visible, ordinal } = openTerm(state, 'moon');
    const expected = countNaively(documents, gone, 'moon');
    for (let round = 0; round < 50; round++) {
      const cursor = new TermCursor(space, ordinal, view, visible);
      for (let target = random.below(40); target < 1500; target += 1 + random.below(round * 10 + 2)) {
        if (cursor.document >= target) continue;
        const next = expected.find(([document]) => document >= target);
        expect(cursor.advance(target)).toBe(next?.[0] ?? END);
        if (next === undefined) break;
        expect(cursor.frequency).toBe(next[1]);
      }
    }
  });

  it('opens blocks in any order', () => {
    const { view, space, visible, ordinal } = openTerm(whole, 'dust');
    const cursor = new TermCursor(space, ordinal, view, visible);
    const found: [number, number][] = [];
    for (let block = cursor.endBlock - 1; block >= cursor.firstBlock; block--) {
      cursor.openBlock(block);
      for (let i = 0; i < cursor.count; i++) found.push([cursor.documents[i], cursor.sums[i]]);
    }
    expect(cursor.endBlock - cursor.firstBlock).toBeGreaterThan(3);
    expect(found.sort(([a], [b]) => a - b)).toEqual(countNaively(documents, new Set(), 'dust'));
  });

  it('is looked up by a probe in ascending documents', () => {
    const { view, space, visible, ordinal } = openTerm(whole, 'sun');
    const expected = new Map(countNaively(documents, new Set(), 'sun'));
    for (let round = 0; round < 50; round++) {
      const probe = new TermProbe(new TermCursor(space, ordinal, view, visible));
      for (let document = random.below(9); document < 1500; document += 1 + random.below(round * 8 + 1)) {
        expect(probe.frequencyIn(document)).toBe(expected.get(document) ?? 0);
      }
    }
  });
});

import { runAtOnce } from '@cairn/events';
import { describe, expect, it } from 'vitest';
import { readLabelledDocument } from '../document/labelled-document.ts';
import { compileIndexMapping } from '../mapping/index-mapping.ts';
import type { SearchDocument } from '../port/search-index.ts';
import { describeHistograms } from '../testing/described-segment.ts';
import { Random } from '../testing/random.ts';
import { findInHistograms, subtractFromHistograms } from './histogram-updates.ts';
import { SPACE_NAMES } from './segment.ts';
import { SegmentBuilder } from './segment-builder.ts';
import { createSegmentState, type SegmentState } from './segment-state.ts';

const mapping = compileIndexMapping('search');
const LABELS = ['*', 'c=O', 'c=S', 'o=A|o=B', '["*"]'];

function makeDocuments(random: Random, count: number): SearchDocument[] {
  return Array.from({ length: count }, (_, i) => ({
    uri: `${i}`.padStart(6, '0'),
    primaryName: random.pick(['moon', 'the moon', 'sun']),
    body: random.list(1, 5, () => random.pick(['moon', 'dust', 'running'])).join(' '),
    notes: random.list(1, 3, () => random.pick(['moon', 'dust'])),
    flag: random.chance(0.8),
    securityLabels: { defaults: random.pick(LABELS), body: random.pick(LABELS), notes: LABELS.slice(0, 3) },
  }));
}

function buildSegment(documents: readonly SearchDocument[]) {
  const builder = new SegmentBuilder(mapping);
  for (const document of documents) runAtOnce(builder.add(readLabelledDocument(document, mapping)));
  return runAtOnce(builder.finish());
}

function remove(state: SegmentState, document: SearchDocument): void {
  const places = runAtOnce(findInHistograms(state.segment, readLabelledDocument(document, mapping), mapping));
  subtractFromHistograms(state, places);
}

describe('histograms', () => {
  it('count after deletions what they would count had the documents never come', () => {
    const random = new Random(11);
    const documents = makeDocuments(random, 3000);
    const state = runAtOnce(createSegmentState(buildSegment(documents)));
    const left = documents.filter((document) => {
      if (!random.chance(0.3)) return true;
      remove(state, document);
      return false;
    });
    const expected = buildSegment(left);
    let compared = 0;
    for (const name of SPACE_NAMES) {
      const counts = state.totals.histograms[name];
      const found = describeHistograms(state.segment, state.segment.spaces[name], counts);
      for (const [term, pairs] of Object.entries(describeHistograms(expected, expected.spaces[name]))) {
        expect(found[term]).toEqual(pairs);
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(8);
  });

  it('leave the counts of the segment itself as they are', () => {
    const documents = makeDocuments(new Random(12), 800);
    const state = runAtOnce(createSegmentState(buildSegment(documents)));
    const before = state.segment.spaces.text.histograms.count.slice();
    remove(state, documents[0]);
    expect(state.segment.spaces.text.histograms.count).toEqual(before);
    expect(state.totals.histograms.text).not.toEqual(before);
  });
});

import { runAtOnce } from '@cairn/events';
import { describe, expect, it } from 'vitest';
import { readLabelledDocument } from '../document/labelled-document.ts';
import { compileIndexMapping } from '../mapping/index-mapping.ts';
import type { SearchDocument } from '../port/search-index.ts';
import { PostingsWriter } from '../postings/postings-writer.ts';
import type { Segment } from '../segment/segment.ts';
import { SegmentBuilder } from '../segment/segment-builder.ts';
import { createSegmentState, type SegmentState, withoutDocuments } from '../segment/segment-state.ts';
import { readStoredDocument } from '../segment/stored-documents.ts';
import { compareByCodePoint } from '../segment/term-dictionary.ts';
import { describeSegment } from '../testing/described-segment.ts';
import { Random } from '../testing/random.ts';
import { randomDocument } from '../testing/random-corpus.ts';
import { mergeSegments } from './segment-merger.ts';

const CASES = process.env['CAIRN_LONG'] === '1' ? 2000 : 60;
const mapping = compileIndexMapping({ name: 'search', defaultLabel: '*' });

function build(documents: readonly SearchDocument[]): Segment {
  const builder = new SegmentBuilder(mapping);
  for (const document of [...documents].sort((a, b) => compareByCodePoint(a.uri, b.uri))) {
    runAtOnce(builder.add(readLabelledDocument(document, mapping)));
  }
  return runAtOnce(builder.finish());
}

function merge(states: readonly SegmentState[]): { state: SegmentState; steps: number } {
  const work = mergeSegments(states, mapping);
  let steps = 1;
  let step = work.next();
  for (; !step.done; step = work.next()) steps++;
  return { state: step.value.state, steps };
}

function storedDocuments({ stored, documentCount }: Segment): unknown[] {
  return Array.from({ length: documentCount }, (_, document) => readStoredDocument(stored, document));
}

describe('a merge of segments', () => {
  it('holds what a segment of the documents that are alive holds, however they were spread', () => {
    for (let seed = 0; seed < CASES; seed++) {
      const random = new Random(seed);
      const parts = random.list(1, 9, () => new Map<string, SearchDocument>());
      for (let i = random.below(120); i > 0; i--) {
        const uri = `http://e.org/${random.below(5000)}é`;
        if (!parts.some((part) => part.has(uri))) random.pick(parts).set(uri, { ...randomDocument(random), uri });
      }
      const states = parts.map((part) => runAtOnce(createSegmentState(build([...part.values()]))));
      const alive: SearchDocument[] = [];
      const left = states.map((state) => {
        const dead: number[] = [];
        for (let document = 0; document < state.segment.documentCount; document++) {
          if (random.chance(0.2)) dead.push(document);
          else alive.push(readStoredDocument(state.segment.stored, document) as SearchDocument);
        }
        return dead.length === 0 ? state : withoutDocuments(state, dead);
      });
      const { state } = merge(left);
      const expected = build(alive);
      expect(describeSegment(state.segment)).toEqual(describeSegment(expected));
      expect(storedDocuments(state.segment)).toEqual(storedDocuments(expected));
    }
  }, 120_000);

  it('pauses within the postings of one term, so that no search waits long', () => {
    const half = (parity: number): SearchDocument[] => {
      return Array.from({ length: 10_000 }, (_, i) => ({ uri: `${i * 2 + parity}`, text: 'common common word' }));
    };
    const states = [0, 1].map((parity) => runAtOnce(createSegmentState(build(half(parity)))));
    let sinceStep = 0;
    let most = 0;
    const add = PostingsWriter.prototype.add;
    PostingsWriter.prototype.add = function (this: PostingsWriter, slot: number, frequency: number): void {
      most = Math.max(most, ++sinceStep);
      add.call(this, slot, frequency);
    };
    try {
      const work = mergeSegments(states, mapping);
      for (let step = work.next(); !step.done; step = work.next()) sinceStep = 0;
    } finally {
      PostingsWriter.prototype.add = add;
    }
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(4096);
  });
});

import { runAtOnce } from '@cairn/events';
import { createViewer } from '@cairn/security';
import { describe, expect, it } from 'vitest';
import { readLabelledDocument } from '../document/labelled-document.ts';
import { compileIndexMapping } from '../mapping/index-mapping.ts';
import { SegmentBuilder } from '../segment/segment-builder.ts';
import { createSegmentState } from '../segment/segment-state.ts';
import { type SegmentView, viewSegment } from '../segment/segment-view.ts';
import { Random } from '../testing/random.ts';
import { TopDocuments } from './top-documents.ts';

const viewer = createViewer({ attributes: {} });

function openView(ids: readonly string[], rank: number): SegmentView {
  const mapping = compileIndexMapping(`index${rank}`);
  const builder = new SegmentBuilder(mapping);
  for (const uri of [...ids].sort()) {
    runAtOnce(builder.add(readLabelledDocument({ uri, text: 'x', securityLabels: { defaults: '*' } }, mapping)));
  }
  return viewSegment(runAtOnce(createSegmentState(runAtOnce(builder.finish()))), viewer, rank);
}

describe('the best documents', () => {
  it('are those of a full sort by score, id and index, in whatever order they are offered', () => {
    const random = new Random(3);
    for (let round = 0; round < 200; round++) {
      const idsOf = (): string[] => [...new Set(random.list(1, 30, () => `d${random.below(40)}`))];
      const views = [openView(idsOf(), 0), openView(idsOf(), 1)];
      const all = views.flatMap((view) => {
        return Array.from({ length: view.segment.documentCount }, (_, document) => {
          return { view, document, score: random.below(4), id: view.segment.ids.term(document) };
        });
      });
      const top = new TopDocuments(1 + random.below(12));
      for (const { view, document, score } of [...all].sort(() => random.next() - 0.5)) {
        if (!top.isHopeless(score, view, document)) top.offer(view, document, score);
      }
      all.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : a.id > b.id ? 1 : a.view.rank - b.view.rank));
      const best = all.slice(0, top.limit).map(({ view, document, score }) => ({ view, document, score }));
      expect(top.toSorted()).toEqual(best);
      expect(new Set(top.toMatches().map(({ document, view }) => `${view.rank}:${document}`))).toEqual(
        new Set(best.map(({ document, view }) => `${view.rank}:${document}`)),
      );
    }
  });

  it('call hopeless only what cannot get in', () => {
    const view = openView(['a', 'b', 'c', 'd'], 0);
    const top = new TopDocuments(2);
    expect(top.isHopeless(0, view, 3)).toBe(false);
    top.offer(view, 1, 5);
    top.offer(view, 2, 3);
    expect(top.threshold).toBe(3);
    expect(top.isHopeless(2, view, 0)).toBe(true);
    expect(top.isHopeless(3, view, 3)).toBe(true);
    expect(top.isHopeless(3, view, 0)).toBe(false);
    expect(top.isHopeless(4, view, 3)).toBe(false);
  });
});

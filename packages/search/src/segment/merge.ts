import { readLabelledDocument } from '../document/labelled-document.ts';
import type { IndexMapping } from '../mapping/index-mapping.ts';
import type { SearchDocument } from '../port/search-index.ts';
import type { Segment } from './segment.ts';
import { SegmentBuilder } from './segment-builder.ts';
import { isLive, type SegmentState } from './segment-state.ts';
import { readStoredDocument } from './stored-documents.ts';
import { compareByCodePoint } from './term-dictionary.ts';

/** One segment with the live documents of several. */
export function rebuildSegments(states: readonly SegmentState[], mapping: IndexMapping): Segment {
  const documents: SearchDocument[] = [];
  for (const { segment, live } of states) {
    for (let i = 0; i < segment.documentCount; i++) {
      if (isLive(live, i)) documents.push(readStoredDocument(segment.stored, i) as SearchDocument);
    }
  }
  documents.sort((a, b) => compareByCodePoint(a.uri, b.uri));
  const builder = new SegmentBuilder(mapping);
  for (const document of documents) builder.add(readLabelledDocument(document, mapping));
  return builder.finish();
}

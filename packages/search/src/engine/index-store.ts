import { type LabelledDocument, readLabelledDocument } from '../document/labelled-document.ts';
import type { IndexMapping } from '../mapping/index-mapping.ts';
import type { SearchDocument } from '../port/search-index.ts';
import { subtractFromHistograms } from '../segment/histogram-updates.ts';
import { rebuildSegments } from '../segment/merge.ts';
import type { Segment } from '../segment/segment.ts';
import { SegmentBuilder } from '../segment/segment-builder.ts';
import { createSegmentState, type SegmentState, withoutDocuments } from '../segment/segment-state.ts';
import { readStoredDocument } from '../segment/stored-documents.ts';
import { compareByCodePoint } from '../segment/term-dictionary.ts';
import { findDocument, type IndexChanges } from './documents.ts';

/** The segments of one named index, and how a batch changes them. */
export class IndexStore {
  readonly mapping: IndexMapping;
  /** Replaced, never written: a reader keeps what it began with. */
  states: readonly SegmentState[] = [];

  constructor(mapping: IndexMapping) {
    this.mapping = mapping;
  }

  /** Builds the segment of a batch's new documents; `undefined` when there are none. */
  build(puts: Iterable<LabelledDocument>): Segment | undefined {
    const sorted = [...puts].sort((a, b) => compareByCodePoint(a.id, b.id));
    if (sorted.length === 0) return undefined;
    const builder = new SegmentBuilder(this.mapping);
    for (const document of sorted) builder.add(document);
    return builder.finish();
  }

  /** Makes a batch visible: old documents go, the new segment comes. */
  install({ removals }: IndexChanges, added: Segment | undefined): void {
    const removed = new Map<SegmentState, number[]>();
    for (const id of removals) {
      const place = findDocument(this.states, id);
      if (place === undefined) continue;
      const documents = removed.get(place.state);
      if (documents === undefined) removed.set(place.state, [place.document]);
      else documents.push(place.document);
    }
    const kept = this.states.map((state) => this.remove(state, removed.get(state)));
    const states = kept.filter(({ liveCount }) => liveCount > 0);
    this.states = added === undefined ? states : [...states, createSegmentState(added)];
    this.mergeSmall();
  }

  private remove(state: SegmentState, documents: readonly number[] | undefined): SegmentState {
    if (documents === undefined) return state;
    for (const document of documents) {
      const alone = new SegmentBuilder(this.mapping);
      const stored = readStoredDocument(state.segment.stored, document) as SearchDocument;
      alone.add(readLabelledDocument(stored, this.mapping));
      subtractFromHistograms(state, alone.finish());
    }
    return withoutDocuments(state, documents);
  }

  private mergeSmall(): void {
    if (this.states.length < 10) return;
    const small = this.states.slice(-10);
    const merged = createSegmentState(rebuildSegments(small, this.mapping));
    this.states = [...this.states.slice(0, -10), merged];
  }
}

import { type LabelledDocument, readLabelledDocument } from '../document/labelled-document.ts';
import type { IndexMapping } from '../mapping/index-mapping.ts';
import { chooseMerge } from '../merge/merge-policy.ts';
import { type MergedSegment, mergeSegments } from '../merge/segment-merger.ts';
import type { SearchDocument } from '../port/search-index.ts';
import { subtractFromHistograms } from '../segment/histogram-updates.ts';
import type { Segment } from '../segment/segment.ts';
import { SegmentBuilder } from '../segment/segment-builder.ts';
import { createSegmentState, isLive, type SegmentState, withoutDocuments } from '../segment/segment-state.ts';
import { SPACE_NAMES } from '../segment/space.ts';
import { readStoredDocument } from '../segment/stored-documents.ts';
import { compareByCodePoint } from '../segment/term-dictionary.ts';
import { findDocument } from './documents.ts';

/** A merge that is under way: step it until it is done, then install what it made. */
export interface MergeInProgress {
  readonly inputs: readonly SegmentState[];
  readonly work: Generator<void, MergedSegment>;
  /** Documents that are rewritten. */
  readonly documentCount: number;
}

/** The segments of one named index, and how batches and merges change them. */
export class IndexStore {
  readonly mapping: IndexMapping;
  /** Replaced, never written: a reader keeps what it began with. */
  states: readonly SegmentState[] = [];

  constructor(mapping: IndexMapping) {
    this.mapping = mapping;
  }

  /** Builds a segment of new documents with distinct ids; `undefined` when there are none. Yields where it may pause. */
  *build(documents: Iterable<LabelledDocument>): Generator<void, Segment | undefined> {
    const sorted = [...documents].sort((a, b) => compareByCodePoint(a.id, b.id));
    if (sorted.length === 0) return undefined;
    const builder = new SegmentBuilder(this.mapping);
    for (const document of sorted) {
      builder.add(document);
      yield;
    }
    return yield* builder.finishInSteps();
  }

  /** A segment of the same live documents, read and analysed anew. */
  rebuild({ segment, live }: SegmentState): Segment | undefined {
    const builder = new SegmentBuilder(this.mapping);
    for (let document = 0; document < segment.documentCount; document++) {
      if (!isLive(live, document)) continue;
      const stored = readStoredDocument(segment.stored, document) as SearchDocument;
      builder.add(readLabelledDocument(stored, this.mapping));
    }
    return builder.documentCount === 0 ? undefined : builder.finish();
  }

  /** Makes a batch visible: the present documents of `removals` go, the new segment comes. */
  install(removals: ReadonlySet<string>, added: Segment | undefined): void {
    const removed = new Map<SegmentState, number[]>();
    for (const id of removals) {
      const place = findDocument(this.states, id);
      if (place === undefined) continue;
      const documents = removed.get(place.state);
      if (documents === undefined) removed.set(place.state, [place.document]);
      else documents.push(place.document);
    }
    const kept = this.states.map((state) => this.remove(state, removed.get(state) ?? []));
    const states = kept.filter(({ liveCount }) => liveCount > 0);
    this.states = added === undefined ? states : [...states, createSegmentState(added)];
  }

  /** Starts the merge that is due, or one of all segments; `undefined` when there is nothing to merge. */
  startMerge(all = false): MergeInProgress | undefined {
    const isWorthwhile = this.states.length > 1 || this.states.some(({ live }) => live !== undefined);
    const inputs = all ? (isWorthwhile ? this.states : undefined) : chooseMerge(this.states);
    if (inputs === undefined) return undefined;
    const documentCount = inputs.reduce((sum, { liveCount }) => sum + liveCount, 0);
    return { inputs, work: mergeSegments(inputs, this.mapping), documentCount };
  }

  /** Puts a merged segment in the place of its inputs; what was deleted meanwhile is deleted there, too. */
  installMerge({ inputs }: MergeInProgress, { state, order }: MergedSegment): void {
    const segments = new Set(inputs.map(({ segment: old }) => old));
    const deleted: number[] = [];
    inputs.forEach((input, number) => {
      const current = this.states.find(({ segment }) => segment === input.segment);
      if (current !== undefined && current.live === input.live) return;
      for (let document = 0; document < input.segment.documentCount; document++) {
        if (!isLive(input.live, document)) continue;
        const isDead = current === undefined || !isLive(current.live, document);
        if (isDead) deleted.push(order.renumbered[number]![document]!);
      }
    });
    const merged = this.remove(state, deleted);
    const rest = this.states.filter(({ segment }) => !segments.has(segment));
    this.states = merged.liveCount > 0 ? [...rest, merged] : rest;
  }

  private remove(state: SegmentState, documents: readonly number[]): SegmentState {
    if (documents.length === 0) return state;
    // Small segments have no histograms, and then the documents need not be read.
    const hasHistograms = SPACE_NAMES.some((name) => state.segment.spaces[name].histograms.term.length > 0);
    for (const document of hasHistograms ? documents : []) {
      const stored = readStoredDocument(state.segment.stored, document) as SearchDocument;
      subtractFromHistograms(state, readLabelledDocument(stored, this.mapping), this.mapping);
    }
    return withoutDocuments(state, documents);
  }
}

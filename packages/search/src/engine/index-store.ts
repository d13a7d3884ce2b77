import { type LabelledDocument, readLabelledDocument } from '../document/labelled-document.ts';
import type { IndexMapping } from '../mapping/index-mapping.ts';
import { chooseMerge } from '../merge/merge-policy.ts';
import { type MergedSegment, mergeSegments } from '../merge/segment-merger.ts';
import { indexFingerprint } from '../persistence/fingerprint.ts';
import type { SearchDocument } from '../port/search-index.ts';
import { subtractFromHistograms } from '../segment/histogram-updates.ts';
import type { Segment } from '../segment/segment.ts';
import { SegmentBuilder } from '../segment/segment-builder.ts';
import {
  createSegmentState,
  isLive,
  type SegmentState,
  withoutDocuments,
  withoutHistograms,
} from '../segment/segment-state.ts';
import { SPACE_NAMES } from '../segment/space.ts';
import { readStoredDocument } from '../segment/stored-documents.ts';
import { compareByCodePoint } from '../segment/term-dictionary.ts';
import { findDocument } from './documents.ts';
import { type RebuildReport, type RebuiltPart, rebuildSegments } from './rebuild.ts';

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
  /** Segments of another mapping or analysis, which answer until they are built anew. */
  private outdated: ReadonlySet<Segment> = new Set();
  private outdatedFingerprint: string | undefined;

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

  /** What the segments were built by: while some are outdated, all are to be built anew when they are loaded. */
  get fingerprint(): string {
    return this.outdatedFingerprint ?? indexFingerprint(this.mapping);
  }

  /** Takes over segments that were built by another mapping or analysis. They are neither merged nor saved as new. */
  adoptOutdated(states: readonly SegmentState[], fingerprint: string): void {
    this.states = states.map(withoutHistograms);
    this.outdated = new Set(this.states.map(({ segment }) => segment));
    this.outdatedFingerprint = fingerprint;
  }

  /** Builds outdated segments anew. Yields where it may pause. */
  rebuild(report: RebuildReport): Generator<void, RebuiltPart[]> {
    return rebuildSegments(
      this.states.filter(({ segment }) => this.outdated.has(segment)),
      this.mapping,
      report,
    );
  }

  /** Puts all that was built anew in the place of outdated segments; what was deleted meanwhile is deleted there. */
  installRebuilt(parts: readonly RebuiltPart[]): void {
    const current = this.states.filter(({ segment }) => !this.outdated.has(segment));
    const rebuilt = parts.map(({ input, documents, state }) => {
      const now = this.states.find(({ segment }) => segment === input.segment);
      const isDead = (document: number): boolean => now === undefined || !isLive(now.live, document);
      return this.remove(
        state,
        documents.flatMap((document, number) => (isDead(document) ? [number] : [])),
      );
    });
    this.states = [...rebuilt.filter(({ liveCount }) => liveCount > 0), ...current];
    this.outdated = new Set();
    this.outdatedFingerprint = undefined;
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
    const states = this.states.filter(({ segment }) => !this.outdated.has(segment));
    const isWorthwhile = states.length > 1 || states.some(({ live }) => live !== undefined);
    const inputs = all ? (isWorthwhile ? states : undefined) : chooseMerge(states);
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

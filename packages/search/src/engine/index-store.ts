import type { LabelledDocument } from '../document/labelled-document.ts';
import type { IndexMapping } from '../mapping/index-mapping.ts';
import { recall } from '../memory/recall.ts';
import { chooseCompaction, chooseMerge } from '../merge/merge-policy.ts';
import { type MergedSegment, mergeSegments } from '../merge/segment-merger.ts';
import { indexFingerprint } from '../persistence/fingerprint.ts';
import type { HistogramPlaces } from '../segment/histogram-updates.ts';
import type { Segment } from '../segment/segment.ts';
import { SegmentBuilder } from '../segment/segment-builder.ts';
import { createSegmentState, isLive, type SegmentState, withoutHistograms } from '../segment/segment-state.ts';
import { sortTerms } from '../segment/sort-terms.ts';
import { TermArena } from '../segment/term-arena.ts';
import { type RebuildReport, type RebuiltPart, rebuildSegments } from './rebuild.ts';
import { findPlaces, type PreparedRemoval, prepareRemoval, removeDocuments, removePrepared } from './removals.ts';

/** A merge that is under way: step it until it is done, then install what it made. */
export interface MergeInProgress {
  readonly inputs: readonly SegmentState[];
  readonly work: Generator<void, MergedSegment>;
  /** True when it may be done at once, and need not be between other work. */
  readonly isSmall: boolean;
}

/** Where documents that are deleted are counted, by number. */
type PreparedPlaces = ReadonlyMap<number, HistogramPlaces>;

/** A segment is finished when it has this many occurrences of terms: more would be long to copy and sort at once. */
const MAX_OCCURRENCES: number = 2 ** 21;

/** Merges up to this many documents and bytes of them are small. */
const MAX_INLINE_DOCUMENTS = 64;
const MAX_INLINE_BYTES: number = 2 ** 18;

/** Ids that are gathered between two chances to pause. */
const IDS_PER_STEP = 4096;

/** The segments of one named index, and how batches and merges change them. */
export class IndexStore {
  readonly mapping: IndexMapping;
  /** Replaced, never written: a reader keeps what it began with. */
  states: readonly SegmentState[] = [];
  /** Segments of another mapping or analysis, which answer until they are built anew. */
  #outdated: ReadonlySet<Segment> = new Set();
  #outdatedFingerprint: string | undefined;

  constructor(mapping: IndexMapping) {
    this.mapping = mapping;
  }

  /** Builds segments of new documents with distinct ids: as few as memory allows. Yields where it may pause. */
  *build(documents: Iterable<LabelledDocument>): Generator<void, SegmentState[]> {
    const all = [...documents];
    const built: SegmentState[] = [];
    // A builder that is not finished would not give back the memory it took over.
    if (all.length === 0) return built;
    let builder = new SegmentBuilder(this.mapping);
    for (const number of yield* sortById(all)) {
      yield* builder.add(all[number]);
      yield;
      if (builder.occurrenceCount < MAX_OCCURRENCES) continue;
      built.push(yield* createSegmentState(yield* builder.finish()));
      builder = new SegmentBuilder(this.mapping);
    }
    if (builder.documentCount > 0) built.push(yield* createSegmentState(yield* builder.finish()));
    return built;
  }

  /** Fingerprint the segments were built under; if any is outdated, all are rebuilt when loaded. */
  get fingerprint(): string {
    return this.#outdatedFingerprint ?? indexFingerprint(this.mapping);
  }

  /** Takes over segments that were built by another mapping or analysis. They are neither merged nor saved as new. */
  adoptOutdated(states: readonly SegmentState[], fingerprint: string): void {
    this.states = states.map(withoutHistograms);
    this.#outdated = new Set(this.states.map(({ segment }) => segment));
    this.#outdatedFingerprint = fingerprint;
  }

  /** Builds outdated segments anew. Yields where it may pause. */
  rebuild(report: RebuildReport): Generator<void, RebuiltPart[]> {
    const outdated = this.states.filter(({ segment }) => this.#outdated.has(segment));
    return rebuildSegments(outdated, this.mapping, report);
  }

  /** Prepares what was deleted while segments were built anew. Yields where it may pause. */
  *prepareRebuilt(parts: readonly RebuiltPart[]): Generator<void, Map<RebuiltPart, PreparedPlaces>> {
    const prepared = new Map<RebuiltPart, PreparedPlaces>();
    for (const part of parts) {
      const { segment } = part.state;
      prepared.set(part, yield* this.#preparePlaces(segment, () => this.#findDeletedOf(part)));
    }
    return prepared;
  }

  /**
   * Puts all that was built anew in the place of outdated segments; what was deleted meanwhile is deleted there, at once
   * where it was not prepared.
   */
  installRebuilt(parts: readonly RebuiltPart[], prepared: ReadonlyMap<RebuiltPart, PreparedPlaces> = new Map()): void {
    const current = this.#current();
    const rebuilt = parts.map((part) => {
      return removeDocuments(part.state, this.#findDeletedOf(part), this.mapping, prepared.get(part));
    });
    this.states = [...rebuilt.filter(({ liveCount }) => liveCount > 0), ...current];
    this.#outdated = new Set();
    this.#outdatedFingerprint = undefined;
  }

  /** Prepares a batch's removals: ids whose present document goes; others are left out. Yields where it may pause. */
  *prepareRemovals(ids: Iterable<string>): Generator<void, PreparedRemoval[]> {
    const prepared: PreparedRemoval[] = [];
    for (const id of ids) {
      const removal = yield* prepareRemoval(id, this.states, this.mapping);
      if (removal !== undefined) prepared.push(removal);
      yield;
    }
    return prepared;
  }

  /** Prepared removals whose documents a merge has moved since then. */
  findMoved(removals: readonly PreparedRemoval[]): PreparedRemoval[] {
    const segments = new Set(this.states.map(({ segment }) => segment));
    return removals.filter(({ segment }) => !segments.has(segment));
  }

  /** Prepares anew the removals whose documents a merge has moved. Yields where it may pause. */
  *renewRemovals(removals: readonly PreparedRemoval[]): Generator<void, PreparedRemoval[]> {
    const moved = new Set(this.findMoved(removals));
    const renewed = yield* this.prepareRemovals(Array.from(moved, ({ id }) => id));
    return [...removals.filter((removal) => !moved.has(removal)), ...renewed];
  }

  /** Makes a batch visible: the prepared removals, of which no merge has moved any, go; the new segments come. */
  install(removals: readonly PreparedRemoval[], added: readonly SegmentState[]): void {
    const bySegment = new Map<Segment, PreparedRemoval[]>();
    for (const removal of removals) recall(bySegment, removal.segment, () => []).push(removal);
    const kept = this.states.map((state) => removePrepared(state, bySegment.get(state.segment) ?? []));
    this.states = [...kept.filter(({ liveCount }) => liveCount > 0), ...added];
  }

  /** Starts the merge that is due; `undefined` when there is nothing to merge. */
  startMerge(): MergeInProgress | undefined {
    const inputs = chooseMerge(this.#current());
    return inputs === undefined ? undefined : this.#start(inputs);
  }

  /** Starts the merges that leave as few segments as can be. */
  startCompaction(): MergeInProgress[] {
    return chooseCompaction(this.#current()).map((inputs) => this.#start(inputs));
  }

  #current(): SegmentState[] {
    return this.states.filter(({ segment }) => !this.#outdated.has(segment));
  }

  #start(inputs: readonly SegmentState[]): MergeInProgress {
    const documentCount = inputs.reduce((sum, { liveCount }) => sum + liveCount, 0);
    const storedBytes = inputs.reduce((sum, { segment }) => sum + segment.stored.bytes.length, 0);
    const isSmall = documentCount <= MAX_INLINE_DOCUMENTS && storedBytes <= MAX_INLINE_BYTES;
    return { inputs, work: mergeSegments(inputs, this.mapping), isSmall };
  }

  /** Starts to write anew a segment that holds deleted documents; `undefined` when there is none. */
  startPurge(): MergeInProgress | undefined {
    const input = this.states.find(({ segment, live }) => live !== undefined && !this.#outdated.has(segment));
    return input === undefined ? undefined : this.#start([input]);
  }

  /** Prepares what was deleted while a merge was under way. Yields where it may pause. */
  prepareInstall(merge: MergeInProgress, merged: MergedSegment): Generator<void, PreparedPlaces> {
    return this.#preparePlaces(merged.state.segment, () => this.#findDeleted(merge, merged));
  }

  /** Where documents that are deleted are counted, also those that are while others are looked for. */
  *#preparePlaces(segment: Segment, findDeleted: () => readonly number[]): Generator<void, PreparedPlaces> {
    const prepared = new Map<number, HistogramPlaces>();
    const findUnprepared = (): number[] => findDeleted().filter((document) => !prepared.has(document));
    for (let left = findUnprepared(); left.length > 0; left = findUnprepared()) {
      for (const document of left) {
        prepared.set(document, yield* findPlaces(segment, document, this.mapping));
        yield;
      }
    }
    return prepared;
  }

  /** Puts a merged segment in the place of its inputs; what was deleted meanwhile is deleted there, too. */
  installMerge(merge: MergeInProgress, merged: MergedSegment, prepared: PreparedPlaces = new Map()): void {
    const segments = new Set(merge.inputs.map(({ segment: old }) => old));
    const state = removeDocuments(merged.state, this.#findDeleted(merge, merged), this.mapping, prepared);
    const rest = this.states.filter(({ segment }) => !segments.has(segment));
    this.states = state.liveCount > 0 ? [...rest, state] : rest;
  }

  /** Documents of a part that was built anew that were deleted from its input since then. */
  #findDeletedOf({ input, documents }: RebuiltPart): number[] {
    const dead = new Set(this.#findDead(input));
    return [...documents.keys()].filter((number) => dead.has(documents[number]));
  }

  /** Documents of a merged segment that were deleted from its inputs since the merge began. */
  #findDeleted({ inputs }: MergeInProgress, { order }: MergedSegment): number[] {
    return inputs.flatMap((input, number) => {
      return this.#findDead(input).map((document) => order.renumbered[number][document]);
    });
  }

  /** Documents that were alive in a state and are not by now. */
  #findDead({ segment, live }: SegmentState): number[] {
    const dead: number[] = [];
    const now = this.states.find((state) => state.segment === segment);
    if (now !== undefined && now.live === live) return dead;
    for (let document = 0; document < segment.documentCount; document++) {
      if (!isLive(live, document)) continue;
      if (now === undefined || !isLive(now.live, document)) dead.push(document);
    }
    return dead;
  }
}

/** Numbers of documents in ascending order of their ids. Yields where it may pause. */
function* sortById(documents: readonly LabelledDocument[]): Generator<void, Uint32Array> {
  if (documents.length === 1) return Uint32Array.of(0);
  const ids = new TermArena();
  for (const { id } of documents) {
    ids.add(id);
    if (ids.size % IDS_PER_STEP === 0) yield;
  }
  yield;
  return yield* sortTerms(ids);
}

import { runAtOnce } from '@cairn/events';
import { labelPlainDocument } from '../document/labelled-document.ts';
import type { IndexMapping } from '../mapping/index-mapping.ts';
import type { SearchDocument } from '../port/search-index.ts';
import { findInHistograms, type HistogramPlaces, subtractFromHistograms } from '../segment/histogram-updates.ts';
import type { Segment } from '../segment/segment.ts';
import { isLive, type SegmentState, withoutDocuments } from '../segment/segment-state.ts';
import { SPACE_NAMES } from '../segment/space.ts';
import { readStoredDocument } from '../segment/stored-documents.ts';
import { findDocument } from './documents.ts';

/** A document that goes: where it stood when its removal was prepared, and which counts it is part of. */
export interface PreparedRemoval {
  readonly id: string;
  readonly segment: Segment;
  readonly document: number;
  readonly places: HistogramPlaces;
}

/**
 * Prepares the removal of documents, so that removing them takes no time. Ids of no live document are left out. Cost:
 * O(terms of the documents). Yields where it may pause.
 */
export function* prepareRemovals(
  ids: Iterable<string>,
  states: () => readonly SegmentState[],
  mapping: IndexMapping,
): Generator<void, PreparedRemoval[]> {
  const prepared: PreparedRemoval[] = [];
  for (const id of ids) {
    const removal = yield* prepareRemoval(id, states(), mapping);
    if (removal !== undefined) prepared.push(removal);
    yield;
  }
  return prepared;
}

/** Prepares anew what a merge has moved since it was prepared. Yields where it may pause. */
export function* renewRemovals(
  removals: readonly PreparedRemoval[],
  states: () => readonly SegmentState[],
  mapping: IndexMapping,
): Generator<void, PreparedRemoval[]> {
  const renewed: PreparedRemoval[] = [];
  for (const removal of removals) {
    const isCurrent = states().some(({ segment }) => segment === removal.segment);
    const current = isCurrent ? removal : yield* prepareRemoval(removal.id, states(), mapping);
    if (current !== undefined) renewed.push(current);
    yield;
  }
  return renewed;
}

/** Returns true if all documents that go are where they stood when their removal was prepared. */
export function areCurrent(removals: readonly PreparedRemoval[], states: readonly SegmentState[]): boolean {
  const segments = new Set(states.map(({ segment }) => segment));
  return removals.every(({ segment }) => segments.has(segment));
}

function* prepareRemoval(
  id: string,
  states: readonly SegmentState[],
  mapping: IndexMapping,
): Generator<void, PreparedRemoval | undefined> {
  const place = findDocument(states, id);
  if (place === undefined) return undefined;
  const { segment } = place.state;
  return { id, segment, document: place.document, places: yield* findPlaces(segment, place.document, mapping) };
}

/**
 * Where the histograms of a segment count a document. Small segments have none, and then the document is not read.
 * Yields where it may pause.
 */
export function* findPlaces(
  segment: Segment,
  document: number,
  mapping: IndexMapping,
): Generator<void, HistogramPlaces> {
  if (SPACE_NAMES.every((name) => segment.spaces[name].histograms.term.length === 0)) return {};
  const stored = readStoredDocument(segment.stored, document) as SearchDocument;
  return yield* findInHistograms(segment, labelPlainDocument(stored, mapping), mapping);
}

/** The states without documents whose removal was prepared. Where a merge came between, it is prepared anew. */
export function removePrepared(
  states: readonly SegmentState[],
  removals: readonly PreparedRemoval[],
  mapping: IndexMapping,
): SegmentState[] {
  const bySegment = new Map<Segment, PreparedRemoval[]>(states.map(({ segment }) => [segment, []]));
  for (const removal of removals) {
    const own = bySegment.get(removal.segment);
    if (own !== undefined) {
      own.push(removal);
      continue;
    }
    const again = runAtOnce(prepareRemoval(removal.id, states, mapping));
    if (again !== undefined) bySegment.get(again.segment)?.push(again);
  }
  return states.map((state) => removeFrom(state, bySegment.get(state.segment) ?? []));
}

/** The state without documents by number, of which the places of some may be known. */
export function removeDocuments(
  state: SegmentState,
  documents: readonly number[],
  mapping: IndexMapping,
  known: ReadonlyMap<number, HistogramPlaces> = new Map(),
): SegmentState {
  const { segment } = state;
  const removals = documents.map((document): PreparedRemoval => {
    const places = known.get(document) ?? runAtOnce(findPlaces(segment, document, mapping));
    return { id: '', segment, document, places };
  });
  return removeFrom(state, removals);
}

function removeFrom(state: SegmentState, removals: readonly PreparedRemoval[]): SegmentState {
  const alive = removals.filter(({ document }) => isLive(state.live, document));
  if (alive.length === 0) return state;
  for (const { places } of alive) subtractFromHistograms(state, places);
  return withoutDocuments(
    state,
    alive.map(({ document }) => document),
  );
}

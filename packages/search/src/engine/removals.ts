import { runAtOnce } from '@cairn/events';
import { labelPlainDocument } from '../document/labelled-document.ts';
import { withLanguages } from '../document/value-languages.ts';
import type { IndexMapping } from '../mapping/index-mapping.ts';
import type { SearchDocument } from '../port/search-index.ts';
import { findInHistograms, type HistogramPlaces, subtractFromHistograms } from '../segment/histogram-updates.ts';
import { type Segment, SPACE_NAMES } from '../segment/segment.ts';
import { findDocument, isLive, type SegmentState, withoutDocuments } from '../segment/segment-state.ts';
import { readStoredDocument } from '../segment/stored-documents.ts';

/** A document that goes, and which counts it is part of. */
interface Removal {
  readonly document: number;
  readonly places: HistogramPlaces;
}

/** Where a document that goes stood when its removal was prepared. */
export interface PreparedRemoval extends Removal {
  readonly id: string;
  readonly segment: Segment;
}

/**
 * Prepares the removal of a document, so that removing it takes no time; `undefined` where no live one has the id. Cost:
 * O(terms of the document). Yields where it may pause.
 */
export function* prepareRemoval(
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
  const labelled = yield* withLanguages(labelPlainDocument(stored, mapping), mapping);
  return yield* findInHistograms(segment, labelled, mapping);
}

/** The state without documents by number, of which the places of some may be known. */
export function removeDocuments(
  state: SegmentState,
  documents: readonly number[],
  mapping: IndexMapping,
  known: ReadonlyMap<number, HistogramPlaces> = new Map(),
): SegmentState {
  const removals = documents.map((document): Removal => {
    return { document, places: known.get(document) ?? runAtOnce(findPlaces(state.segment, document, mapping)) };
  });
  return removePrepared(state, removals);
}

/** The state without documents whose removal was prepared. */
export function removePrepared(state: SegmentState, removals: readonly Removal[]): SegmentState {
  const alive = removals.filter(({ document }) => isLive(state.live, document));
  if (alive.length === 0) return state;
  for (const { places } of alive) subtractFromHistograms(state, places);
  const documents = alive.map(({ document }) => document);
  return withoutDocuments(state, documents);
}

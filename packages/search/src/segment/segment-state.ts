import type { Segment } from './segment.ts';
import type { SpaceName } from './space.ts';

/** Spaces whose terms have lengths. */
export type MeasuredSpace = Extract<SpaceName, 'text' | 'typeahead'>;

/** Sums over the live documents of a segment, by label set, so that each viewer's are a short sum away. */
export interface SegmentTotals {
  /** Live documents by the set that decides about them. */
  readonly documents: Float64Array;
  /** Terms of live slots: `labelSet * fields + field`. */
  readonly lengths: Readonly<Record<MeasuredSpace, Float64Array>>;
  /** Live documents of each pair of the histograms, parallel to their `count`. */
  readonly histograms: Readonly<Record<SpaceName, Uint32Array>>;
}

/**
 * A segment and which of its documents are alive. `live` is replaced, never written, so that a search that pauses
 * keeps what it began with; `totals` follow the latest state, so a search reads them before it first pauses.
 */
export interface SegmentState {
  readonly segment: Segment;
  /** One bit for each document; `undefined` while all are alive. */
  readonly live: Uint32Array | undefined;
  readonly liveCount: number;
  readonly totals: SegmentTotals;
}

/** The state of a segment of which nothing was deleted. */
export function createSegmentState(segment: Segment): SegmentState {
  return { segment, live: undefined, liveCount: segment.documentCount, totals: computeTotals(segment) };
}

/** Whether a document is alive. */
export function isLive(live: Uint32Array | undefined, document: number): boolean {
  return live === undefined || (live[document >>> 5]! & (1 << (document & 31))) !== 0;
}

/** The state without some live documents. Their part of the totals is taken out by `subtractLengths`. */
export function withoutDocuments(state: SegmentState, documents: readonly number[]): SegmentState {
  const live = state.live?.slice() ?? new Uint32Array((state.segment.documentCount + 31) >>> 5).fill(0xffffffff);
  for (const document of documents) {
    live[document >>> 5]! &= ~(1 << (document & 31));
    subtractLengths(state, document);
  }
  return { ...state, live, liveCount: state.liveCount - documents.length };
}

function computeTotals(segment: Segment): SegmentTotals {
  const documents = new Float64Array(segment.labelSets.sets.length);
  const { documentLabelSet } = segment;
  for (let i = 0; i < documentLabelSet.length; i++) documents[documentLabelSet[i]!]!++;
  const histogram = (name: SpaceName): Uint32Array => segment.spaces[name].histograms.count.slice();
  return {
    documents,
    lengths: { text: computeLengths(segment, 'text'), typeahead: computeLengths(segment, 'typeahead') },
    histograms: {
      text: histogram('text'),
      keyword: histogram('keyword'),
      mirror: histogram('mirror'),
      typeahead: histogram('typeahead'),
    },
  };
}

function computeLengths(segment: Segment, name: MeasuredSpace): Float64Array {
  const { field, labelSet, length } = segment.spaces[name].slots;
  const fields = segment.fields.length;
  const sums = new Float64Array(segment.labelSets.sets.length * fields);
  for (let slot = 0; slot < length.length; slot++) sums[labelSet[slot]! * fields + field[slot]!]! += length[slot]!;
  return sums;
}

/** Takes a document out of the counts and lengths; histograms are taken care of apart. */
export function subtractLengths({ segment, totals }: SegmentState, document: number): void {
  totals.documents[segment.documentLabelSet[document]!]!--;
  for (const name of ['text', 'typeahead'] as const) {
    const { ofDocument, field, labelSet, length } = segment.spaces[name].slots;
    for (let slot = ofDocument[document]!; slot < ofDocument[document + 1]!; slot++) {
      totals.lengths[name][labelSet[slot]! * segment.fields.length + field[slot]!]! -= length[slot]!;
    }
  }
}

import {
  bySpace,
  type MeasuredSpace,
  type Segment,
  type Space,
  type SpaceName,
  type TermHistograms,
} from './segment.ts';
import { toBytes } from './term-dictionary.ts';

/** Sums over the live documents of a segment, by label set, so that each viewer's are a short sum away. */
interface SegmentTotals {
  readonly documents: Float64Array;
  /** Terms of live slots: `labelSet * fields + field`. */
  readonly lengths: Readonly<Record<MeasuredSpace, Float64Array>>;
  /** Live documents of each pair of the histograms, parallel to their `count`: that itself until a document is deleted. */
  readonly histograms: Record<SpaceName, Uint32Array>;
  /** Sums cached by searches; forgotten when a document is deleted. */
  readonly sums: Map<string, number>;
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

/** The state of a segment of which every document is alive. Yields where it may pause. */
export function* createSegmentState(segment: Segment): Generator<void, SegmentState> {
  const { documentCount, documentLabelSet, labelSets, spaces } = segment;
  const documents = new Float64Array(labelSets.sets.length);
  for (let i = 0; i < documentLabelSet.length; i++) documents[documentLabelSet[i]]++;
  const totals: SegmentTotals = {
    documents,
    lengths: { text: yield* computeLengths(segment, 'text'), typeahead: yield* computeLengths(segment, 'typeahead') },
    histograms: bySpace((name) => spaces[name].histograms.count),
    sums: new Map(),
  };
  return { segment, live: undefined, liveCount: documentCount, totals };
}

export function isLive(live: Uint32Array | undefined, document: number): boolean {
  return live === undefined || (live[document >>> 5] & (1 << (document & 31))) !== 0;
}

/** Where a live document stands. */
export interface DocumentPlace {
  readonly state: SegmentState;
  readonly document: number;
}

/** The live document of an id among the segments of one index. Cost: O(segments log documents). */
export function findDocument(states: readonly SegmentState[], id: string): DocumentPlace | undefined {
  const key = toBytes(id);
  for (let i = states.length - 1; i >= 0; i--) {
    const state = states[i];
    const document = state.segment.ids.findBytes(key);
    if (document >= 0 && isLive(state.live, document)) return { state, document };
  }
  return undefined;
}

/** The state without some live documents. Their part of the totals is taken out by `subtractLengths`. */
export function withoutDocuments(state: SegmentState, documents: readonly number[]): SegmentState {
  const live = state.live?.slice() ?? new Uint32Array((state.segment.documentCount + 31) >>> 5).fill(0xffffffff);
  for (const document of documents) {
    live[document >>> 5] &= ~(1 << (document & 31));
    subtractLengths(state, document);
  }
  return { ...state, live, liveCount: state.liveCount - documents.length };
}

/**
 * The state without histograms: document frequencies are then counted. For a segment whose terms cannot be told from
 * its documents any more, so that nothing could be subtracted for a document that is deleted.
 */
export function withoutHistograms(state: SegmentState): SegmentState {
  const { segment, totals } = state;
  const spaces = bySpace((name): Space => ({ ...segment.spaces[name], histograms: NO_HISTOGRAMS }));
  const histograms = bySpace(() => NO_HISTOGRAMS.count);
  return { ...state, segment: { ...segment, spaces }, totals: { ...totals, histograms } };
}

const NO_HISTOGRAMS: TermHistograms = {
  term: new Uint32Array(0),
  offset: new Uint32Array(1),
  labelSet: new Uint8Array(0),
  count: new Uint32Array(0),
};

/** Slots that are summed up between two chances to pause. */
const SLOTS_PER_STEP = 65_536;

function* computeLengths(segment: Segment, name: MeasuredSpace): Generator<void, Float64Array> {
  const { field, labelSet, length } = segment.spaces[name].slots;
  const fields = segment.fields.length;
  const sums = new Float64Array(segment.labelSets.sets.length * fields);
  for (let start = 0; start < length.length; start += SLOTS_PER_STEP) {
    const end = Math.min(start + SLOTS_PER_STEP, length.length);
    for (let slot = start; slot < end; slot++) sums[labelSet[slot] * fields + field[slot]] += length[slot];
    if (end < length.length) yield;
  }
  return sums;
}

/** Takes a document out of the counts and lengths; histograms are taken care of apart. */
export function subtractLengths({ segment, totals }: SegmentState, document: number): void {
  totals.documents[segment.documentLabelSet[document]]--;
  totals.sums.clear();
  for (const name of ['text', 'typeahead'] as const) {
    const { ofDocument, field, labelSet, length } = segment.spaces[name].slots;
    for (let slot = ofDocument[document]; slot < ofDocument[document + 1]; slot++) {
      totals.lengths[name][labelSet[slot] * segment.fields.length + field[slot]] -= length[slot];
    }
  }
}

import type { Viewer } from '@cairn/security';
import type { FieldSelection } from '../mapping/field-selection.ts';
import { recall, recallOf } from '../memory/recall.ts';
import { toLengthByte } from '../postings/length-norm.ts';
import type { Segment, Slots, SpaceName } from './segment.ts';
import type { SegmentState } from './segment-state.ts';

export interface SegmentView {
  readonly state: SegmentState;
  readonly segment: Segment;
  readonly live: Uint32Array | undefined;
  /** The viewer's key: equal for viewers that see the same. */
  readonly viewerKey: string;
  /** Place of the named index in the configuration: the last thing that orders equal matches. */
  readonly rank: number;
  /** 1 for each label set that permits. */
  readonly permitted: Uint8Array;
}

/** Viewers whose decisions a segment remembers. */
const MAX_REMEMBERED = 256;

const decisions = new WeakMap<Segment, Map<string, Uint8Array>>();
const weights = new WeakMap<Segment, Map<string, FieldWeights>>();

/** Decides every label set of a segment for a viewer, or recalls the decisions. */
export function viewSegment(state: SegmentState, viewer: Viewer, rank: number): SegmentView {
  const { segment, live } = state;
  const decide = (): Uint8Array => {
    const { labels, sets } = segment.labelSets;
    const permits = labels.map((label) => viewer.permits(label));
    return Uint8Array.from(sets, (set) => (set.some((label) => permits[label]) ? 1 : 0));
  };
  const permitted = recallOf(decisions, segment, viewer.key, decide, MAX_REMEMBERED);
  return { state, segment, live, viewerKey: viewer.key, rank, permitted };
}

export interface FieldWeights {
  readonly weights: Float64Array;
  /** The largest; 0 when no field is selected. */
  readonly largest: number;
  /** How many times the weights of the block bounds they are, at most and at least. */
  readonly mostOfBound: number;
  readonly leastOfBound: number;
  /** True when no field weighs zero. */
  readonly coversAll: boolean;
}

/** Makes up for the rounding of a quotient. */
const SLACK = 1 + 1e-12;

function loosen(share: number, slack: number): number {
  return share === 1 ? 1 : share * slack;
}

export function weighFields(segment: Segment, selection: FieldSelection): FieldWeights {
  const compute = (): FieldWeights => {
    const values = Float64Array.from(segment.fields, (path) => selection.weigh(path));
    const shares = Array.from(values, (weight, field) => weight / segment.impactWeights[field]);
    return {
      weights: values,
      largest: values.reduce((a, b) => Math.max(a, b), 0),
      mostOfBound: loosen(Math.max(0, ...shares), SLACK),
      leastOfBound: loosen(Math.min(1, ...shares), 1 / SLACK),
      coversAll: !values.includes(0),
    };
  };
  return recallOf(weights, segment, selection.key, compute, MAX_REMEMBERED);
}

/** Codes of slots; from `FIRST_WEIGHT` on the slot is visible and the code says what its field weighs. */
const UNDECIDED = 0;
const HIDDEN = 1;
const FIRST_WEIGHT = 2;

/**
 * Slots of a space that one viewer sees in the fields of a selection. Each slot is decided when it is first met and
 * then costs one byte to look up, as does the length of each document. Says nothing about deleted documents.
 */
export class VisibleSlots {
  /** Code of each slot; 0 where {@link decide} must be asked. */
  readonly codes: Uint8Array | Uint16Array;
  /** Weights by code; 0 where nothing is visible. */
  readonly weightOf: Float64Array;
  /** 1 for each code that weighs anything. */
  readonly isVisible: Uint8Array;
  readonly #codeOfField: Uint16Array;
  readonly #permitted: Uint8Array;
  readonly #slots: Slots;
  /** Byte of the visible length of each document; 0 while it is not known. */
  readonly #lengthBytes: Uint8Array;
  /** Live documents in which terms are visible, by term: of what was alive when they were counted. */
  readonly #counts = new Map<number, number>();
  #countedLive: Uint32Array | undefined;

  constructor(slots: Slots, permitted: Uint8Array, weights: Float64Array) {
    const distinct = [...new Set(weights.filter((weight) => weight > 0))];
    const codeOf = new Map(distinct.map((weight, i) => [weight, i + FIRST_WEIGHT]));
    this.#slots = slots;
    this.#permitted = permitted;
    this.#codeOfField = Uint16Array.from(weights, (weight) => codeOf.get(weight) ?? HIDDEN);
    this.weightOf = Float64Array.of(0, 0, ...distinct);
    this.isVisible = Uint8Array.from(this.weightOf, (weight) => (weight > 0 ? 1 : 0));
    const isNarrow = this.weightOf.length <= 256;
    this.codes = isNarrow ? new Uint8Array(slots.document.length) : new Uint16Array(slots.document.length);
    this.#lengthBytes = new Uint8Array(slots.ofDocument.length - 1);
  }

  /** The weight of a slot's field; 0 when the viewer does not see the slot or the field is not selected. */
  weigh(slot: number): number {
    const code = this.codes[slot];
    return this.weightOf[code === UNDECIDED ? this.decide(slot) : code];
  }

  decide(slot: number): number {
    const { labelSet, field } = this.#slots;
    const code = this.#permitted[labelSet[slot]] === 1 ? this.#codeOfField[field[slot]] : HIDDEN;
    this.codes[slot] = code;
    return code;
  }

  /** The byte of a document's length: the weighted sum over its visible slots, quantised once. */
  lengthByte(document: number): number {
    const known = this.#lengthBytes[document];
    return known === 0 ? this.#measure(document) : known;
  }

  /**
   * In how many live documents a term is visible, counted once: whoever pages through results asks for the same words
   * again. `live` is replaced when a document is deleted, never written, so what was counted of it stays true.
   */
  recallCount(term: number, live: Uint32Array | undefined, count: () => number): number {
    if (this.#countedLive !== live) this.#counts.clear();
    this.#countedLive = live;
    return recall(this.#counts, term, count, MAX_REMEMBERED_COUNTS);
  }

  #measure(document: number): number {
    const { ofDocument, length } = this.#slots;
    const end = ofDocument[document + 1];
    let sum = 0;
    for (let slot = ofDocument[document]; slot < end; slot++) sum += length[slot] * this.weigh(slot);
    const byte = toLengthByte(sum);
    this.#lengthBytes[document] = byte;
    return byte;
  }
}

/** Terms whose counts are remembered, some 50 bytes each. */
const MAX_REMEMBERED_COUNTS = 256;

/** Selections of viewers that a space of a segment remembers: some four bytes for each document of the segment. */
const MAX_REMEMBERED_SELECTIONS = 16;

const remembered = new WeakMap<Segment, Map<string, VisibleSlots>>();

/** Opens, or recalls, the slots of a selection's fields that a viewer sees. */
export function openVisibleSlots(view: SegmentView, name: SpaceName, selection: FieldSelection): VisibleSlots {
  const { segment, permitted, viewerKey } = view;
  const { slots } = segment.spaces[name];
  const key = `${name}\0${selection.key}\0${viewerKey}`;
  const open = (): VisibleSlots => new VisibleSlots(slots, permitted, weighFields(segment, selection).weights);
  return recallOf(remembered, segment, key, open, MAX_REMEMBERED_SELECTIONS);
}

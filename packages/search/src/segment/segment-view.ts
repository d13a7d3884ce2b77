import type { Viewer } from '@cairn/security';
import type { FieldSelection } from '../mapping/field-selection.ts';
import { recallOf } from '../memory/recall.ts';
import { decideLabelSets } from './label-sets.ts';
import type { Segment } from './segment.ts';
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
  const decide = (): Uint8Array => decideLabelSets(segment.labelSets, viewer);
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

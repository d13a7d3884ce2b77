import { CodedError } from '@cairn/errors';
import type { Column } from '../postings/growable.ts';
import type { LabelSets } from './label-sets.ts';
import type { TermDictionary } from './term-dictionary.ts';

/**
 * The kinds of terms that a segment holds apart: analysed text; exact values that are no text; short texts as a whole,
 * for facets and types; and unstemmed words for typeahead.
 */
export type SpaceName = 'text' | 'keyword' | 'mirror' | 'typeahead';

/** Spaces whose terms have positions and lengths; the others have the values of slots. */
export type MeasuredSpace = Extract<SpaceName, 'text' | 'typeahead'>;

export function isMeasured(name: SpaceName): name is MeasuredSpace {
  return name === 'text' || name === 'typeahead';
}

/** Every space, in the order of storage. */
export const SPACE_NAMES: readonly SpaceName[] = ['text', 'keyword', 'mirror', 'typeahead'];

/** Spaces that hold whole values. */
export const VALUE_SPACES = ['keyword', 'mirror'] as const;

export function bySpace<T>(make: (name: SpaceName) => T): Record<SpaceName, T> {
  return { text: make('text'), keyword: make('keyword'), mirror: make('mirror'), typeahead: make('typeahead') };
}

/** The same of what is made in steps. */
export function* bySpaceInSteps<T>(
  make: (name: SpaceName) => Generator<void, T>,
): Generator<void, Record<SpaceName, T>> {
  return {
    text: yield* make('text'),
    keyword: yield* make('keyword'),
    mirror: yield* make('mirror'),
    typeahead: yield* make('typeahead'),
  };
}

/**
 * Slots: one for each document, field and label set that have values. What a viewer may see is decided slot by slot,
 * so term frequency and length belong to slots. Slots of a document are neighbours, in document order.
 */
export interface Slots {
  /** First slot of each document; one longer than there are documents. */
  readonly ofDocument: Uint32Array;
  readonly document: Uint32Array;
  readonly field: Column;
  readonly labelSet: Column;
  /** Number of terms in the slot, stop words excluded; 0 for exact values. */
  readonly length: Column;
  /** Text: 1 when a value of the slot is too long to be among the mirrors, else 0. */
  readonly isPartial: Column;
}

/** Postings in blocks of up to 128 slots; no document straddles two blocks. */
export interface PostingBlocks {
  /** First block of each term; one longer than there are terms. */
  readonly ofTerm: Uint32Array;
  readonly lastDocument: Column;
  /** Where each block's bytes begin; one longer than there are blocks. */
  readonly offset: Uint32Array;
  readonly positionOffset: Uint32Array;
  /** Where each block's impacts begin; one longer than there are blocks. */
  readonly impactOffset: Uint32Array;
  /**
   * Pairs of a weighted frequency and a length byte, highest frequency first: no document of the block scores above all
   * of them. A document's frequency is over all its slots, rounded up (255: unbounded), its length the least that a
   * viewer who sees the term sees of it. Weights are the segment's `impactWeights`.
   */
  readonly impacts: Uint8Array;
  /** Slots as deltas, times two, plus one when the frequency is 1; else the frequency follows. Varints. */
  readonly bytes: Uint8Array;
  readonly positions: Uint8Array;
}

/** For terms with many postings: how many documents hold them under each set of labels. */
export interface TermHistograms {
  /** Term ordinals, ascending. */
  readonly term: Uint32Array;
  /** Where each term's pairs begin; one longer than `term`. */
  readonly offset: Uint32Array;
  /** Ascending within each term. */
  readonly labelSet: Column;
  readonly count: Uint32Array;
}

/** Exact values of the keyword slots, for facets. Empty in other spaces. */
export interface SlotValues {
  /** Where the values of each slot begin; one longer than there are slots. */
  readonly offset: Uint32Array;
  /** Term ordinals in the order of the document. */
  readonly term: Column;
}

export const NO_VALUES: SlotValues = { offset: new Uint32Array(0), term: new Uint8Array(0) };

/** The terms of one kind of one segment. Immutable. */
export interface Space {
  readonly name: SpaceName;
  readonly terms: TermDictionary;
  readonly slots: Slots;
  readonly blocks: PostingBlocks;
  readonly histograms: TermHistograms;
  readonly values: SlotValues;
}

/** Slots that one block holds at most, unless a single document has more. */
export const BLOCK_SIZE = 128;

/** Terms with at least this many postings keep a histogram of label sets. */
export const MIN_HISTOGRAM_POSTINGS = 512;

/** The numbers and instants of one field, in document order. */
export interface NumericColumn {
  readonly path: string;
  /** Ascending; a document is here once for each value. */
  readonly document: Uint32Array;
  readonly labelSet: Column;
  readonly value: Float64Array;
  /** 1 where the value is an instant. */
  readonly isDate: Uint8Array;
}

/** Documents as JSON in UTF-8, one after the other. */
export interface StoredDocuments {
  /** Where each begins; one longer than there are documents. */
  readonly offset: Float64Array;
  readonly bytes: Uint8Array;
}

/** Immutable documents of one named index, ordered by id. */
export interface Segment {
  readonly index: string;
  readonly documentCount: number;
  /** Sorted ids: the ordinal of an id is the number of its document. */
  readonly ids: TermDictionary;
  /** Set of labels that decides whether a document is seen at all. */
  readonly documentLabelSet: Column;
  readonly labelSets: LabelSets;
  readonly fields: readonly string[];
  /** Weights of the fields in the bounds of posting blocks, by field number. */
  readonly impactWeights: readonly number[];
  readonly spaces: Readonly<Record<SpaceName, Space>>;
  readonly numbers: readonly NumericColumn[];
  readonly stored: StoredDocuments;
}

/** The error of a segment in memory whose parts contradict each other: `ERR_SEGMENT_CORRUPT` (corrupt). */
export function damagedSegment(problem: string): CodedError {
  const message = `a search segment is damaged: ${problem}`;
  return new CodedError({ code: 'ERR_SEGMENT_CORRUPT', kind: 'corrupt', message });
}

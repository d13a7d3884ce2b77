import type { Column } from '../postings/growable.ts';
import type { LabelSets } from './label-sets.ts';
import type { Space, SpaceName } from './space.ts';
import type { TermDictionary } from './term-dictionary.ts';

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

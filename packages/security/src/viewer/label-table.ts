/** Small integer that stands for one distinct label in one {@link LabelTable}. 0-based, dense. */
export type LabelId = number;

/** Small integer that stands for one set of labels in one {@link LabelSetTable}. 0-based, dense. */
export type LabelSetId = number;

/** Interns labels to dense ids. Append-only: an id never changes its meaning. */
export interface LabelTable {
  /** Number of distinct labels; ids are `0 .. size - 1`. */
  readonly size: number;
  /** Returns the id of a label, by its exact text. Cost: O(length). */
  intern(label: string): LabelId;
  /** Returns the id of a label that was interned before, else `undefined`. */
  get(label: string): LabelId | undefined;
  label(id: LabelId): string;
  /** Returns every label in the order of ids; {@link createLabelTable} restores the table from it. */
  toArray(): string[];
}

/** Interns sets of label ids. A thing with a set is visible when any label of the set is permitted. */
export interface LabelSetTable {
  readonly labels: LabelTable;
  /** Number of distinct sets; ids are `0 .. size - 1`. */
  readonly size: number;
  /** Returns the id of a set; order and repetition of the ids do not matter. The empty set is visible to nobody. */
  intern(ids: readonly LabelId[]): LabelSetId;
  /** Returns the sorted label ids of a set. */
  labelIds(set: LabelSetId): readonly LabelId[];
  /** Returns the set with one more label. Memoised. */
  with(set: LabelSetId, label: LabelId): LabelSetId;
  /** Returns the set without a label. Memoised. */
  without(set: LabelSetId, label: LabelId): LabelSetId;
  /** Returns every set in the order of ids; {@link createLabelSetTable} restores the table from it. */
  toArray(): LabelId[][];
}

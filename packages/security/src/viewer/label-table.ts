/** Small integer that stands for one distinct label in one {@link LabelTable}. 0-based, dense. */
export type LabelId = number;

/** Small integer that stands for one set of labels in one {@link LabelSetTable}. 0-based, dense. */
export type LabelSetId = number;

/** Interns labels to dense ids. Append-only: an id never changes its meaning. */
export interface LabelTable {
  /** How many distinct labels were interned; ids are `0 .. size - 1`. */
  readonly size: number;
  /** The id of a label, by its exact text. Cost: O(length). */
  intern(label: string): LabelId;
  /** The id of a label that was interned before, else `undefined`. */
  get(label: string): LabelId | undefined;
  /** The text of an id. */
  label(id: LabelId): string;
  /** Every label in the order of ids: what {@link createLabelTable} takes to restore the table. */
  toArray(): string[];
}

/** Interns sets of label ids. A thing that carries a set is visible when any label of the set is permitted. */
export interface LabelSetTable {
  readonly labels: LabelTable;
  /** How many distinct sets were interned; ids are `0 .. size - 1`. */
  readonly size: number;
  /** The id of a set; order and repetition of the ids do not matter. The empty set is visible to nobody. */
  intern(ids: readonly LabelId[]): LabelSetId;
  /** The sorted label ids of a set. */
  labelIds(set: LabelSetId): readonly LabelId[];
  /** The set with one more label. Memoised. */
  with(set: LabelSetId, label: LabelId): LabelSetId;
  /** The set without a label. Memoised. */
  without(set: LabelSetId, label: LabelId): LabelSetId;
  /** Every set in the order of ids: what {@link createLabelSetTable} takes to restore the table. */
  toArray(): LabelId[][];
}

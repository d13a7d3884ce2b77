import { CodedError, checkArray, checkPort, checkText } from '@cairn/errors';

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

/**
 * Returns a label table, empty or restored from {@link LabelTable.toArray}.
 *
 * Throws `ERR_LABEL_TABLE` (corrupt) when a label is in the list twice.
 */
export function createLabelTable(labels: readonly string[] = []): LabelTable {
  checkArray(labels, 'the labels');
  return new InternedLabels(labels);
}

class InternedLabels implements LabelTable {
  readonly #ids = new Map<string, LabelId>();
  readonly #labels: string[] = [];

  constructor(labels: readonly string[]) {
    for (const label of labels) {
      const known = this.#ids.get(label);
      if (known !== undefined)
        throw repeated(`labels of a restored table must be distinct; ${known} and ${this.size} are equal`);
      this.intern(label);
    }
  }

  get size(): number {
    return this.#labels.length;
  }

  intern(label: string): LabelId {
    const known = this.#ids.get(label);
    if (known !== undefined) return known;
    checkText(label, 'a label');
    const id = this.#labels.length;
    this.#labels.push(label);
    this.#ids.set(label, id);
    return id;
  }

  get(label: string): LabelId | undefined {
    return this.#ids.get(label);
  }

  label(id: LabelId): string {
    const label = this.#labels[id];
    if (label === undefined) throw unknownId('label id', id, this.size);
    return label;
  }

  toArray(): string[] {
    return [...this.#labels];
  }
}

function unknownId(what: string, id: number, size: number): CodedError {
  const bound = size === 0 ? 'this table is empty' : `this table has 0 to ${size - 1}`;
  return new CodedError({ code: 'ERR_LABEL_ID', kind: 'invalid', message: `${what} is unknown: ${bound}; got ${id}` });
}

function repeated(message: string): CodedError {
  return new CodedError({ code: 'ERR_LABEL_TABLE', kind: 'corrupt', message });
}

/**
 * Returns a table of label sets over a label table, empty or restored from {@link LabelSetTable.toArray}.
 *
 * Throws `ERR_LABEL_ID` (invalid) when a set holds an id that the label table does not, and `ERR_LABEL_TABLE` (corrupt)
 * when a set is in the list twice.
 */
export function createLabelSetTable(labels: LabelTable, sets: readonly (readonly LabelId[])[] = []): LabelSetTable {
  checkPort(labels, 'intern', 'the label table');
  checkArray(sets, 'the sets');
  for (const set of sets) checkArray(set, 'a set');
  return new InternedLabelSets(labels, sets);
}

class InternedLabelSets implements LabelSetTable {
  readonly labels: LabelTable;
  readonly #ids = new Map<string, LabelSetId>();
  readonly #sets: (readonly LabelId[])[] = [];
  readonly #with: Map<LabelId, LabelSetId>[] = [];
  readonly #without: Map<LabelId, LabelSetId>[] = [];

  constructor(labels: LabelTable, sets: readonly (readonly LabelId[])[]) {
    this.labels = labels;
    for (const set of sets) {
      const before = this.size;
      if (this.intern(set) === before) continue;
      throw repeated(`sets of a restored table must be distinct; set ${before} repeats an earlier one`);
    }
  }

  get size(): number {
    return this.#sets.length;
  }

  intern(ids: readonly LabelId[]): LabelSetId {
    checkArray(ids, 'a label set');
    const sorted = [...new Set(ids)].sort((a, b) => a - b);
    const key = sorted.join(',');
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    for (const id of sorted) {
      const isKnown = Number.isInteger(id) && id >= 0 && id < this.labels.size;
      if (!isKnown) throw unknownId('label id', id, this.labels.size);
    }
    const set = this.#sets.length;
    this.#sets.push(Object.freeze(sorted));
    this.#with.push(new Map());
    this.#without.push(new Map());
    this.#ids.set(key, set);
    return set;
  }

  labelIds(set: LabelSetId): readonly LabelId[] {
    const ids = this.#sets[set];
    if (ids === undefined) throw unknownId('label set id', set, this.size);
    return ids;
  }

  with(set: LabelSetId, label: LabelId): LabelSetId {
    return remembered(this.#with[set], label, () => this.intern([...this.labelIds(set), label]));
  }

  without(set: LabelSetId, label: LabelId): LabelSetId {
    return remembered(this.#without[set], label, () => this.intern(this.labelIds(set).filter((id) => id !== label)));
  }

  toArray(): LabelId[][] {
    return this.#sets.map((set) => [...set]);
  }
}

function remembered(memo: Map<LabelId, LabelSetId> | undefined, label: LabelId, compute: () => LabelSetId): LabelSetId {
  const known = memo?.get(label);
  if (known !== undefined) return known;
  const set = compute();
  memo?.set(label, set);
  return set;
}

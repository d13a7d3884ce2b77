import { CodedError, checkArray, checkPort } from '@cairn/errors';
import { unknownId } from './interned-labels.ts';
import type { LabelId, LabelSetId, LabelSetTable, LabelTable } from './label-table.ts';

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
      if (this.intern(set) !== before) throw repeatedSet(before);
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
    for (const id of sorted) this.#checkLabel(id);
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

  #checkLabel(id: LabelId): void {
    const known = Number.isInteger(id) && id >= 0 && id < this.labels.size;
    if (!known) throw unknownId('label id', id, this.labels.size);
  }
}

function remembered(memo: Map<LabelId, LabelSetId> | undefined, label: LabelId, compute: () => LabelSetId): LabelSetId {
  const known = memo?.get(label);
  if (known !== undefined) return known;
  const set = compute();
  memo?.set(label, set);
  return set;
}

function repeatedSet(set: LabelSetId): CodedError {
  return new CodedError({
    code: 'ERR_LABEL_TABLE',
    kind: 'corrupt',
    message: `sets of a restored table must be distinct; set ${set} repeats an earlier one`,
  });
}

import { checkPort } from '@cairn/errors';
import { BoundedMemo } from '../memo/bounded-memo.ts';
import type { LabelSetTable, LabelTable } from './label-table.ts';
import type { Viewer } from './viewer.ts';

/** Most decisions of {@link Viewer.permits} remembered. */
const MAX_REMEMBERED = 4096;

export class DecidingViewer implements Viewer {
  readonly key: string;
  readonly #decide: (label: string) => boolean;
  readonly #remembered = new BoundedMemo<boolean>(MAX_REMEMBERED);
  readonly #labels: Decisions<LabelTable>;
  readonly #sets: Decisions<LabelSetTable>;

  constructor(key: string, decide: (label: string) => boolean) {
    this.key = key;
    this.#decide = decide;
    this.#labels = new Decisions((table, id) => decide(table.label(id)));
    this.#sets = new Decisions((table, id) => this.#permitsAny(table, id));
    // Answers are kept by its key: one viewer must not pass for another.
    Object.freeze(this);
  }

  permits(label: string): boolean {
    if (typeof label !== 'string') return false;
    return this.#remembered.get(label, () => this.#decide(label));
  }

  permittedLabels(table: LabelTable): Uint8Array {
    checkPort(table, 'label', 'the table of labels');
    return this.#labels.of(table);
  }

  permittedSets(table: LabelSetTable): Uint8Array {
    checkPort(table, 'labelIds', 'the table of label sets');
    return this.#sets.of(table);
  }

  #permitsAny(table: LabelSetTable, set: number): boolean {
    const permitted = this.permittedLabels(table.labels);
    return table.labelIds(set).some((id) => permitted[id] === 1);
  }
}

interface Decided {
  /** 1 permits, 0 denies; entries from `count` on are 0. */
  array: Uint8Array;
  count: number;
}

const SMALLEST = 64;

/** Decisions of one viewer by id, one growing array per table; each id is decided once. */
class Decisions<Table extends LabelTable | LabelSetTable> {
  readonly #tables = new WeakMap<Table, Decided>();
  readonly #decide: (table: Table, id: number) => boolean;

  constructor(decide: (table: Table, id: number) => boolean) {
    this.#decide = decide;
  }

  /** Returns the decisions of a table, after deciding those added since the last call. Cost: O(added). */
  of(table: Table): Uint8Array {
    const { size } = table;
    let decided = this.#tables.get(table);
    if (decided === undefined) {
      decided = { array: new Uint8Array(Math.max(SMALLEST, size)), count: 0 };
      this.#tables.set(table, decided);
    }
    if (decided.count === size) return decided.array;
    if (decided.array.length < size) {
      const larger = new Uint8Array(Math.max(size, decided.array.length * 2));
      larger.set(decided.array);
      decided.array = larger;
    }
    for (; decided.count < size; decided.count++) {
      if (this.#decide(table, decided.count)) decided.array[decided.count] = 1;
    }
    return decided.array;
  }
}

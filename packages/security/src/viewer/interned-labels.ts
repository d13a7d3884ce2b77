import { CodedError, checkArray, checkText } from '@cairn/errors';
import type { LabelId, LabelTable } from './label-table.ts';

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
      if (known !== undefined) throw repeatedLabel(known, this.size);
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

export function unknownId(what: string, id: number, size: number): CodedError {
  const bound = size === 0 ? 'this table is empty' : `this table has 0 to ${size - 1}`;
  return new CodedError({ code: 'ERR_LABEL_ID', kind: 'invalid', message: `${what} is unknown: ${bound}; got ${id}` });
}

function repeatedLabel(first: LabelId, second: LabelId): CodedError {
  return new CodedError({
    code: 'ERR_LABEL_TABLE',
    kind: 'corrupt',
    message: `labels of a restored table must be distinct; ${first} and ${second} are equal`,
  });
}

import { checkPort } from '@cairn/errors';
import { BoundedMemo } from '../memo/bounded-memo.ts';
import { Decisions } from './decisions.ts';
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

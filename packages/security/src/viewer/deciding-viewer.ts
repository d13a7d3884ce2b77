import { Decisions } from './decisions.ts';
import type { LabelSetTable, LabelTable } from './label-table.ts';
import type { Viewer } from './viewer.ts';

/** How many decisions {@link Viewer.permits} remembers; the oldest is forgotten first. */
const MAX_REMEMBERED = 4096;

/** Longer labels, in UTF-16 code units, are decided each time: remembered, they would hold too much memory. */
const MAX_REMEMBERED_LENGTH = 1024;

/** A viewer over a function that decides one label. */
export class DecidingViewer implements Viewer {
  readonly key: string;
  readonly #decide: (label: string) => boolean;
  readonly #remembered = new Map<string, boolean>();
  readonly #labels: Decisions<LabelTable>;
  readonly #sets: Decisions<LabelSetTable>;

  constructor(key: string, decide: (label: string) => boolean) {
    this.key = key;
    this.#decide = decide;
    this.#labels = new Decisions((table, id) => decide(table.label(id)));
    this.#sets = new Decisions((table, id) => this.#permitsAny(table, id));
  }

  permits(label: string): boolean {
    const remembered = this.#remembered.get(label);
    if (remembered !== undefined) return remembered;
    const decision = this.#decide(label);
    if (label.length <= MAX_REMEMBERED_LENGTH) this.#remember(label, decision);
    return decision;
  }

  permittedLabels(table: LabelTable): Uint8Array {
    return this.#labels.of(table);
  }

  permittedSets(table: LabelSetTable): Uint8Array {
    return this.#sets.of(table);
  }

  #permitsAny(table: LabelSetTable, set: number): boolean {
    const permitted = this.permittedLabels(table.labels);
    return table.labelIds(set).some((id) => permitted[id] === 1);
  }

  #remember(label: string, decision: boolean): void {
    if (this.#remembered.size >= MAX_REMEMBERED) {
      for (const oldest of this.#remembered.keys()) {
        this.#remembered.delete(oldest);
        break;
      }
    }
    this.#remembered.set(label, decision);
  }
}

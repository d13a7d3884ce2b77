import type { Viewer } from '@cairn/security';
import type { PrefixChange } from '../port/graph-dataset.ts';

/** A prefix, without its colon, under one label. */
export interface LabelledPrefix {
  readonly prefix: string;
  readonly iri: string;
  /** Who may see it; `undefined` for what no data said, which is for everybody. */
  readonly label: string | undefined;
}

/** Denies everybody: what nobody labelled is shown to nobody. */
const NO_LABEL = '!';

/** The prefixes of a dataset, as secret as what they came with: of the visible ones the last that was given counts. */
export class PrefixTable {
  /** In the order in which they were given. */
  readonly #prefixes = new Map<string, LabelledPrefix>();

  constructor(prefixes: Iterable<LabelledPrefix>) {
    for (const each of prefixes) this.#set(each);
  }

  /** Those that came with data, in the order in which they were given. */
  stored(): readonly LabelledPrefix[] {
    return [...this.#prefixes.values()].filter(({ label }) => label !== undefined);
  }

  /** Those that a viewer may see, by prefix; their order, too, tells nothing of the others. */
  visibleTo(viewer: Viewer): Readonly<Record<string, string>> {
    const permitted = new Map<string | undefined, boolean>([[undefined, true]]);
    const visible = new Map<string, string>();
    for (const { prefix, iri, label } of this.#prefixes.values()) {
      const isVisible = permitted.get(label) ?? viewer.permits(label ?? NO_LABEL);
      permitted.set(label, isVisible);
      if (!isVisible) continue;
      visible.delete(prefix);
      visible.set(prefix, iri);
    }
    return Object.fromEntries(visible);
  }

  /** Makes a change: a prefix is taken away under its label, or under every one where the change has none. */
  change({ prefix, iri, label }: PrefixChange): void {
    if (iri !== undefined) this.#set({ prefix, iri, label: label ?? NO_LABEL });
    else if (label !== undefined) this.#prefixes.delete(keyOf(prefix, label));
    else for (const [key, each] of this.#prefixes) if (each.prefix === prefix) this.#prefixes.delete(key);
  }

  #set(given: LabelledPrefix): void {
    const key = keyOf(given.prefix, given.label);
    this.#prefixes.delete(key);
    this.#prefixes.set(key, given);
  }
}

function keyOf(prefix: string, label: string | undefined): string {
  return JSON.stringify([prefix, label]);
}

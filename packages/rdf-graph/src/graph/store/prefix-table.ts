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

/** Short forms are for people: more prefixes under one label, or longer ones, are passed over. */
const MAX_PREFIXES_OF_A_LABEL = 1_000;
const MAX_PREFIX_UNITS = 256;
const MAX_IRI_UNITS = 2_048;

/** The prefixes of a dataset, as secret as what they came with: of the visible ones the last that was given counts. */
export class PrefixTable {
  /** In the order in which they were given. */
  readonly #prefixes = new Map<string, LabelledPrefix>();
  /** How many there are under each label. The bound is one of a label: hidden ones must not keep visible ones out. */
  readonly #counts = new Map<string | undefined, number>();

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
    else if (label !== undefined) this.#delete(keyOf(prefix, label));
    else for (const [key, each] of this.#prefixes) if (each.prefix === prefix) this.#delete(key);
  }

  #set(given: LabelledPrefix): void {
    if (given.prefix.length > MAX_PREFIX_UNITS || given.iri.length > MAX_IRI_UNITS) return;
    const key = keyOf(given.prefix, given.label);
    this.#delete(key);
    const count = this.#counts.get(given.label) ?? 0;
    if (count >= MAX_PREFIXES_OF_A_LABEL) return;
    this.#counts.set(given.label, count + 1);
    // It leaves the dataset as it is: a caller that changed its label would show it to others.
    this.#prefixes.set(key, Object.freeze({ ...given }));
  }

  #delete(key: string): void {
    const known = this.#prefixes.get(key);
    if (known === undefined) return;
    this.#prefixes.delete(key);
    this.#counts.set(known.label, (this.#counts.get(known.label) ?? 1) - 1);
  }
}

function keyOf(prefix: string, label: string | undefined): string {
  return JSON.stringify([prefix, label]);
}

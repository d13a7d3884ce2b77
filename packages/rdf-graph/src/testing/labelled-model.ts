import type { ChangeSet } from '../graph/port/graph-dataset.ts';
import { writeQuad } from '../rdf/term-writer.ts';

/** A naive set of labelled quads: the reference for the store. */
export class LabelledModel {
  readonly #labels = new Map<string, Set<string>>();

  apply(changes: readonly ChangeSet[]): void {
    for (const { deletions, additions } of changes) {
      for (const { quad, label } of deletions) this.#delete(writeQuad(quad), label);
      for (const { quad, label } of additions) this.#add(writeQuad(quad), label ?? '');
    }
  }

  #add(key: string, label: string): void {
    const labels = this.#labels.get(key) ?? new Set();
    this.#labels.set(key, labels.add(label));
  }

  #delete(key: string, label: string | undefined): void {
    const labels = this.#labels.get(key);
    if (labels === undefined) return;
    if (label !== undefined) labels.delete(label);
    if (label === undefined || labels.size === 0) this.#labels.delete(key);
  }

  /** Every quad once per label, as sorted lines. */
  lines(): string[] {
    return [...this.#labels].flatMap(([key, labels]) => [...labels].map((label) => `${label} ${key}`)).sort();
  }

  /** The quads for which some label permits, as sorted lines. */
  visible(permits: (label: string) => boolean): string[] {
    return [...this.#labels]
      .filter(([, labels]) => [...labels].some(permits))
      .map(([key]) => key)
      .sort();
  }
}

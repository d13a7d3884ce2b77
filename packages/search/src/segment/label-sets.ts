import { recall } from '../memory/recall.ts';

/** Sets of labels of one segment, by number. A set permits when any of its labels does. */
export interface LabelSets {
  readonly labels: readonly string[];
  readonly sets: readonly (readonly number[])[];
}

/** Numbers labels and sets of labels while a segment is built. */
export class LabelSetBuilder implements LabelSets {
  readonly labels: string[] = [];
  readonly sets: number[][] = [];
  readonly #labelNumbers = new Map<string, number>();
  readonly #setNumbers = new Map<string, number>();
  readonly #singles = new Map<string, number>();

  intern(labels: readonly string[]): number {
    if (labels.length !== 1) return this.#internSet(labels);
    let set = this.#singles.get(labels[0]);
    if (set === undefined) {
      set = this.#internSet(labels);
      this.#singles.set(labels[0], set);
    }
    return set;
  }

  #internSet(labels: readonly string[]): number {
    const internLabel = (label: string): number => recall(this.#labelNumbers, label, () => this.labels.push(label) - 1);
    const numbers = [...new Set(labels.map(internLabel))].sort((a, b) => a - b);
    return recall(this.#setNumbers, numbers.join(','), () => this.sets.push(numbers) - 1);
  }

  union(sets: readonly number[]): number {
    return this.intern(sets.flatMap((set) => this.sets[set].map((label) => this.labels[label])));
  }
}

import type { TermId } from '../../store/term-kind.ts';

type Compare = (a: TermId, b: TermId) => number;

/** Stretches this short are sorted by insertion. */
const SMALL = 24;

interface Stretch {
  readonly start: number;
  readonly end: number;
  isSorted: boolean;
  parts: readonly Stretch[];
}

/**
 * Ids that are sorted only where they are looked at: a page costs about O(ids) the first time and O(page) after it, and
 * what one page had to part the next one need not part again.
 */
export class LazyOrder {
  readonly #ids: Uint32Array;
  readonly #compare: Compare;
  readonly #root: Stretch;
  #seed = 1;

  /** Takes over the array and rearranges it. The ids must be distinct. */
  constructor(ids: Uint32Array, compare: Compare) {
    this.#ids = ids;
    this.#compare = compare;
    this.#root = stretch(0, ids.length);
  }

  get length(): number {
    return this.#ids.length;
  }

  /** The ids in no order. */
  get unordered(): Uint32Array {
    return this.#ids;
  }

  /** The ids from `start` to `end` (exclusive) of the sorted list. */
  page(start: number, end: number): Uint32Array {
    const stop = Math.min(end, this.#ids.length);
    if (start >= stop) return new Uint32Array(0);
    this.#sort(this.#root, start, stop);
    return this.#ids.slice(start, stop);
  }

  #sort(root: Stretch, from: number, to: number): void {
    const open = [root];
    for (let one = open.pop(); one !== undefined; one = open.pop()) {
      if (one.isSorted || one.end <= from || one.start >= to) continue;
      if (one.end - one.start <= SMALL) {
        this.#insertionSort(one.start, one.end);
        one.isSorted = true;
        continue;
      }
      if (one.parts.length === 0) one.parts = this.#partition(one.start, one.end);
      open.push(...one.parts);
    }
  }

  #insertionSort(start: number, end: number): void {
    const ids = this.#ids;
    for (let i = start + 1; i < end; i++) {
      const id = ids[i]!;
      let at = i;
      while (at > start && this.#compare(ids[at - 1]!, id) > 0) {
        ids[at] = ids[at - 1]!;
        at--;
      }
      ids[at] = id;
    }
  }

  /** Parts a stretch around the median of three samples, taken anywhere: no arrangement of the ids is a bad one. */
  #partition(start: number, end: number): readonly Stretch[] {
    const ids = this.#ids;
    this.#swap(end - 1, this.#median(this.#sample(start, end), this.#sample(start, end), this.#sample(start, end)));
    const pivot = ids[end - 1]!;
    let at = start;
    for (let i = start; i < end - 1; i++) {
      if (this.#compare(ids[i]!, pivot) < 0) this.#swap(i, at++);
    }
    this.#swap(at, end - 1);
    return [stretch(start, at), stretch(at + 1, end)];
  }

  /** A position between `start` and `end`, by a linear congruence: the same each time for the same list. */
  #sample(start: number, end: number): number {
    this.#seed = (Math.imul(this.#seed, 1664525) + 1013904223) >>> 0;
    return start + Math.floor((this.#seed / 0x1_0000_0000) * (end - start));
  }

  #median(a: number, b: number, c: number): number {
    const [x, y, z] = [this.#ids[a]!, this.#ids[b]!, this.#ids[c]!];
    const isLess = this.#compare(x, y) < 0;
    if (this.#compare(y, z) < 0 === isLess) return b;
    return this.#compare(x, z) < 0 === isLess ? c : a;
  }

  #swap(a: number, b: number): void {
    const id = this.#ids[a]!;
    this.#ids[a] = this.#ids[b]!;
    this.#ids[b] = id;
  }
}

function stretch(start: number, end: number): Stretch {
  return { start, end, isSorted: end - start <= 1, parts: [] };
}

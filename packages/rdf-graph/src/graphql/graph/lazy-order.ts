import type { TermId } from '../../graph/port/term-kind.ts';
import { type Later, type Pacer, STEP } from './pacer.ts';

type Compare = (a: TermId, b: TermId) => number;

/** Stretches of a long list that are this short are sorted whole. */
const LEAF = 128;

interface Stretch {
  readonly start: number;
  readonly end: number;
  isSorted: boolean;
  parts: readonly Stretch[];
}

/**
 * Ids that are sorted only where they are looked at: a page costs about O(ids) the first time and O(page) after it, and
 * what one page had to part the next one need not part again.
 *
 * Pages may be asked for while others are being made: what one of them found out is taken over whole or not at all.
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

  /** A copy of the ids, in no order. */
  unordered(): Uint32Array {
    return this.#ids.slice();
  }

  /** The ids from `start` to `end` (exclusive) of the sorted list; at once where the list is short. */
  page(pacer: Pacer, start: number, end: number): Later<Uint32Array> {
    const stop = Math.min(end, this.#ids.length);
    if (start >= stop) return new Uint32Array(0);
    if (!isSettled(this.#root, start, stop)) {
      if (this.#ids.length > STEP) return this.#pageInSteps(pacer, start, stop);
      pacer.note(this.#ids.length);
      this.#sortWhole(this.#root);
    }
    return this.#ids.slice(start, stop);
  }

  async #pageInSteps(pacer: Pacer, from: number, to: number): Promise<Uint32Array> {
    const open = [this.#root];
    for (let one = open.pop(); one !== undefined; one = open.pop()) {
      if (one.isSorted || one.end <= from || one.start >= to) continue;
      if (one.end - one.start <= LEAF) {
        this.#sortWhole(one);
      } else {
        if (one.parts.length === 0) await this.#part(pacer, one);
        open.push(...one.parts);
      }
      const turn = pacer.step();
      if (turn !== undefined) await turn;
    }
    return this.#ids.slice(from, to);
  }

  #sortWhole(one: Stretch): void {
    this.#ids.subarray(one.start, one.end).sort(this.#compare);
    one.isSorted = true;
  }

  /** Parts a stretch around the median of three samples, taken anywhere: no arrangement of the ids is a bad one. */
  async #part(pacer: Pacer, one: Stretch): Promise<void> {
    const { start, end } = one;
    const ids = this.#ids;
    const compare = this.#compare;
    const pivot = this.#median(this.#sample(start, end), this.#sample(start, end), this.#sample(start, end));
    const parted = new Uint32Array(end - start);
    let low = 0;
    let high = parted.length;
    for (let from = start; from < end; from += STEP) {
      const to = Math.min(end, from + STEP);
      for (let i = from; i < to; i++) {
        const id = ids[i];
        if (id === pivot) continue;
        if (compare(id, pivot) < 0) parted[low++] = id;
        else parted[--high] = id;
      }
      const turn = pacer.step();
      if (turn !== undefined) await turn;
    }
    // Another page may have parted the stretch meanwhile: then what was read here is of no use.
    if (one.parts.length > 0) return;
    parted[low] = pivot;
    ids.set(parted, start);
    one.parts = [stretch(start, start + low), stretch(start + low + 1, end)];
  }

  /** An id between `start` and `end`, by a linear congruence: the same each time for the same list. */
  #sample(start: number, end: number): TermId {
    this.#seed = (Math.imul(this.#seed, 1664525) + 1013904223) >>> 0;
    return this.#ids[start + Math.floor((this.#seed / 0x1_0000_0000) * (end - start))];
  }

  #median(a: TermId, b: TermId, c: TermId): TermId {
    const isLess = this.#compare(a, b) < 0;
    if (this.#compare(b, c) < 0 === isLess) return b;
    return this.#compare(a, c) < 0 === isLess ? c : a;
  }
}

function stretch(start: number, end: number): Stretch {
  return { start, end, isSorted: end - start <= 1, parts: [] };
}

/** Returns true if nothing from `from` to `to` is left to be sorted. */
function isSettled(one: Stretch, from: number, to: number): boolean {
  if (one.isSorted || one.end <= from || one.start >= to) return true;
  return one.parts.length > 0 && one.parts.every((part) => isSettled(part, from, to));
}

import { type Column, IntBuffer, toColumn } from '../postings/growable.ts';
import { strideOf, VALUE_STRIDE } from '../postings/positions.ts';

/** Occurrences that are moved between two chances to pause. */
const OCCURRENCES_PER_STEP = 65_536;
/** Slots that take fewer strides have positions below 2^32. */
const MAX_NARROW_STRIDES: number = 2 ** 32 / VALUE_STRIDE;
/** Stands where a stop word stood. */
const SKIPPED = 0xffffffff;
/** Added to the number of a term that shares the position of the one before. */
const SHARING = 0x80000000;
const NUMBER = 0x7fffffff;

/** Occurrences by rank of their term: those of rank `r` from `offset[r]` to `offset[r + 1]`, in document order. */
export interface SortedOccurrences {
  readonly offset: Uint32Array;
  readonly slot: Uint32Array;
  /** Positions in the slot; empty where they were not asked for. */
  readonly position: Uint32Array | Float64Array;
}

/** Collects occurrences of terms in the order of documents: slot after slot, in each of them value after value. */
export class Occurrences {
  /** Numbers of terms; an occurrence's place among those of its value is its position. */
  readonly #terms = new IntBuffer(64);
  /** The first occurrence of each value, and the first value of each slot. */
  readonly #valueStart = new IntBuffer();
  readonly #slotStart = new IntBuffer();
  readonly #withPositions: boolean;

  constructor(withPositions: boolean) {
    this.#withPositions = withPositions;
  }

  get size(): number {
    return this.#terms.length;
  }

  startSlot(): void {
    this.#slotStart.push(this.#valueStart.length);
  }

  startValue(): void {
    this.#valueStart.push(this.#terms.length);
  }

  /** Adds a term at the next position of the current value. */
  add(term: number): void {
    this.#terms.push(term);
  }

  /** Adds a term at the position of the one before: the whole of a compound, which adds nothing to the length. */
  share(term: number): void {
    // A term is at a position once.
    if (this.#terms.values[this.#terms.length - 1] !== term) this.#terms.push(SHARING + term);
  }

  /** Leaves the next position of the current value empty. */
  skip(): void {
    this.#terms.push(SKIPPED);
  }

  /** Says that nothing more comes. */
  end(): void {
    this.#slotStart.push(this.#valueStart.length);
    this.#valueStart.push(this.#terms.length);
  }

  /** Forgets every occurrence but keeps the memory. */
  clear(): void {
    this.#terms.length = 0;
    this.#valueStart.length = 0;
    this.#slotStart.length = 0;
  }

  /** How many terms each slot has. Yields where it may pause. */
  *toLengths(): Generator<void, Column> {
    const lengths = new Uint32Array(this.#slotStart.length - 1);
    let untilPause = OCCURRENCES_PER_STEP;
    for (let slot = 0; slot < lengths.length; slot++) {
      const end = this.#firstOf(slot + 1);
      for (let at = this.#firstOf(slot); at < end; ) {
        const until = Math.min(end, at + untilPause);
        lengths[slot] += this.#countPlaces(at, until);
        untilPause -= until - at;
        at = until;
        if (untilPause > 0) continue;
        untilPause = OCCURRENCES_PER_STEP;
        yield;
      }
    }
    return yield* toColumn(lengths);
  }

  /**
   * The ranks of the terms of all slots, in order, and where those of each slot begin. No position may be empty. Yields
   * where it may pause.
   */
  *toRanks(rankOf: Uint32Array): Generator<void, { offset: Uint32Array; term: Column }> {
    const offset = yield* this.#slotStart.toUint32();
    for (let slot = 0; slot < offset.length; slot++) {
      offset[slot] = this.#valueStart.values[offset[slot]];
      if (slot % OCCURRENCES_PER_STEP === OCCURRENCES_PER_STEP - 1) yield;
    }
    const ranks = yield* this.#terms.toUint32();
    for (let i = 0; i < ranks.length; i++) {
      ranks[i] = rankOf[ranks[i]];
      if (i % OCCURRENCES_PER_STEP === OCCURRENCES_PER_STEP - 1) yield;
    }
    return { offset, term: yield* toColumn(ranks) };
  }

  /** Sorts by the rank of the term; a stable counting sort. Yields where it may pause. */
  *sortByRank(rankOf: Uint32Array): Generator<void, SortedOccurrences> {
    const offset = yield* this.#countRanks(rankOf);
    const next = new Uint32Array(rankOf.length);
    for (let term = 0; term < next.length; term++) {
      next[term] = offset[rankOf[term]];
      if (term % OCCURRENCES_PER_STEP === OCCURRENCES_PER_STEP - 1) yield;
    }
    yield;
    const count = offset[rankOf.length];
    const sorted = { offset, slot: new Uint32Array(count), position: this.#createPositions(count) };
    yield* this.#moveAll(next, sorted);
    return sorted;
  }

  *#moveAll(next: Uint32Array, sorted: SortedOccurrences): Generator<void, void> {
    let untilPause = OCCURRENCES_PER_STEP;
    for (let slot = 0; slot + 1 < this.#slotStart.length; slot++) {
      const endValue = this.#slotStart.values[slot + 1];
      let base = 0;
      for (let value = this.#slotStart.values[slot]; value < endValue; value++) {
        const start = this.#valueStart.values[value];
        const end = this.#valueStart.values[value + 1];
        let position = base;
        for (let at = start; at < end; ) {
          const until = Math.min(end, at + untilPause);
          position = this.#move(at, until, slot, position, next, sorted);
          untilPause -= until - at;
          at = until;
          if (untilPause > 0) continue;
          untilPause = OCCURRENCES_PER_STEP;
          yield;
        }
        base += strideOf(end - start);
      }
    }
  }

  /** Moves some neighbouring occurrences of one value, the first of which takes a position; returns the next one. */
  #move(
    start: number,
    end: number,
    slot: number,
    first: number,
    next: Uint32Array,
    { slot: slots, position: positions }: SortedOccurrences,
  ): number {
    const withPositions = this.#withPositions;
    const terms = this.#terms.values;
    let position = first;
    for (let i = start; i < end; i++) {
      const term = terms[i];
      if (term < SHARING) position++;
      else if (term === SKIPPED) {
        position++;
        continue;
      }
      const at = next[term & NUMBER]++;
      slots[at] = slot;
      if (withPositions) positions[at] = position - 1;
    }
    return position;
  }

  *#countRanks(rankOf: Uint32Array): Generator<void, Uint32Array> {
    const { length, values } = this.#terms;
    const counts = new Uint32Array(rankOf.length);
    for (let start = 0; start < length; start += OCCURRENCES_PER_STEP) {
      const end = Math.min(start + OCCURRENCES_PER_STEP, length);
      for (let i = start; i < end; i++) if (values[i] !== SKIPPED) counts[values[i] & NUMBER]++;
      yield;
    }
    const offset = new Uint32Array(rankOf.length + 1);
    for (let term = 0; term < rankOf.length; term++) {
      offset[rankOf[term] + 1] = counts[term];
      if (term % OCCURRENCES_PER_STEP === OCCURRENCES_PER_STEP - 1) yield;
    }
    for (let rank = 0; rank < rankOf.length; rank++) {
      offset[rank + 1] += offset[rank];
      if (rank % OCCURRENCES_PER_STEP === OCCURRENCES_PER_STEP - 1) yield;
    }
    return offset;
  }

  /** How many of some occurrences are at a position of their own, empty or not. */
  #countPlaces(start: number, end: number): number {
    const terms = this.#terms.values;
    let count = 0;
    for (let i = start; i < end; i++) if (terms[i] < SHARING) count++;
    return count;
  }

  #firstOf(slot: number): number {
    return this.#valueStart.values[this.#slotStart.values[slot]];
  }

  #createPositions(count: number): Uint32Array | Float64Array {
    if (!this.#withPositions) return new Uint32Array(0);
    for (let slot = 0; slot + 1 < this.#slotStart.length; slot++) {
      const values = this.#slotStart.values[slot + 1] - this.#slotStart.values[slot];
      const mostStrides = 2 * values + (this.#firstOf(slot + 1) - this.#firstOf(slot)) / VALUE_STRIDE;
      if (mostStrides >= MAX_NARROW_STRIDES) return new Float64Array(count);
    }
    return new Uint32Array(count);
  }
}

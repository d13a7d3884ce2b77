import { IntBuffer } from '../postings/growable.ts';
import { VALUE_STRIDE } from '../postings/positions.ts';

/** Occurrences that are moved between two chances to pause. */
const OCCURRENCES_PER_STEP = 65_536;
/** Slots with fewer values have positions below 2^32. */
const MAX_NARROW_VALUES: number = 2 ** 32 / VALUE_STRIDE;

/** Occurrences by term: those of term `t` from `offset[t]` to `offset[t + 1]`, in the order of documents. */
export interface SortedOccurrences {
  readonly offset: Uint32Array;
  readonly slot: Uint32Array;
  /** Positions in the slot; empty where they were not asked for. */
  readonly position: Uint32Array | Float64Array;
}

/** Collects occurrences of terms in the order of documents: slot after slot, in each of them value after value. */
export class Occurrences {
  /** Numbers of terms, one for each occurrence. */
  readonly term: IntBuffer = new IntBuffer(64);
  private readonly offset = new IntBuffer(64);
  /** The first occurrence of each value, and the first value of each slot. */
  private readonly valueStart = new IntBuffer();
  private readonly slotStart = new IntBuffer();
  private readonly withPositions: boolean;

  constructor(withPositions: boolean) {
    this.withPositions = withPositions;
  }

  startSlot(): void {
    this.slotStart.push(this.valueStart.length);
  }

  startValue(): void {
    this.valueStart.push(this.term.length);
  }

  /** Adds an occurrence in the current value. */
  add(term: number, offset: number): void {
    this.term.push(term);
    if (this.withPositions) this.offset.push(offset < VALUE_STRIDE ? offset : VALUE_STRIDE - 1);
  }

  /** Says that nothing more comes. */
  end(): void {
    this.slotStart.push(this.valueStart.length);
    this.valueStart.push(this.term.length);
  }

  /** Where the occurrences of each slot begin; one longer than there are slots. Only after {@link end}. */
  slotOffsets(): Uint32Array<ArrayBuffer> {
    const offsets = this.slotStart.toUint32();
    for (let slot = 0; slot < offsets.length; slot++) offsets[slot] = this.valueStart.values[offsets[slot]!]!;
    return offsets;
  }

  /** Sorts by the rank of the term; a stable counting sort. Yields where it may pause. */
  *sortByRank(rankOf: Uint32Array): Generator<void, SortedOccurrences> {
    const offset = yield* this.countRanks(rankOf);
    const next = rankOf.map((rank) => offset[rank]!);
    const { length } = this.term;
    const slot = new Uint32Array(length);
    const position = this.createPositions(length);
    let untilPause = OCCURRENCES_PER_STEP;
    for (let current = 0; current + 1 < this.slotStart.length; current++) {
      const first = this.slotStart.values[current]!;
      const last = this.slotStart.values[current + 1]!;
      for (let value = first; value < last; value++) {
        this.moveValue(value, current, (value - first) * VALUE_STRIDE, next, slot, position);
        untilPause -= this.valueStart.values[value + 1]! - this.valueStart.values[value]!;
      }
      if (untilPause > 0) continue;
      untilPause = OCCURRENCES_PER_STEP;
      yield;
    }
    return { offset, slot, position };
  }

  private moveValue(
    value: number,
    slot: number,
    base: number,
    next: Uint32Array,
    slots: Uint32Array,
    positions: Uint32Array | Float64Array,
  ): void {
    const { withPositions } = this;
    const terms = this.term.values;
    const offsets = this.offset.values;
    const end = this.valueStart.values[value + 1]!;
    for (let i = this.valueStart.values[value]!; i < end; i++) {
      const at = next[terms[i]!]!++;
      slots[at] = slot;
      if (withPositions) positions[at] = base + offsets[i]!;
    }
  }

  private *countRanks(rankOf: Uint32Array): Generator<void, Uint32Array> {
    const terms = this.term.values;
    const { length } = this.term;
    const counts = new Uint32Array(rankOf.length);
    for (let start = 0; start < length; start += OCCURRENCES_PER_STEP) {
      const end = Math.min(start + OCCURRENCES_PER_STEP, length);
      for (let i = start; i < end; i++) counts[terms[i]!]!++;
      yield;
    }
    const offset = new Uint32Array(rankOf.length + 1);
    for (let term = 0; term < rankOf.length; term++) offset[rankOf[term]! + 1] = counts[term]!;
    for (let rank = 0; rank < rankOf.length; rank++) offset[rank + 1]! += offset[rank]!;
    return offset;
  }

  private createPositions(length: number): Uint32Array | Float64Array {
    if (!this.withPositions) return new Uint32Array(0);
    const { values } = this.slotStart;
    for (let slot = 0; slot + 1 < this.slotStart.length; slot++) {
      if (values[slot + 1]! - values[slot]! > MAX_NARROW_VALUES) return new Float64Array(length);
    }
    return new Uint32Array(length);
  }
}

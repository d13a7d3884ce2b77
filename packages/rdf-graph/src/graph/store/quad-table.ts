import type { LabelSetId } from '@cairn/security';
import type { TermId } from '../port/term-kind.ts';
import { growUint32 } from './memory.ts';
import { prepared } from './successor.ts';

/** Tables up to this size grow at once, larger ones step by step. */
const FEW_ROWS = 2048;
const ROWS_PER_STEP = 256;

/** Memory of a quad in a table: five columns that may be half empty, and its places among the slots. */
export const QUAD_BYTES = 64;

/** Distinct quads of ids in the order they came, each with a label set. Cost of set and find: O(1). */
export class QuadTable {
  s: Uint32Array;
  p: Uint32Array;
  o: Uint32Array;
  g: Uint32Array;
  sets: Uint32Array;
  size = 0;
  #slots: Uint32Array;
  /** With so many rows something must be done for growth. */
  #mark: number;
  #larger: Uint32Array | undefined;
  #placed = 0;

  /** Arrays of up to 64 bytes, as of a table of 8 quads, are many times cheaper to make than larger ones. */
  constructor(capacity = 8) {
    this.s = new Uint32Array(capacity);
    this.p = new Uint32Array(capacity);
    this.o = new Uint32Array(capacity);
    this.g = new Uint32Array(capacity);
    this.sets = new Uint32Array(capacity);
    let slots = 16;
    while (slots < capacity * 2) slots *= 2;
    this.#slots = new Uint32Array(slots);
    this.#mark = capacity;
  }

  /** The row of a quad, or -1. */
  find(s: TermId, p: TermId, o: TermId, g: TermId): number {
    const mask = this.#slots.length - 1;
    for (let slot = hashQuad(s, p, o, g) & mask; ; slot = (slot + 1) & mask) {
      const row = this.#slots[slot] - 1;
      if (row < 0) return -1;
      if (this.s[row] === s && this.p[row] === p && this.o[row] === o && this.g[row] === g) return row;
    }
  }

  /** Sets the label set of a quad; true when the quad is new here. */
  set(s: TermId, p: TermId, o: TermId, g: TermId, labelSet: LabelSetId): boolean {
    const known = this.find(s, p, o, g);
    if (known >= 0) {
      this.sets[known] = labelSet;
      return false;
    }
    if (this.size >= this.#mark) this.#makeRoom();
    if (this.size >= this.s.length) this.#grow();
    const row = this.size++;
    this.s[row] = s;
    this.p[row] = p;
    this.o[row] = o;
    this.g[row] = g;
    this.sets[row] = labelSet;
    this.#place(this.#slots, row);
    return true;
  }

  /** Writes a row over another one. From then on the table finds nothing. */
  move(from: number, to: number): void {
    this.s[to] = this.s[from];
    this.p[to] = this.p[from];
    this.o[to] = this.o[from];
    this.g[to] = this.g[from];
    this.sets[to] = this.sets[from];
  }

  /** Half of the slots stay free. A larger table is filled with each row a little, so that no row waits for all. */
  #makeRoom(): void {
    const capacity = this.#slots.length / 2;
    const wanted = this.size + (capacity <= FEW_ROWS ? 1 : ROWS_PER_STEP);
    const isOver = wanted > capacity;
    const end = isOver ? this.size : Math.min(this.size, prepared(wanted, capacity));
    this.#mark = capacity <= FEW_ROWS ? capacity : wanted;
    if (end === 0) return;
    this.#larger ??= new Uint32Array(this.#slots.length * 2);
    for (; this.#placed < end; this.#placed++) this.#place(this.#larger, this.#placed);
    if (!isOver) return;
    this.#slots = this.#larger;
    this.#larger = undefined;
    this.#placed = 0;
    this.#mark = this.#slots.length / (capacity < FEW_ROWS ? 2 : 4);
  }

  #place(slots: Uint32Array, row: number): void {
    const mask = slots.length - 1;
    let slot = hashQuad(this.s[row], this.p[row], this.o[row], this.g[row]) & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = row + 1;
  }

  #grow(): void {
    const capacity = this.s.length * 2;
    this.s = growUint32(this.s, capacity);
    this.p = growUint32(this.p, capacity);
    this.o = growUint32(this.o, capacity);
    this.g = growUint32(this.g, capacity);
    this.sets = growUint32(this.sets, capacity);
  }
}

function hashQuad(s: number, p: number, o: number, g: number): number {
  let hash = Math.imul(s, 0x9e3779b1) ^ Math.imul(p, 0x85ebca6b) ^ Math.imul(o, 0xc2b2ae35) ^ Math.imul(g, 0x27d4eb2f);
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x2c1b3c6d) >>> 4;
}

import { grow } from '../memory/grow.ts';

/** The hash of no unit at all. */
export const NO_UNITS: number = 0x811c9dc5 | 0;

/** The hash of some units and one more (FNV-1a over UTF-16 units). */
export function mixUnit(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}

export function hashUnits(text: string, start = 0, end: number = text.length): number {
  let hash = NO_UNITS;
  for (let i = start; i < end; i++) hash = mixUnit(hash, text.charCodeAt(i));
  return hash;
}

/** Result of {@link SurfaceTable.find} for a form that was not added. */
export const UNKNOWN = -2;

/** Steps of probing before a form is looked for in a map: forms that were made to collide stay cheap. */
const MAX_PROBES = 32;
/** Numbers in a cell: hash, length plus one (0: free), where the units begin, value. */
const CELL = 4;

/** Tables of this many cells and more grow by leaps, so that they are moved more seldom; the largest double again. */
const MIN_LEAPING = 1024;
const MAX_LEAPING: number = 2 ** 16;

/** Tables of fewer cells grow at once, and fast. */
const MIN_CROWDED = 2 ** 13;
/** Cells that are moved between two chances to pause. */
const CELLS_PER_STEP = 2 ** 13;

interface CrowdedForm {
  readonly hash: number;
  readonly first: number;
  readonly value: number;
}

/**
 * Numbers by surface form: open addressing over the units of a text, so that looking a form up makes no substring and
 * keeps no text alive. Cost of `find`: O(length of the form), whatever the forms.
 */
export class SurfaceTable {
  #cells = new Int32Array(32 * CELL);
  #mask = 31;
  #units = new Uint16Array(128);
  #unitCount = 0;
  /** Forms that found no cell near their own: where their units begin, and their values. */
  #crowded: Map<string, CrowdedForm> | undefined;
  /** Replaces the cells once all forms are in it; it grows in steps. */
  #grown: SurfaceTable | undefined;
  /** Forms that were added. */
  size = 0;

  /** The value of a part of a text, or {@link UNKNOWN}; `hash` is that of `hashUnits`. */
  find(text: string, start: number, end: number, hash: number): number {
    const cells = this.#cells;
    const units = this.#units;
    const mask = this.#mask;
    const code = end - start + 1;
    let cell = spread(hash) & mask;
    for (let probes = 0; probes < MAX_PROBES; probes++) {
      const at = cell * CELL;
      const found = cells[at + 1];
      if (found === 0) return UNKNOWN;
      if (found === code && cells[at] === hash) {
        const ahead = cells[at + 2] - start;
        let i = start;
        while (i < end && units[ahead + i] === text.charCodeAt(i)) i++;
        if (i === end) return cells[at + 3];
      }
      cell = (cell + 1) & mask;
    }
    return this.#crowded?.get(text.slice(start, end))?.value ?? UNKNOWN;
  }

  /** Adds a form that {@link find} does not know. Values are from -1 up. */
  add(text: string, start: number, end: number, hash: number, value: number): void {
    if (this.size++ * 2 > this.#mask) this.#grow();
    const first = this.#unitCount;
    this.#unitCount = first + end - start;
    if (this.#unitCount > this.#units.length) this.#units = grow(this.#units, this.#unitCount);
    for (let i = start; i < end; i++) this.#units[first + i - start] = text.charCodeAt(i);
    this.#put(hash, end - start, first, value);
    if (this.#grown === undefined) return;
    this.#grown.#units = this.#units;
    // It may be taken over once more with its cell: then it is there twice, and the first is found.
    this.#grown.#put(hash, end - start, first, value);
  }

  /** Returns true if the table is large and will grow within some thousands of forms. */
  get isCrowded(): boolean {
    return this.#mask >= MIN_CROWDED && this.size * 2 > this.#mask - (this.#mask >>> 3) && this.#grown === undefined;
  }

  /** Grows now, before {@link add} has to. Forms may be added meanwhile. Yields where it may pause. */
  *growInSteps(): Generator<void, void> {
    const grown = new SurfaceTable();
    this.#grown = grown;
    grown.#makeCells(this.#mask);
    for (let start = 0; start < this.#cells.length; start += CELLS_PER_STEP * CELL) {
      grown.#units = this.#units;
      grown.#takeCells(this.#cells, start, Math.min(start + CELLS_PER_STEP * CELL, this.#cells.length));
      yield;
      // It had to grow at once, or was cleared.
      if (this.#grown !== grown) return;
    }
    grown.#takeCrowded(this.#crowded);
    this.#cells = grown.#cells;
    this.#mask = grown.#mask;
    this.#crowded = grown.#crowded;
    this.#grown = undefined;
  }

  /** Forgets every form but keeps the memory. */
  clear(): void {
    this.#cells.fill(0);
    this.#unitCount = 0;
    this.size = 0;
    this.#crowded = undefined;
    this.#grown = undefined;
  }

  /** Takes in a form whose units are known: into a cell near its own, or, where none is free, into the map. */
  #put(hash: number, length: number, first: number, value: number): void {
    const cells = this.#cells;
    const mask = this.#mask;
    let cell = spread(hash) & mask;
    for (let probes = 0; probes < MAX_PROBES; probes++) {
      const at = cell * CELL;
      if (cells[at + 1] === 0) {
        cells[at] = hash;
        cells[at + 1] = length + 1;
        cells[at + 2] = first;
        cells[at + 3] = value;
        return;
      }
      cell = (cell + 1) & mask;
    }
    const units = Array.from(this.#units.subarray(first, first + length), (unit) => String.fromCharCode(unit));
    this.#crowded ??= new Map();
    this.#crowded.set(units.join(''), { hash, first, value });
  }

  #grow(): void {
    const old = this.#cells;
    const crowded = this.#crowded;
    this.#crowded = undefined;
    this.#grown = undefined;
    this.#makeCells(this.#mask);
    this.#takeCells(old, 0, old.length);
    this.#takeCrowded(crowded);
  }

  /** Makes the cells for the forms of a table that was full. */
  #makeCells(mask: number): void {
    const times = mask >= MIN_LEAPING - 1 && mask < MAX_LEAPING ? 4 : 2;
    this.#mask = (mask + 1) * times - 1;
    this.#cells = new Int32Array((this.#mask + 1) * CELL);
  }

  /** Takes over forms from the cells of a table that held the same units. */
  #takeCells(old: Int32Array, start: number, end: number): void {
    for (let at = start; at < end; at += CELL) {
      const code = old[at + 1];
      if (code !== 0) this.#put(old[at], code - 1, old[at + 2], old[at + 3]);
    }
  }

  /** There may be free cells near their own now, and then they are looked for nowhere else. */
  #takeCrowded(crowded: ReadonlyMap<string, CrowdedForm> | undefined): void {
    for (const [{ length }, { hash, first, value }] of crowded ?? []) this.#put(hash, length, first, value);
  }
}

/** The low bits of FNV-1a depend on the low bits of the units alone: the high ones are mixed in. */
function spread(hash: number): number {
  return hash ^ (hash >>> 15);
}

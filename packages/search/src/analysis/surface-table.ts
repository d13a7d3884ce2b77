/** What {@link SurfaceTable.find} returns for a form that was not added. */
export const UNKNOWN = -2;

/** Steps of probing before a form is looked for in a map: forms that were made to collide stay cheap. */
const MAX_PROBES = 32;
/** Numbers in a cell: hash, length plus one (0: free), where the units begin, value. */
const CELL = 4;

/** Tables of this many cells and more grow by leaps, so that they are moved more seldom; the largest double again. */
const MIN_LEAPING = 1024;
const MAX_LEAPING: number = 2 ** 16;

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
  private cells = new Int32Array(32 * CELL);
  private mask = 31;
  private units = new Uint16Array(128);
  private unitCount = 0;
  /** Forms that found no cell near their own: where their units begin, and their values. */
  private crowded: Map<string, CrowdedForm> | undefined;
  /** Forms that were added. */
  size = 0;

  /** The value of a part of a text, or {@link UNKNOWN}; `hash` is that of `hashUnits`. */
  find(text: string, start: number, end: number, hash: number): number {
    const { cells, mask } = this;
    const code = end - start + 1;
    let cell = spread(hash) & mask;
    for (let probes = 0; probes < MAX_PROBES; probes++) {
      const at = cell * CELL;
      const found = cells[at + 1];
      if (found === 0) return UNKNOWN;
      if (found === code && cells[at] === hash && this.equals(cells[at + 2], text, start, end)) return cells[at + 3];
      cell = (cell + 1) & mask;
    }
    return this.crowded?.get(text.slice(start, end))?.value ?? UNKNOWN;
  }

  /** Adds a form that {@link find} does not know. Values are from -1 up. */
  add(text: string, start: number, end: number, hash: number, value: number): void {
    if (this.size++ * 2 > this.mask) this.grow();
    const first = this.unitCount;
    this.unitCount = first + end - start;
    if (this.unitCount > this.units.length) this.growUnits();
    for (let i = start; i < end; i++) this.units[first + i - start] = text.charCodeAt(i);
    if (!this.place(hash, end - start + 1, first, value)) this.crowd(hash, first, end - start, value);
  }

  /** Forgets every form but keeps the memory. */
  clear(): void {
    this.cells.fill(0);
    this.unitCount = 0;
    this.size = 0;
    this.crowded = undefined;
  }

  private equals(first: number, text: string, start: number, end: number): boolean {
    const { units } = this;
    for (let i = start, at = first; i < end; i++, at++) if (units[at] !== text.charCodeAt(i)) return false;
    return true;
  }

  private place(hash: number, code: number, first: number, value: number): boolean {
    const { cells, mask } = this;
    let cell = spread(hash) & mask;
    for (let probes = 0; probes < MAX_PROBES; probes++) {
      const at = cell * CELL;
      if (cells[at + 1] === 0) {
        cells[at] = hash;
        cells[at + 1] = code;
        cells[at + 2] = first;
        cells[at + 3] = value;
        return true;
      }
      cell = (cell + 1) & mask;
    }
    return false;
  }

  /** Takes a form that finds no cell near its own into the map. */
  private crowd(hash: number, first: number, length: number, value: number): void {
    const units = Array.from(this.units.subarray(first, first + length), (unit) => String.fromCharCode(unit));
    this.crowded ??= new Map();
    this.crowded.set(units.join(''), { hash, first, value });
  }

  private grow(): void {
    const old = this.cells;
    const { crowded } = this;
    this.crowded = undefined;
    const times = this.mask >= MIN_LEAPING - 1 && this.mask < MAX_LEAPING ? 4 : 2;
    this.cells = new Int32Array(old.length * times);
    this.mask = (this.mask + 1) * times - 1;
    for (let at = 0; at < old.length; at += CELL) {
      const code = old[at + 1];
      if (code === 0 || this.place(old[at], code, old[at + 2], old[at + 3])) continue;
      this.crowd(old[at], old[at + 2], code - 1, old[at + 3]);
    }
    // There may be free cells near their own now, and then they are looked for nowhere else.
    for (const [{ length }, { hash, first, value }] of crowded ?? []) {
      if (!this.place(hash, length + 1, first, value)) this.crowd(hash, first, length, value);
    }
  }

  private growUnits(): void {
    const grown = new Uint16Array(Math.max(this.unitCount, this.units.length * 2));
    grown.set(this.units);
    this.units = grown;
  }
}

/** The low bits of FNV-1a depend on the low bits of the units alone: the high ones are mixed in. */
function spread(hash: number): number {
  return hash ^ (hash >>> 15);
}

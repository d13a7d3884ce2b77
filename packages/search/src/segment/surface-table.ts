/** What {@link SurfaceTable.find} returns for a form that was not added. */
export const UNKNOWN = -2;

/** Steps of probing before a form is looked for in a map: forms that were made to collide stay cheap. */
const MAX_PROBES = 32;

/**
 * Numbers by surface form: open addressing over the units of a text, so that looking a form up makes no substring.
 * Cost of `find`: O(length of the form), whatever the forms.
 */
export class SurfaceTable {
  /** Pairs of a form's hash and its number here plus one; zero where free. */
  private cells = new Int32Array(64);
  private mask = 31;
  private size = 0;
  /** Pairs of where a form's units begin and its value. */
  private forms = new Int32Array(34);
  private units = new Uint16Array(128);
  private crowded: Map<string, number> | undefined;

  /** The value of a part of a text, or {@link UNKNOWN}. */
  find(text: string, start: number, end: number, hash: number): number {
    const { cells, mask } = this;
    let cell = spread(hash) & mask;
    for (let probes = 0; probes < MAX_PROBES; probes++) {
      const form = cells[cell * 2 + 1]!;
      if (form === 0) return UNKNOWN;
      if (cells[cell * 2] === hash && this.equals(form - 1, text, start, end)) return this.forms[form * 2 - 1]!;
      cell = (cell + 1) & mask;
    }
    return this.crowded?.get(text.slice(start, end)) ?? UNKNOWN;
  }

  /** Adds a form that {@link find} does not know. Values are from -1 up. */
  add(surface: string, hash: number, value: number): void {
    if (this.size * 2 > this.mask) this.grow();
    const start = this.forms[this.size * 2]!;
    const end = start + surface.length;
    if (end > this.units.length) this.units = doubled(this.units, end);
    for (let i = 0; i < surface.length; i++) this.units[start + i] = surface.charCodeAt(i);
    if (this.size * 2 + 4 > this.forms.length) this.forms = doubled(this.forms, this.size * 2 + 4);
    this.forms[this.size * 2 + 1] = value;
    this.size++;
    this.forms[this.size * 2] = end;
    if (!this.place(hash, this.size)) this.crowd(surface, value);
  }

  private equals(form: number, text: string, start: number, end: number): boolean {
    const { units } = this;
    const first = this.forms[form * 2]!;
    const length = end - start;
    if (this.forms[form * 2 + 2]! - first !== length) return false;
    for (let i = 0; i < length; i++) if (units[first + i] !== text.charCodeAt(start + i)) return false;
    return true;
  }

  private place(hash: number, form: number): boolean {
    let cell = spread(hash) & this.mask;
    for (let probes = 0; probes < MAX_PROBES; probes++) {
      if (this.cells[cell * 2 + 1] === 0) {
        this.cells[cell * 2] = hash;
        this.cells[cell * 2 + 1] = form;
        return true;
      }
      cell = (cell + 1) & this.mask;
    }
    return false;
  }

  private crowd(surface: string, value: number): void {
    this.crowded ??= new Map();
    this.crowded.set(surface, value);
  }

  /** Doubles the cells. What finds no place in the larger table either goes to the map. */
  private grow(): void {
    const old = this.cells;
    this.cells = new Int32Array(old.length * 2);
    this.mask = this.mask * 2 + 1;
    for (let at = 0; at < old.length; at += 2) {
      const form = old[at + 1]!;
      if (form !== 0 && !this.place(old[at]!, form)) this.crowd(this.surfaceOf(form - 1), this.forms[form * 2 - 1]!);
    }
  }

  private surfaceOf(form: number): string {
    const units = this.units.subarray(this.forms[form * 2], this.forms[form * 2 + 2]);
    return Array.from(units, (unit) => String.fromCharCode(unit)).join('');
  }
}

/** The low bits of FNV-1a depend on the low bits of the units alone: the high ones are mixed in. */
function spread(hash: number): number {
  return hash ^ (hash >>> 15);
}

function doubled<T extends Int32Array | Uint16Array>(array: T, needed: number): T {
  const grown = new (array.constructor as new (length: number) => T)(Math.max(needed, array.length * 2));
  grown.set(array);
  return grown;
}

import { grow } from '../memory/grow.ts';
import { copyInSteps } from '../postings/stepwise-copy.ts';
import { TermDictionary } from './term-dictionary.ts';

const encoder = new TextEncoder();
/** Texts that are taken in or copied between two chances to pause. */
const TEXTS_PER_STEP = 8192;

/** Texts in UTF-8 in the order in which they came, by number. Unlike a dictionary it is not sorted. */
export class TermArena {
  bytes: Uint8Array<ArrayBuffer>;
  /** Where each text begins; one longer than there are texts. */
  offsets: Uint32Array<ArrayBuffer>;
  size = 0;

  /** Makes room for some texts of together some bytes; more may come. */
  constructor(texts = 31, bytes = 256) {
    this.bytes = new Uint8Array(bytes);
    this.offsets = new Uint32Array(texts + 1);
  }

  add(text: string): number {
    const start = this.#makeRoom(text.length * 3);
    this.offsets[this.size + 1] = writeUtf8(text, this.bytes, start);
    return this.size++;
  }

  addFrom({ offsets, bytes }: TermDictionary, ordinal: number): void {
    const end = offsets[ordinal + 1];
    let at = this.#makeRoom(end - offsets[ordinal]);
    for (let i = offsets[ordinal]; i < end; i++) this.bytes[at++] = bytes[i];
    this.offsets[++this.size] = at;
  }

  /** Forgets every text but keeps the memory. */
  clear(): void {
    this.size = 0;
  }

  /** A dictionary of texts that came distinct and in ascending order. Yields where it may pause. */
  *finish(): Generator<void, TermDictionary> {
    const offsets = yield* copyInSteps(this.offsets.subarray(0, this.size + 1));
    return new TermDictionary(offsets, yield* copyInSteps(this.bytes.subarray(0, offsets[this.size])));
  }

  /** A dictionary of the texts, distinct and in ascending order as {@link sortTerms} gives it. Yields where it may pause. */
  *toDictionary(order: Uint32Array): Generator<void, TermDictionary> {
    const offsets = new Uint32Array(order.length + 1);
    const bytes = new Uint8Array(this.offsets[this.size]);
    let at = 0;
    for (let rank = 0; rank < order.length; rank++) {
      const end = this.offsets[order[rank] + 1];
      for (let i = this.offsets[order[rank]]; i < end; i++) bytes[at++] = this.bytes[i];
      offsets[rank + 1] = at;
      if (rank % TEXTS_PER_STEP === TEXTS_PER_STEP - 1) yield;
    }
    return new TermDictionary(offsets, bytes);
  }

  /** Makes room for one more text and returns where it begins. */
  #makeRoom(size: number): number {
    const start = this.offsets[this.size];
    if (start + size > this.bytes.length) this.bytes = grow(this.bytes, start + size);
    if (this.size + 2 > this.offsets.length) this.offsets = grow(this.offsets, this.size + 2);
    return start;
  }
}

/** A dictionary of texts that are sorted by code point and distinct. Yields where it may pause. */
export function* buildTermDictionary(sorted: readonly string[]): Generator<void, TermDictionary> {
  let units = 0;
  let longest = 0;
  for (let at = 0; at < sorted.length; at++) {
    units += sorted[at].length;
    longest = Math.max(longest, sorted[at].length);
    if (at % TEXTS_PER_STEP === TEXTS_PER_STEP - 1) yield;
  }
  // Room for all from the beginning: to grow means to copy everything at once. A text asks for three bytes a unit.
  const arena = new TermArena(sorted.length, units + 3 * longest);
  for (const text of sorted) {
    arena.add(text);
    if (arena.size % TEXTS_PER_STEP === 0) yield;
  }
  return yield* arena.finish();
}

/**
 * Writes a text in UTF-8 and returns where it ends; there must be room for three bytes for each UTF-16 unit. Most texts
 * here are short and ASCII, and copying their units beats a call of the encoder.
 */
function writeUtf8(text: string, bytes: Uint8Array, start: number): number {
  const { length } = text;
  for (let i = 0; i < length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 127) return start + encoder.encodeInto(text, bytes.subarray(start)).written;
    bytes[start + i] = unit;
  }
  return start + length;
}

import { TermDictionary } from './term-dictionary.ts';
import { writeUtf8 } from './utf8.ts';

/** Terms that are copied between two chances to pause. */
const TERMS_PER_STEP = 8192;

/** Texts in UTF-8 in the order in which they came, by number. Unlike a dictionary it is not sorted. */
export class TermArena {
  bytes: Uint8Array<ArrayBuffer> = new Uint8Array(256);
  /** Where each text begins; one longer than there are texts. */
  offsets: Uint32Array<ArrayBuffer> = new Uint32Array(32);
  size = 0;

  add(text: string): number {
    const start = this.offsets[this.size];
    if (start + text.length * 3 > this.bytes.length) this.#growBytes(start + text.length * 3);
    if (this.size + 2 > this.offsets.length) this.#growOffsets();
    this.offsets[this.size + 1] = writeUtf8(text, this.bytes, start);
    return this.size++;
  }

  /** Forgets every text but keeps the memory. */
  clear(): void {
    this.size = 0;
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
      if (rank % TERMS_PER_STEP === TERMS_PER_STEP - 1) yield;
    }
    return new TermDictionary(offsets, bytes);
  }

  #growBytes(needed: number): void {
    const grown = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    grown.set(this.bytes);
    this.bytes = grown;
  }

  #growOffsets(): void {
    const grown = new Uint32Array(this.offsets.length * 2);
    grown.set(this.offsets);
    this.offsets = grown;
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Sorted distinct terms as UTF-8 in one array. A term's ordinal is its rank. */
export class TermDictionary {
  readonly offsets: Uint32Array;
  readonly bytes: Uint8Array;

  constructor(offsets: Uint32Array, bytes: Uint8Array) {
    this.offsets = offsets;
    this.bytes = bytes;
  }

  get size(): number {
    return this.offsets.length - 1;
  }

  term(ordinal: number): string {
    const start = this.offsets[ordinal];
    const end = this.offsets[ordinal + 1];
    if (end - start > 24) return decoder.decode(this.bytes.subarray(start, end));
    let text = '';
    for (let i = start; i < end; i++) {
      const byte = this.bytes[i];
      if (byte > 127) return decoder.decode(this.bytes.subarray(start, end));
      text += String.fromCharCode(byte);
    }
    return text;
  }

  /** The ordinal of a term, or -1. Cost: O(log terms). */
  find(term: string): number {
    return this.findBytes(toBytes(term));
  }

  /** The ordinal of a term that is given in UTF-8, or -1. */
  findBytes(key: Uint8Array): number {
    const at = this.#seekBytes(key);
    return at < this.size && this.#compareAt(at, key) === 0 ? at : -1;
  }

  /** The ordinal of the first term that is not below `term`. */
  seek(term: string): number {
    return this.#seekBytes(toBytes(term));
  }

  /**
   * The ordinal of a term, or the complement of that of the first above it. Looks from an ordinal on first: quick when
   * the term is there, or soon after.
   */
  findFrom(term: string, from: number): number {
    const key = toBytes(term);
    let low = from;
    if (low > 0 && this.#compareAt(low - 1, key) >= 0) low = 0;
    let step = 1;
    let high = low;
    while (high < this.size && this.#compareAt(high, key) < 0) {
      low = high + 1;
      high += step;
      step *= 2;
    }
    const at = this.#seekBytes(key, low, Math.min(high, this.size));
    return at < this.size && this.#compareAt(at, key) === 0 ? at : ~at;
  }

  /** The half-open range of ordinals, between two given ones, of the terms that start with a prefix. */
  prefixRange(prefix: string, from = 0, to: number = this.size): readonly [start: number, end: number] {
    const key = toBytes(prefix);
    const start = this.#seekBytes(key, from, to);
    let step = 1;
    let low = start;
    let high = start;
    while (high < to && this.#startsWith(high, key)) {
      low = high + 1;
      high += step;
      step *= 2;
    }
    if (high > to) high = to;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#startsWith(middle, key)) low = middle + 1;
      else high = middle;
    }
    return [start, low];
  }

  /** Compares a term with one of another dictionary, by code point. */
  compare(ordinal: number, other: TermDictionary, otherOrdinal: number): number {
    const start = this.offsets[ordinal];
    const otherStart = other.offsets[otherOrdinal];
    const length = this.offsets[ordinal + 1] - start;
    const otherLength = other.offsets[otherOrdinal + 1] - otherStart;
    const shared = Math.min(length, otherLength);
    for (let i = 0; i < shared; i++) {
      const difference = this.bytes[start + i] - other.bytes[otherStart + i];
      if (difference !== 0) return difference;
    }
    return length - otherLength;
  }

  /** How many bytes a term has. */
  lengthInBytes(ordinal: number): number {
    return this.offsets[ordinal + 1] - this.offsets[ordinal];
  }

  /** How many bytes the character at a byte of a term has. */
  characterBytesAt(ordinal: number, byte: number): number {
    const first = this.bytes[this.offsets[ordinal] + byte];
    return first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  }

  /** The code point of a character of so many bytes. */
  codePointAt(ordinal: number, byte: number, size: number): number {
    const at = this.offsets[ordinal] + byte;
    if (size === 1) return this.bytes[at];
    return decoder.decode(this.bytes.subarray(at, at + size)).codePointAt(0) ?? 0;
  }

  /** Behind the last ordinal, up to `end`, that has a byte's character in common with `start`; and all that is before. */
  endOfBranch(start: number, byte: number, size: number, end: number): number {
    let low = start + 1;
    let step = 1;
    let high = low;
    while (high < end && this.#isAlike(start, high, byte, size)) {
      low = high + 1;
      high += step;
      step *= 2;
    }
    if (high > end) high = end;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#isAlike(start, middle, byte, size)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The ordinal of the term that goes on with `rest` behind the bytes that all between two ordinals share; or -1. */
  findBelow(rest: Uint8Array, shared: number, start: number, end: number): number {
    const at = this.#seekBytes(rest, start, end, shared);
    return at < end && this.#compareAt(at, rest, shared) === 0 ? at : -1;
  }

  #isAlike(a: number, b: number, byte: number, size: number): boolean {
    const one = this.offsets[a] + byte;
    const other = this.offsets[b] + byte;
    for (let i = 0; i < size; i++) if (this.bytes[one + i] !== this.bytes[other + i]) return false;
    return true;
  }

  #seekBytes(key: Uint8Array, from = 0, to: number = this.size, shared = 0): number {
    let low = from;
    let high = to;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compareAt(middle, key, shared) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Compares a term from a byte on. */
  #compareAt(ordinal: number, key: Uint8Array, from = 0): number {
    const start = this.offsets[ordinal] + from;
    const length = this.offsets[ordinal + 1] - start;
    const shared = Math.min(length, key.length);
    for (let i = 0; i < shared; i++) {
      const difference = this.bytes[start + i] - key[i];
      if (difference !== 0) return difference;
    }
    return length - key.length;
  }

  #startsWith(ordinal: number, key: Uint8Array): boolean {
    const start = this.offsets[ordinal];
    if (this.offsets[ordinal + 1] - start < key.length) return false;
    for (let i = 0; i < key.length; i++) if (this.bytes[start + i] !== key[i]) return false;
    return true;
  }
}

/** Orders texts as their UTF-8 bytes are ordered: by code point. */
export function compareByCodePoint(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return isSurrogate(x) === isSurrogate(y) ? x - y : isSurrogate(x) ? 1 : -1;
  }
  return a.length - b.length;
}

/** A text in UTF-8. */
export function toBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 127) return encoder.encode(text);
    bytes[i] = unit;
  }
  return bytes;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

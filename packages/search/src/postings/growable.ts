import { grow } from '../memory/grow.ts';
import { copyInSteps } from './stepwise-copy.ts';

const encoder = new TextEncoder();

/** So few numbers are narrowed at once: a chance to pause costs as much. */
const SHORT_LENGTH: number = 2 ** 14;

/** Values that are looked at between two chances to pause. */
const VALUES_PER_STEP: number = 2 ** 18;

/** Bytes that grow by doubling. */
export class ByteBuffer {
  bytes: Uint8Array<ArrayBuffer>;
  length = 0;

  constructor(capacity = 64) {
    this.bytes = new Uint8Array(capacity);
  }

  /**
   * Appends an unsigned integer below 2^53 in groups of seven bits, the lowest first. Block readers, cursors and probes
   * each read such numbers in the middle of their loops, where their place is a local variable and most numbers are one
   * byte; a shared reader would be called for every number and would have to return the place as well.
   */
  writeVarint(value: number): void {
    if (this.length + 8 > this.bytes.length) this.bytes = grow(this.bytes, this.length + 8);
    let rest = value;
    while (rest > 0x7fffffff) {
      this.bytes[this.length++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    while (rest > 127) {
      this.bytes[this.length++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.bytes[this.length++] = rest;
  }

  writeByte(byte: number): void {
    if (this.length === this.bytes.length) this.bytes = grow(this.bytes);
    this.bytes[this.length++] = byte;
  }

  writeBytes(source: Uint8Array, start: number, end: number): void {
    const size = end - start;
    if (this.length + size > this.bytes.length) this.bytes = grow(this.bytes, this.length + size);
    if (size < 32) for (let i = start; i < end; i++) this.bytes[this.length++] = source[i];
    else {
      this.bytes.set(source.subarray(start, end), this.length);
      this.length += size;
    }
  }

  /** Appends a text in UTF-8. */
  writeText(text: string): void {
    const end = this.length + text.length * 3;
    if (end > this.bytes.length) this.bytes = grow(this.bytes, end);
    this.length += encoder.encodeInto(text, this.bytes.subarray(this.length)).written;
  }

  /** A copy of exactly what was written. */
  toBytes(): Uint8Array<ArrayBuffer> {
    return this.bytes.slice(0, this.length);
  }

  /** The same; yields where it may pause. */
  copyInSteps(): Generator<void, Uint8Array<ArrayBuffer>> {
    return copyInSteps(this.bytes.subarray(0, this.length));
  }
}

/** Unsigned integers below 2^32 that grow by doubling. */
export class IntBuffer {
  values: Uint32Array<ArrayBuffer>;
  length = 0;

  constructor(capacity = 16) {
    this.values = new Uint32Array(capacity);
  }

  push(value: number): void {
    if (this.length === this.values.length) this.values = grow(this.values);
    this.values[this.length++] = value;
  }

  /** A copy in the narrowest array that holds every value. Yields where it may pause. */
  toColumn(): Generator<void, Column> {
    return toColumn(this.values.subarray(0, this.length));
  }

  /** A copy at full width. Yields where it may pause. */
  toUint32(): Generator<void, Uint32Array<ArrayBuffer>> {
    return copyInSteps(this.values.subarray(0, this.length));
  }
}

/** A column of unsigned integers, as narrow as its largest value allows. */
export type Column = Uint8Array | Uint16Array | Uint32Array;

/** A copy in the narrowest array that holds every value. Yields where it may pause. */
export function* toColumn(values: Uint32Array): Generator<void, Column> {
  const isShort = values.length <= SHORT_LENGTH;
  let largest = 0;
  for (let start = 0; start < values.length; start += VALUES_PER_STEP) {
    const end = Math.min(start + VALUES_PER_STEP, values.length);
    for (let i = start; i < end; i++) if (values[i] > largest) largest = values[i];
    if (!isShort) yield;
  }
  const Narrowest = largest < 0x100 ? Uint8Array : largest < 0x10000 ? Uint16Array : Uint32Array;
  const column = new Narrowest(values.length);
  for (let start = 0; start < values.length; start += VALUES_PER_STEP) {
    column.set(values.subarray(start, start + VALUES_PER_STEP), start);
    if (!isShort) yield;
  }
  return column;
}

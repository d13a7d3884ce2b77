import { copyBytesInSteps, copyInSteps, isShort } from './stepwise-copy.ts';

const encoder = new TextEncoder();

/** Numbers that are copied at once. */
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
    if (this.length + 8 > this.bytes.length) this.#grow(this.length + 8);
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
    if (this.length === this.bytes.length) this.#grow(this.length + 1);
    this.bytes[this.length++] = byte;
  }

  writeBytes(source: Uint8Array, start: number, end: number): void {
    const size = end - start;
    if (this.length + size > this.bytes.length) this.#grow(this.length + size);
    if (size < 32) for (let i = start; i < end; i++) this.bytes[this.length++] = source[i];
    else {
      this.bytes.set(source.subarray(start, end), this.length);
      this.length += size;
    }
  }

  /** Appends a text in UTF-8. */
  writeText(text: string): void {
    if (this.length + text.length * 3 > this.bytes.length) this.#grow(this.length + text.length * 3);
    this.length += encoder.encodeInto(text, this.bytes.subarray(this.length)).written;
  }

  /** A copy of exactly what was written. */
  toBytes(): Uint8Array<ArrayBuffer> {
    return this.bytes.slice(0, this.length);
  }

  /** The same; yields where it may pause. */
  *copyInSteps(): Generator<void, Uint8Array<ArrayBuffer>> {
    const written = this.bytes.subarray(0, this.length);
    if (isShort(written)) return this.toBytes();
    const copy = new Uint8Array(written.length);
    yield* copyBytesInSteps(written, copy);
    return copy;
  }

  #grow(needed: number): void {
    const grown = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    grown.set(this.bytes);
    this.bytes = grown;
  }
}

/** Unsigned integers below 2^32 that grow by doubling. */
export class IntBuffer {
  values: Uint32Array<ArrayBuffer>;
  length = 0;

  constructor(capacity = 16) {
    this.values = new Uint32Array(capacity);
  }

  /** Returns true if it is so short that copying it in steps would cost more than the copy. */
  get isShort(): boolean {
    return this.length <= SHORT_LENGTH;
  }

  push(value: number): void {
    if (this.length === this.values.length) {
      const grown = new Uint32Array(this.values.length * 2);
      grown.set(this.values);
      this.values = grown;
    }
    this.values[this.length++] = value;
  }

  /** A copy in the narrowest array that holds every value. */
  toColumn(): Column {
    return toColumn(this.values.subarray(0, this.length));
  }

  /** The same; yields where it may pause. */
  *toColumnInSteps(): Generator<void, Column> {
    return yield* toColumnInSteps(this.values.subarray(0, this.length));
  }

  /** A copy at full width. */
  toUint32(): Uint32Array<ArrayBuffer> {
    return this.values.slice(0, this.length);
  }

  /** The same; yields where it may pause. */
  *toUint32InSteps(): Generator<void, Uint32Array> {
    return yield* copyInSteps<Uint32Array>(this.values.subarray(0, this.length));
  }
}

/** A column of unsigned integers, as narrow as its largest value allows. */
export type Column = Uint8Array | Uint16Array | Uint32Array;

export function toColumn(values: Uint32Array): Column {
  const largest = largestOf(values);
  if (largest < 0x100) return new Uint8Array(values);
  return largest < 0x10000 ? new Uint16Array(values) : values.slice();
}

/** The same; yields where it may pause. */
export function* toColumnInSteps(values: Uint32Array): Generator<void, Column> {
  let largest = 0;
  for (let start = 0; start < values.length; start += VALUES_PER_STEP) {
    largest = Math.max(largest, largestOf(values.subarray(start, start + VALUES_PER_STEP)));
    yield;
  }
  const column = createColumn(values.length, largest);
  for (let start = 0; start < values.length; start += VALUES_PER_STEP) {
    column.set(values.subarray(start, start + VALUES_PER_STEP), start);
    yield;
  }
  return column;
}

function largestOf(values: Uint32Array): number {
  let largest = 0;
  for (let i = 0; i < values.length; i++) if (values[i] > largest) largest = values[i];
  return largest;
}

function createColumn(length: number, largest: number): Column {
  if (largest < 0x100) return new Uint8Array(length);
  return largest < 0x10000 ? new Uint16Array(length) : new Uint32Array(length);
}

import type { ByteBuffer } from './growable.ts';

/**
 * Positions of different values of one slot lie this far apart: further than any phrase and its slop reach.
 * A value has at most this many positions; terms past them share the last.
 */
export const VALUE_STRIDE: number = 2 ** 20;

/** Appends the ascending positions of one posting: deltas within a value, 0 before each step to a later value. */
export function writePositions(out: ByteBuffer, positions: ArrayLike<number>, start: number, end: number): void {
  let value = 0;
  let previous = -1;
  for (let i = start; i < end; i++) {
    const position = positions[i]!;
    const itsValue = Math.floor(position / VALUE_STRIDE);
    const offset = position - itsValue * VALUE_STRIDE;
    if (itsValue !== value) {
      out.writeVarint(0);
      out.writeVarint(itsValue - value);
      value = itsValue;
      previous = -1;
    }
    out.writeVarint(offset - previous);
    previous = offset;
  }
}

/** Reads positions where a posting's begin. One reader is reused for many postings. */
export class PositionReader {
  offset = 0;
  private readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** Reads `count` positions into `target` from index `at`. */
  read(count: number, target: number[], at: number): void {
    let value = 0;
    let previous = -1;
    for (let i = 0; i < count; i++) {
      let delta = this.readVarint();
      if (delta === 0) {
        value += this.readVarint();
        previous = -1;
        delta = this.readVarint();
      }
      previous += delta;
      target[at + i] = value * VALUE_STRIDE + previous;
    }
  }

  /** Passes over `count` positions. */
  skip(count: number): void {
    for (let i = 0; i < count; i++) {
      if (this.readVarint() !== 0) continue;
      this.readVarint();
      this.readVarint();
    }
  }

  private readVarint(): number {
    const { bytes } = this;
    let byte = bytes[this.offset++]!;
    if (byte < 128) return byte;
    let value = byte & 127;
    for (let shift = 7; ; shift += 7) {
      byte = bytes[this.offset++]!;
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  }
}

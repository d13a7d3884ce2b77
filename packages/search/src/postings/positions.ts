import { damagedSegment } from '../segment/segment.ts';
import type { ByteBuffer } from './growable.ts';

/** Every value of a slot begins at a multiple of this; one with more positions goes on past the next. */
export const VALUE_STRIDE: number = 2 ** 20;

/** Between the last position of a value and the next value lie at least this many: more than any phrase reaches. */
export const VALUE_GAP: number = 2 ** 19;

/** How far behind a value of so many positions the next one of the slot begins. */
export function strideOf(positionCount: number): number {
  return Math.ceil((positionCount + VALUE_GAP) / VALUE_STRIDE) * VALUE_STRIDE;
}

/**
 * Appends the ascending positions of one posting: deltas, and 0 before each step past a multiple of
 * {@link VALUE_STRIDE}.
 */
export function writePositions(out: ByteBuffer, positions: ArrayLike<number>, start: number, end: number): void {
  let stride = 0;
  let previous = -1;
  for (let i = start; i < end; i++) {
    const position = positions[i];
    const itsStride = Math.floor(position / VALUE_STRIDE);
    const offset = position - itsStride * VALUE_STRIDE;
    if (itsStride !== stride) {
      out.writeVarint(0);
      out.writeVarint(itsStride - stride);
      stride = itsStride;
      previous = -1;
    }
    out.writeVarint(offset - previous);
    previous = offset;
  }
}

/** Reads positions where a posting's begin. One reader is reused for many postings. */
export class PositionReader {
  offset = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /**
   * Reads `count` positions into `target` from index `at`.
   * @throws `ERR_SEGMENT_CORRUPT` (corrupt) where there are none.
   */
  read(count: number, target: number[], at: number): void {
    this.#expect(count);
    let stride = 0;
    let previous = -1;
    for (let i = 0; i < count; i++) {
      let delta = this.#readVarint();
      if (delta === 0) {
        stride += this.#readVarint();
        previous = -1;
        delta = this.#readVarint();
      }
      previous += delta;
      target[at + i] = stride * VALUE_STRIDE + previous;
    }
    if (this.offset > this.#bytes.length) throw endOfPositions();
  }

  /** Passes over `count` positions. @throws `ERR_SEGMENT_CORRUPT` (corrupt) where there are none. */
  skip(count: number): void {
    this.#expect(count);
    const bytes = this.#bytes;
    let offset = this.offset;
    for (let left = count; left > 0; left--) {
      let byte = bytes[offset++];
      if (byte !== 0) {
        while (byte > 127) byte = bytes[offset++];
        continue;
      }
      // A step to another stride: two more numbers.
      this.offset = offset;
      this.#readVarint();
      this.#readVarint();
      offset = this.offset;
    }
    this.offset = offset;
    if (offset > bytes.length) throw endOfPositions();
  }

  /** Every position takes a byte or more: what cannot be there is not begun. */
  #expect(count: number): void {
    if (count > this.#bytes.length - this.offset) throw endOfPositions();
  }

  /** Behind the end it reads zeros; whoever reads many looks once, at the end of them. */
  #readVarint(): number {
    const bytes = this.#bytes;
    let byte = bytes[this.offset++];
    if (byte < 128) return byte;
    let value = byte & 127;
    for (let shift = 7; shift < 35; shift += 7) {
      byte = bytes[this.offset++];
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
    throw damagedSegment('a number among its positions does not end');
  }
}

function endOfPositions(): Error {
  return damagedSegment('its positions end before its postings do');
}

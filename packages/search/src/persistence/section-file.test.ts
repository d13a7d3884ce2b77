import { runAtOnce } from '@cairn/events';
import { describe, expect, it } from 'vitest';
import { BYTES_PER_STEP } from '../postings/stepwise-copy.ts';
import { watchCopies } from '../testing/copied-bytes.ts';
import { decodeSectionFile, encodeSectionFile, type SectionArray } from './section-file.ts';

/** A piece, and the short arrays that may come before it without a pause. */
const MOST_BYTES = 2 * BYTES_PER_STEP;
/** Around every bound of a piece, and several arrays in a row none of which is the largest. */
const BYTES = [
  0,
  8,
  2 ** 16,
  2 ** 16 + 8,
  BYTES_PER_STEP - 8,
  BYTES_PER_STEP,
  BYTES_PER_STEP + 8,
  ...Array.from({ length: 4 }, () => 2 ** 23 - 8),
  2 ** 23 + 24,
];

const MAKERS: Readonly<Record<string, (bytes: number) => SectionArray>> = {
  bytes: (bytes) => new Uint8Array(bytes),
  'numbers of 16 bits': (bytes) => new Uint16Array(bytes / 2),
  'numbers of 32 bits': (bytes) => new Uint32Array(bytes / 4),
  'numbers of 64 bits': (bytes) => new Float64Array(bytes / 8),
};

function makeSections(make: (bytes: number) => SectionArray): Record<string, SectionArray> {
  return Object.fromEntries(
    BYTES.map((bytes, number) => {
      const array = make(bytes);
      for (let i = 0; i < array.length; i += 997) array[i] = i * (number + 1);
      return [`section ${number}`, array];
    }),
  );
}

/** Returns true if arrays hold the same: comparing them number by number as a matcher does takes minutes. */
function areEqual(a: SectionArray, b: SectionArray): boolean {
  const bytes = ({ buffer, byteOffset, byteLength }: SectionArray): Buffer =>
    Buffer.from(buffer, byteOffset, byteLength);
  return a.constructor === b.constructor && bytes(a).equals(bytes(b));
}

describe('a file of sections', () => {
  it.each(Object.keys(MAKERS))('is written and read in pieces, however large its sections are: %s', (kind) => {
    const sections = makeSections(MAKERS[kind]);
    const { result: bytes, mostBytes, steps } = watchCopies(encodeSectionFile({ header: { a: 1 }, sections }));
    expect(mostBytes).toBeLessThan(MOST_BYTES);
    expect(steps).toBeGreaterThan((2 * bytes.length) / MOST_BYTES);
    // As a part of a larger buffer, at a place where no number of 64 bits can be read.
    const shifted = new Uint8Array(bytes.length + 3).subarray(3);
    shifted.set(bytes);
    for (const given of [bytes, shifted]) {
      const read = watchCopies(decodeSectionFile({ blob: 'b', bytes: given }));
      expect(read.mostBytes).toBeLessThan(MOST_BYTES);
      expect(read.steps).toBeGreaterThan(bytes.length / MOST_BYTES);
      expect(read.result.header).toEqual({ a: 1 });
      const names = Object.keys(sections);
      expect(Object.keys(read.result.sections)).toEqual(names);
      for (const name of names) expect(areEqual(read.result.sections[name], sections[name]), name).toBe(true);
    }
  });

  it('of deletions is written in pieces', () => {
    const counts = ['text', 'keyword'].map((name) => [`histograms.${name}`, new Uint32Array(2 ** 21 - 5).fill(7)]);
    const given = { live: new Uint32Array(100), ...Object.fromEntries(counts) };
    const { result, mostBytes } = watchCopies(encodeSectionFile({ header: {}, sections: given }));
    expect(mostBytes).toBeLessThan(MOST_BYTES);
    const { sections } = runAtOnce(decodeSectionFile({ blob: 'b', bytes: result }));
    expect(areEqual(sections['histograms.text'], given['histograms.text'])).toBe(true);
  });
});

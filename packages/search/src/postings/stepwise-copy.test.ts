import { describe, expect, it } from 'vitest';
import { NumberBuilder } from '../segment/number-builder.ts';
import { TermArena } from '../segment/term-arena.ts';
import { watchCopies } from '../testing/copied-bytes.ts';
import { ByteBuffer, IntBuffer } from './growable.ts';
import { PostingsWriter } from './postings-writer.ts';
import { BYTES_PER_STEP } from './stepwise-copy.ts';

const MOST_BYTES = 2 * BYTES_PER_STEP;
const LENGTHS = [0, 1, 2 ** 14, 2 ** 14 + 1, 2 ** 18 - 1, 2 ** 18, 2 ** 18 + 1, 3 * 2 ** 18 + 7];

describe('a long buffer', () => {
  it.each([0xff, 0x100, 0xffff, 0x10000, 0xffffffff])('of numbers up to %i is copied in pieces', (largest) => {
    for (const length of LENGTHS) {
      const buffer = new IntBuffer();
      for (let i = 0; i + 1 < length; i++) buffer.push(i % 251);
      if (length > 0) buffer.push(largest);
      const column = watchCopies(buffer.toColumn());
      const words = watchCopies(buffer.toUint32());
      for (const { mostBytes, steps } of [column, words]) {
        expect(mostBytes).toBeLessThan(MOST_BYTES);
        expect(steps).toBeGreaterThan(Math.floor((length * 4) / MOST_BYTES));
      }
      const expected = buffer.values.slice(0, length);
      const Narrowest = largest < 0x100 ? Uint8Array : largest < 0x10000 ? Uint16Array : Uint32Array;
      expect(column.result.constructor).toBe(length === 0 ? Uint8Array : Narrowest);
      expect(Buffer.compare(Buffer.from(Uint32Array.from(column.result).buffer), Buffer.from(expected.buffer))).toBe(0);
      expect(Buffer.compare(Buffer.from(words.result.buffer), Buffer.from(expected.buffer))).toBe(0);
    }
  });

  it('of bytes is copied in pieces', () => {
    const buffer = new ByteBuffer();
    for (let i = 0; i < 5 * BYTES_PER_STEP + 3; i++) buffer.writeByte(i & 255);
    const { result, mostBytes } = watchCopies(buffer.copyInSteps());
    expect(mostBytes).toBeLessThan(MOST_BYTES);
    expect(Buffer.compare(result, buffer.toBytes())).toBe(0);
  });
});

describe('what a merge writes of very many terms, documents and numbers', () => {
  const COUNT = 700_000;

  it('is finished in pieces: postings', () => {
    const zeros = new Uint8Array(2);
    const source = {
      document: zeros,
      labelSet: zeros,
      ofDocument: zeros,
      field: zeros,
      leastLength: zeros,
      weights: [1],
    };
    const writer = new PostingsWriter({ ...source, union: () => 0 }, true);
    for (let term = 0; term < COUNT; term++) {
      writer.add(0, 1);
      writer.writePositions([term % 128], 0, 1);
      writer.endTerm();
    }
    const { result, mostBytes } = watchCopies(writer.finish());
    expect(result.blocks.ofTerm.length).toBe(COUNT + 1);
    expect(result.blocks.offset.length).toBe(COUNT + 1);
    expect(mostBytes).toBeLessThan(MOST_BYTES);
  });

  it('is finished in pieces: a dictionary', () => {
    const builder = new TermArena();
    for (let i = 0; i < COUNT; i++) builder.add(String(10_000_000 + i));
    const { result, mostBytes } = watchCopies(builder.finish());
    expect([result.size, result.term(0), result.term(COUNT - 1)]).toEqual([COUNT, '10000000', '10699999']);
    expect(mostBytes).toBeLessThan(MOST_BYTES);
  });

  it('is finished in pieces: numbers', () => {
    const builder = new NumberBuilder('year');
    for (let i = 0; i < COUNT; i++) builder.add(i, i % 300, i / 2, i % 3 === 0);
    const { result, mostBytes } = watchCopies(builder.finish());
    expect(mostBytes).toBeLessThan(MOST_BYTES);
    const last = COUNT - 1;
    expect([result.document[last], result.labelSet[last], result.value[last]]).toEqual([last, last % 300, last / 2]);
    expect([result.document.length, result.value.length, result.isDate.length]).toEqual([COUNT, COUNT, COUNT]);
    expect(Array.from(result.isDate.subarray(0, 4))).toEqual([1, 0, 0, 1]);
  });
});

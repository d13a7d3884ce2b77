import { describe, expect, it } from 'vitest';
import { createMemoryBlobStore } from './memory-blobs.ts';

const PIECE_BYTES = 2 ** 20;
const PIECES = 33;

/** Counts the turns of the event loop until a promise is settled. */
async function countTurns<T>(promise: Promise<T>): Promise<{ value: T; turns: number }> {
  let turns = 0;
  let isSettled = false;
  const settle = (): void => {
    isSettled = true;
  };
  promise.then(settle, settle);
  while (!isSettled) {
    await new Promise((resolve) => setImmediate(resolve));
    turns++;
  }
  return { value: await promise, turns };
}

async function* pieces(): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < PIECES; i++) yield new Uint8Array(PIECE_BYTES + i).fill(i);
}

describe('a large blob in memory', () => {
  it('is taken in and handed out with turns for others', async () => {
    const blobs = createMemoryBlobStore();
    const put = await countTurns(blobs.put('large', pieces()));
    // Each byte is copied twice: as it comes, and into one array.
    expect(put.turns).toBeGreaterThan((2 * PIECES) / 8);
    const read = await countTurns(blobs.get('large'));
    expect(read.turns).toBeGreaterThan(PIECES / 8);
    const expected: Uint8Array[] = [];
    for await (const piece of pieces()) expected.push(piece);
    expect(Buffer.concat(expected).equals(read.value!)).toBe(true);
    const part = await blobs.get('large', { start: 5, end: PIECE_BYTES * 20 });
    expect(Buffer.compare(part!, read.value!.subarray(5, PIECE_BYTES * 20))).toBe(0);
    part?.fill(9);
    expect((await blobs.get('large', { start: 5, end: 6 }))?.[0]).toBe(0);
  });
});

import { contentHash, createMemoryBlobStore } from '@cairn/events';
import { delayedSource, noiseBytes, type Random, seededRandom } from '@cairn/events/conformance';
import { describe, expect, it, vi } from 'vitest';
import { type HeldContent, type HoldOptions, holdContent } from './content.ts';

const RUNS = process.env['CAIRN_LONG'] ? 400 : 25;
const MIB = 1024 * 1024;

vi.setConfig({ testTimeout: process.env['CAIRN_LONG'] ? 1_800_000 : 60_000 });

function options(changes: Partial<HoldOptions> = {}): HoldOptions & Pick<HoldOptions, 'blobs'> {
  return {
    maxBytes: 4 * MIB,
    blobs: createMemoryBlobStore(),
    prefix: 'u/',
    mayHold: () => true,
    hash: async (bytes) => contentHash(bytes),
    signal: undefined,
    ...changes,
  };
}

function late(bytes: Uint8Array, random: Random, failsAt?: number): AsyncIterable<Uint8Array> {
  return delayedSource(bytes, failsAt === undefined ? { random } : { random, failsAt });
}

async function bytesOf(held: HeldContent, { blobs }: HoldOptions): Promise<Uint8Array> {
  return held.kind === 'inline' ? held.bytes : (await blobs.get(held.blob.name))!;
}

async function countOf(names: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _ of names) count++;
  return count;
}

describe('the content of a part that comes late and in pieces of every size', () => {
  it('is held as it was sent, in memory or in a blob', async () => {
    for (let seed = 1; seed <= RUNS; seed++) {
      const random = seededRandom(seed);
      const bytes = noiseBytes(1 + Math.floor((2.5 * MIB) ** random()), seed);
      const how = options({ mayHold: () => random() < 0.7 });
      const held = await holdContent(late(bytes, random), how);
      expect(held, `seed ${seed}`).toMatchObject({ sizeBytes: bytes.length, hash: contentHash(bytes) });
      expect(contentHash(await bytesOf(held as HeldContent, how)), `seed ${seed}`).toBe(contentHash(bytes));
    }
  });

  it('is refused as a file, and leaves nothing, when it ends before its end or goes over the limit', async () => {
    for (let seed = 1; seed <= RUNS; seed++) {
      const random = seededRandom(seed);
      const bytes = noiseBytes(1 + Math.floor((2.5 * MIB) ** random()), seed);
      const failsAt = Math.floor(random() * bytes.length);
      const how = options(seed % 2 === 0 ? {} : { maxBytes: bytes.length - 1 });
      expect(
        await holdContent(late(bytes, random, seed % 2 === 0 ? failsAt : undefined), how),
        `seed ${seed}`,
      ).toMatchObject({ kind: 'refused' });
      expect(await countOf(how.blobs.list()), `seed ${seed}`).toBe(0);
    }
  });
});

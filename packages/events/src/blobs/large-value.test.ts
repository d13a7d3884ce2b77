import { describe, expect, it } from 'vitest';
import { delayedSource, noiseBytes, seededRandom } from '../conformance.ts';
import { contentHash } from '../content/hash.ts';
import { createEvent, eventId } from '../event/create-event.ts';
import { createHeaders } from '../event/header-list.ts';
import { attachValue, loadValue, offloadValue, streamValue, valueBlob, valueSizeBytes } from './large-value.ts';
import { createMemoryBlobStore } from './memory-blobs.ts';

const LIMIT = 1024 * 1024;

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += 100_000) yield bytes.subarray(start, start + 100_000);
}

async function drain(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}

describe('offloadValue', () => {
  it('leaves a value of 1 MiB in the event and moves a larger one to a blob named by its content', async () => {
    const blobs = createMemoryBlobStore();
    const small = createEvent({ id: '1', type: 't', value: new Uint8Array(LIMIT) });
    expect(await offloadValue(small, blobs)).toBe(small);
    const value = new Uint8Array(LIMIT + 1).fill(7);
    const large = createEvent({ id: '2', type: 't', key: 'k', value });
    const moved = await offloadValue(large, blobs);
    const name = `values/${contentHash(value)}`;
    expect(moved).toMatchObject({ key: 'k', value: new Uint8Array(0) });
    expect(moved.headers.get('Value-Blob')).toBe(`${name} ${LIMIT + 1}`);
    expect([eventId(moved), valueBlob(moved), valueSizeBytes(moved)]).toEqual([
      '2',
      { name, sizeBytes: LIMIT + 1 },
      LIMIT + 1,
    ]);
    expect(Buffer.compare(await loadValue(moved, blobs), value)).toBe(0);
    expect(Buffer.compare(await drain(await streamValue(moved, blobs)), value)).toBe(0);
    expect(await loadValue(small, blobs)).toBe(small.value);
    expect(await drain(await streamValue(small, blobs))).toHaveLength(LIMIT);
  });
});

describe('attachValue', () => {
  it('does with a stream what offloadValue does with bytes', async () => {
    const blobs = createMemoryBlobStore();
    const event = createEvent({ id: '1', type: 't', value: '' });
    for (const size of [0, 1, LIMIT, LIMIT + 1, 3 * LIMIT]) {
      const value = new Uint8Array(size).fill(size & 255);
      const attached = await attachValue(event, pieces(value), blobs);
      const expected = await offloadValue({ ...event, value }, blobs);
      expect(attached.headers.toArray()).toEqual(expected.headers.toArray());
      expect(Buffer.compare(attached.value, expected.value)).toBe(0);
      expect(Buffer.compare(await loadValue(attached, blobs), value)).toBe(0);
    }
  });

  it('keeps what comes late and in pieces of every size, in the event or in a blob', async () => {
    const blobs = createMemoryBlobStore();
    const event = createEvent({ id: '1', type: 't', value: '' });
    for (let seed = 1; seed <= (process.env['CAIRN_LONG'] ? 300 : 15); seed++) {
      const random = seededRandom(seed);
      const bytes = noiseBytes(Math.floor((3 * LIMIT) ** random()), seed);
      const attached = await attachValue(event, delayedSource(bytes, { random }), blobs);
      expect(contentHash(await loadValue(attached, blobs)), `seed ${seed}`).toBe(contentHash(bytes));
      expect(contentHash(await drain(await streamValue(attached, blobs))), `seed ${seed}`).toBe(contentHash(bytes));
    }
  });

  it('refuses a chunk that is no bytes, and ends its source', async () => {
    const event = createEvent({ id: '1', type: 't', value: '' });
    const wrong: unknown = 'text';
    for (const before of [0, LIMIT, LIMIT + 1]) {
      let isEnded = false;
      const source = async function* (): AsyncGenerator<Uint8Array> {
        try {
          yield new Uint8Array(before);
          yield wrong as Uint8Array;
        } finally {
          isEnded = true;
        }
      };
      await expect(attachValue(event, source(), createMemoryBlobStore())).rejects.toMatchObject({
        code: 'ERR_ARGUMENT',
        message: expect.stringMatching(/^a chunk of a (value|blob) must be bytes; got a string$/),
      });
      expect(isEnded).toBe(true);
    }
  });

  it('ends the source when it is aborted', async () => {
    const blobs = createMemoryBlobStore();
    const controller = new AbortController();
    let ended = false;
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (let n = 0; ; n++) {
          if (n === 20) controller.abort();
          yield new Uint8Array(100_000);
        }
      } finally {
        ended = true;
      }
    }
    const event = createEvent({ id: '1', type: 't', value: '' });
    const attached = attachValue(event, endless(), blobs, { signal: controller.signal });
    await expect(attached).rejects.toMatchObject({ code: 'ERR_CANCELLED' });
    expect(ended).toBe(true);
  });
});

describe('loadValue', () => {
  it('names the blob that is missing or has another size', async () => {
    const blobs = createMemoryBlobStore();
    const headers = { 'Value-Blob': 'values/x 5' };
    const event = createEvent({ id: '1', type: 't', headers, value: '' });
    const missing = { code: 'ERR_BLOB_MISSING', kind: 'corrupt', message: expect.stringContaining('values/x') };
    await expect(loadValue(event, blobs)).rejects.toMatchObject(missing);
    await expect(streamValue(event, blobs)).rejects.toMatchObject(missing);
    await blobs.put('values/x', new Uint8Array(4));
    await expect(loadValue(event, blobs)).rejects.toMatchObject(missing);
    await expect(streamValue(event, blobs).then(drain)).rejects.toMatchObject(missing);
  });

  it('refuses a header that names no blob', () => {
    for (const text of ['', 'x', '../x 5', 'x 5 6', 'x -1']) {
      const event = { headers: createHeaders([['Value-Blob', text]]) };
      expect(() => valueBlob(event), text).toThrow(expect.objectContaining({ code: 'ERR_EVENT_INVALID' }));
    }
  });
});

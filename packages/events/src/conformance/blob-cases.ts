import { type ConformanceCase, casesOf, rereadingFaults } from '@cairn/errors/conformance';
import type { BlobInfo, BlobStore, ByteRange } from '../blobs/blob-store.ts';
import { concatenateBytes, inPieces } from '../content/bytes.ts';
import { contentHash } from '../content/hash.ts';
import { ensure, ensureEqual, ensureFailure, ensureRefused, pause, soon } from './assertions.ts';
import { type BlobStoreHarness, collectBytes, listAll, patternBytes } from './blob-harness.ts';
import { asViewingBytes, delayedSource, noiseBytes, seededRandom } from './delayed-source.ts';

const BAD_SEGMENTS = ['', '.', '..', '/a', 'a/', 'a//b', 'a/../b', './a'];
const BAD_CHARACTERS = ['a b', 'a\\b', 'a\u0000', '\u00e9'];

/** Moments at which a caller writes into the bytes it has passed. */
const LATER: readonly (() => Promise<void> | undefined)[] = [
  () => undefined,
  () => Promise.resolve(),
  () => Promise.resolve().then(() => Promise.resolve()),
  ...[0, 1, 2, 4, 7].map((ms) => () => pause(ms)),
];

/** Returns the same bytes in the middle of a larger buffer. */
function withinLarger(bytes: Uint8Array): Uint8Array {
  const view = new Uint8Array(bytes.length + 10).subarray(5, 5 + bytes.length);
  view.set(bytes);
  return view;
}

/** Reads a blob back, and removes it. */
async function streamed(blobs: BlobStore, name: string, range?: ByteRange): Promise<Uint8Array> {
  const stream = await blobs.stream(name, range);
  ensure(stream !== undefined, `the blob ${name}`);
  return collectBytes(stream);
}

async function ensureStored(blobs: BlobStore, info: BlobInfo, name: string, bytes: Uint8Array): Promise<void> {
  ensureEqual(info, { name, sizeBytes: bytes.length }, 'info');
  ensureEqual(await blobs.get(name), bytes, `bytes of ${name}`);
  ensureEqual(await streamed(blobs, name), bytes, `stream of ${name}`);
  await blobs.delete(name);
}

/** Laws of blobs. */
export const blobCases: readonly ConformanceCase<BlobStoreHarness>[] = casesOf<BlobStoreHarness>('core', {
  async 'gives back what was put, from bytes and from a stream'({ blobs }) {
    for (const [name, sizeBytes] of Object.entries({ empty: 0, one: 1, large: 700_001 })) {
      const bytes = patternBytes(sizeBytes);
      const sources = { [name]: bytes, [`${name}.stream`]: inPieces(bytes, 10_007) };
      for (const [one, source] of Object.entries(sources)) {
        ensureEqual(await blobs.put(one, source), { name: one, sizeBytes }, `info of ${one}`);
        ensureEqual(await blobs.get(one), bytes, `bytes of ${one}`);
        ensureEqual(await streamed(blobs, one), bytes, `stream of ${one}`);
      }
    }
  },

  async 'never gives less when a stream or a list is read again'({ blobs }) {
    for (const name of ['a', 'b']) await blobs.put(name, patternBytes(700_001));
    ensureEqual(await rereadingFaults(() => blobs.list()), [], 'faults of a second reading of a list');
    const streamOf = async () => {
      const stream = await blobs.stream('a');
      ensure(stream !== undefined, 'the blob a');
      return stream;
    };
    ensureEqual(await rereadingFaults(streamOf), [], 'faults of a second reading of a stream');
  },

  async 'stores what comes late, in jerks and in pieces of every size'({
    blobs,
    sourceBytes = 3 * 1024 * 1024,
    sourceCount = 6,
  }) {
    for (let seed = 1; seed <= sourceCount; seed++) {
      const random = seededRandom(seed);
      const sizeBytes = seed === 1 ? sourceBytes : Math.floor(sourceBytes ** (0.5 + random() / 2));
      const bytes = noiseBytes(sizeBytes, seed);
      const hash = contentHash(bytes);
      // Several at once: what they hold while they wait must not be shared.
      const names = [`late/${hash}`, `late/${seed}`, `late/${seed}.b`];
      const infos = await Promise.all([
        blobs.putContent('late/', delayedSource(bytes, { random })),
        ...names.slice(1).map((name) => blobs.put(name, delayedSource(bytes, { random }))),
      ]);
      const expected = names.map((name) => ({ name, sizeBytes }));
      ensureEqual(infos, expected, `infos, seed ${seed}`);
      for (const name of names) {
        const stored = contentHash(await streamed(blobs, name));
        ensureEqual(stored, hash, `hash of ${sizeBytes} bytes as ${name}, seed ${seed}`);
        await blobs.delete(name);
      }
    }
  },

  async 'leaves nothing of a source that fails late and at a random place'({ blobs }) {
    for (let seed = 1; seed <= 10; seed++) {
      const random = seededRandom(seed);
      const failure = new Error(`the source of seed ${seed} broke`);
      const options = { random, failsAt: Math.floor(random() * 900_000), failure };
      const put = blobs.putContent('v/', delayedSource(noiseBytes(900_000, seed), options));
      await ensureFailure(put, failure, `the error of the source, seed ${seed}`);
    }
    ensureEqual(await listAll(blobs), [], 'list');
  },

  async 'stores what was passed, though its array is changed right after the call, or some turns later'({ blobs }) {
    const bytes = noiseBytes(1_500_000, 1);
    const expected = contentHash(bytes);
    const arrays: readonly (() => Uint8Array)[] = [
      () => new Uint8Array(bytes),
      () => asViewingBytes(new Uint8Array(bytes)),
      () => withinLarger(bytes),
    ];
    for (const [n, later] of LATER.entries()) {
      for (const method of ['put', 'putContent'] as const) {
        const given = arrays[n % arrays.length]();
        const stored = blobs[method]('own/a', given);
        await later();
        given.fill(0x55);
        await ensureStored(blobs, await stored, method === 'put' ? 'own/a' : `own/a${expected}`, bytes);
      }
    }
  },

  async 'stores the chunks of a source that gives one buffer again with other bytes'({ blobs }) {
    const bytes = noiseBytes(700_001, 1);
    const expected = contentHash(bytes);
    for (const size of [1000, 65_536, 300_000]) {
      for (const options of [{}, { signal: new AbortController().signal }]) {
        for (const method of ['put', 'putContent'] as const) {
          const random = seededRandom(size);
          const source = delayedSource(bytes, { random, sizes: [size], delays: 0.1, memory: 'one' });
          const stored = await blobs[method]('one/a', source, options);
          await ensureStored(blobs, stored, method === 'put' ? 'one/a' : `one/a${expected}`, bytes);
        }
      }
    }
  },

  async 'refuses chunks that are no bytes, and leaves nothing of their source'({ blobs }) {
    for (const wrong of ['text', 5, null, undefined, {}, [1, 2], new ArrayBuffer(3), new Uint16Array(2)]) {
      for (const chunksBefore of [0, 1]) {
        for (const method of ['put', 'putContent'] as const) {
          let isEnded = false;
          const mixed = async function* (): AsyncGenerator<Uint8Array> {
            try {
              if (chunksBefore === 1) yield patternBytes(100_000);
              yield wrong as Uint8Array;
              yield patternBytes(10);
            } finally {
              isEnded = true;
            }
          };
          await ensureRefused(() => blobs[method]('a', mixed()), 'ERR_ARGUMENT', `${method} of ${String(wrong)}`);
          ensure(isEnded, `the source of ${String(wrong)} to be ended`);
        }
      }
    }
    ensureEqual(await listAll(blobs), [], 'list');
  },

  async "gives bytes that are the caller's own"({ blobs }) {
    const bytes = patternBytes(3000);
    await blobs.put('own', bytes);
    for (const range of [undefined, { start: 100, end: 2000 }]) {
      const expected = range === undefined ? bytes : bytes.slice(range.start, range.end);
      (await blobs.get('own', range))?.fill(0);
      for await (const chunk of (await blobs.stream('own', range)) ?? []) chunk.fill(0);
      ensureEqual(await blobs.get('own', range), expected, 'bytes after the ones before were overwritten');
    }
  },

  async 'gives nothing for a name that has no blob'({ blobs }) {
    ensureEqual([await blobs.get('none'), await blobs.stream('none')], [undefined, undefined], 'get and stream');
    await blobs.delete('none');
    ensureEqual(await listAll(blobs), [], 'list');
  },

  async 'names content by its SHA-256'({ blobs }) {
    const bytes = patternBytes(5000);
    const name = `values/${contentHash(bytes)}`;
    ensureEqual(await blobs.putContent('values/', inPieces(bytes, 999)), { name, sizeBytes: 5000 }, 'info');
    ensureEqual(await blobs.putContent('values/', bytes), { name, sizeBytes: 5000 }, 'info of the same again');
    ensureEqual(await blobs.get(name), bytes, 'bytes');
    ensureEqual((await listAll(blobs)).length, 1, 'number of blobs');
  },

  async 'leaves a blob as it is when its name is put again'({ blobs }) {
    await blobs.put('a', patternBytes(10));
    ensureEqual(await blobs.put('a', patternBytes(20, 2)), { name: 'a', sizeBytes: 10 }, 'info');
    ensureEqual(await blobs.put('a', inPieces(patternBytes(20, 2), 3)), { name: 'a', sizeBytes: 10 }, 'info');
    ensureEqual(await blobs.get('a'), patternBytes(10), 'bytes');
  },

  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: every damage is crossed with every way to put
  async 'stores a damaged blob anew when the same content is put again'({ blobs, damage }) {
    if (damage === undefined) return;
    const bytes = patternBytes(300_000);
    const named = `values/${contentHash(bytes)}`;
    for (const how of ['flip', 'cut'] as const) {
      for (const isRead of [false, true]) {
        for (const source of [() => bytes, () => inPieces(bytes, 10_007)]) {
          for (const name of ['a', named]) {
            const again = () => (name === named ? blobs.putContent('values/', source()) : blobs.put(name, source()));
            await again();
            await damage(name, how);
            if (isRead) await blobs.get(name).catch(() => undefined);
            ensureEqual(await again(), { name, sizeBytes: bytes.length }, `info of ${name} after ${how}`);
            ensureEqual(await blobs.get(name), bytes, `bytes of ${name} after ${how}`);
          }
        }
      }
    }
    ensureEqual((await listAll(blobs)).length, 2, 'number of blobs');
  },

  async 'goes on with a blob that is stored anew while it is read'({ blobs }) {
    const bytes = patternBytes(900_000);
    const { name } = await blobs.putContent('values/', bytes);
    const chunks: Uint8Array[] = [];
    for await (const chunk of (await blobs.stream(name)) ?? []) {
      chunks.push(chunk);
      await blobs.putContent('values/', bytes);
    }
    ensureEqual(contentHash(concatenateBytes(chunks)), contentHash(bytes), 'bytes');
  },

  async 'keeps one whole blob when many put the same name at once'({ blobs }) {
    const puts = Array.from({ length: 10 }, (_, n) => blobs.put('same', inPieces(patternBytes(3000, n), 500)));
    for (const { sizeBytes } of await Promise.all(puts)) ensureEqual(sizeBytes, 3000, 'size');
    const bytes = await blobs.get('same');
    const candidates = Array.from({ length: 10 }, (_, n) => contentHash(patternBytes(3000, n)));
    ensure(bytes !== undefined && candidates.includes(contentHash(bytes)), 'the bytes of one of them');
  },

  async 'reads any range, cut to the blob'({ blobs }) {
    const whole = patternBytes(300_000);
    await blobs.put('a', whole);
    for (const [start, end] of [
      [0, 0],
      [0, 1],
      [1, 9],
      [299_999, 300_000],
      [5, undefined],
      [299_990, 400_000],
      [300_000, 300_001],
      [500_000, undefined],
      [65_535, 270_001],
    ] as const) {
      const range = end === undefined ? { start } : { start, end };
      const expected = contentHash(whole.slice(start, end));
      const bytes = await blobs.get('a', range);
      ensure(bytes !== undefined, `bytes ${start} to ${end}, if only none: the blob is there`);
      ensureEqual(contentHash(bytes), expected, `bytes ${start} to ${end}`);
      ensureEqual(contentHash(await streamed(blobs, 'a', range)), expected, `stream ${start} to ${end}`);
    }
    for (const range of [{ start: -1 }, { start: 5, end: 4 }, { start: 0.5 }, { start: Number.NaN }]) {
      await ensureRefused(() => blobs.get('a', range), 'ERR_RANGE_INVALID', `get of ${JSON.stringify(range)}`);
      await ensureRefused(() => blobs.stream('a', range), 'ERR_RANGE_INVALID', `stream of ${JSON.stringify(range)}`);
    }
  },

  async 'lists by prefix, sorted by name'({ blobs }) {
    const long = ['x'.repeat(200), `Y/${'X'.repeat(190)}`];
    const short = ['b', 'a/b', 'a', 'a/B', 'a.b', 'a-b', 'ab/c/d', '.dot', 'A', '0/1', '__proto__', 'constructor'];
    const names = [...short, ...long];
    for (const [n, name] of names.entries()) await blobs.put(name, patternBytes(n));
    const expected = names.map((name, n) => ({ name, sizeBytes: n })).sort((x, y) => (x.name < y.name ? -1 : 1));
    ensureEqual(await listAll(blobs), expected, 'every blob');
    for (const prefix of ['a', 'a/', 'ab/c', '__', 'none', 'Y/X']) {
      const wanted = expected.filter(({ name }) => name.startsWith(prefix));
      ensureEqual(await listAll(blobs, prefix), wanted, `prefix ${prefix}`);
    }
    for (const name of names) ensureEqual((await blobs.get(name))?.length, names.indexOf(name), `size of ${name}`);
  },

  async 'forgets a deleted blob, and takes its name again'({ blobs }) {
    await blobs.put('a', patternBytes(5));
    await blobs.delete('a');
    ensureEqual([await blobs.get('a'), await listAll(blobs)], [undefined, []], 'get and list');
    await blobs.put('a', patternBytes(6, 2));
    ensureEqual(await blobs.get('a'), patternBytes(6, 2), 'bytes');
  },

  async 'leaves nothing of a source that fails, and throws what it threw'({ blobs }) {
    const failure = new Error('the source broke');
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield patternBytes(100_000);
      throw failure;
    }
    for (const put of [() => blobs.put('a', broken()), () => blobs.putContent('v/', broken())]) {
      await ensureFailure(put(), failure, 'the error of the source');
    }
    ensureEqual([await blobs.get('a'), await listAll(blobs)], [undefined, []], 'get and list');
  },

  async 'leaves nothing of an aborted put, and ends its source'({ blobs }) {
    for (const method of ['put', 'putContent'] as const) {
      const controller = new AbortController();
      let ended = false;
      async function* long(): AsyncGenerator<Uint8Array> {
        try {
          for (let n = 0; n < 1000; n++) {
            if (n === 3) controller.abort();
            yield patternBytes(1000);
          }
        } finally {
          ended = true;
        }
      }
      const put = (): Promise<unknown> => blobs[method]('a', long(), { signal: controller.signal });
      await ensureRefused(put, 'ERR_CANCELLED', `aborted ${method}`);
      ensure(ended, 'the source to be ended');
    }
    const aborted = (): Promise<unknown> => blobs.put('b', patternBytes(1), { signal: AbortSignal.abort() });
    await ensureRefused(aborted, 'ERR_CANCELLED', 'put with an aborted signal');
    ensureEqual(await listAll(blobs), [], 'list');
  },

  async 'ends an aborted put although its source stalls'({ blobs }) {
    const controller = new AbortController();
    async function* stalling(): AsyncGenerator<Uint8Array> {
      yield patternBytes(10);
      await new Promise(() => undefined);
    }
    const put = blobs.put('a', stalling(), { signal: controller.signal });
    put.catch(() => undefined);
    await pause(5);
    controller.abort();
    await ensureRefused(() => soon(put, 'the aborted put'), 'ERR_CANCELLED', 'aborted put');
    ensureEqual(await listAll(blobs), [], 'list');
  },

  async 'does not show a blob before it is whole'({ blobs }) {
    async function* watched(): AsyncGenerator<Uint8Array> {
      yield patternBytes(50_000);
      ensureEqual([await blobs.get('a'), await listAll(blobs)], [undefined, []], 'get and list during put');
      yield patternBytes(50_000);
    }
    await blobs.put('a', watched());
    ensureEqual((await blobs.get('a'))?.length, 100_000, 'size');
  },

  async 'keeps its bytes to itself'({ blobs }) {
    for (const [name, bytes] of Object.entries({ a: patternBytes(10), view: asViewingBytes(patternBytes(10)) })) {
      await blobs.put(name, bytes);
      bytes.fill(0);
      (await blobs.get(name))?.fill(0);
      ensureEqual(await blobs.get(name), patternBytes(10), `bytes of ${name}`);
    }
  },

  async 'refuses names that name no blob'({ blobs }) {
    for (const name of [...BAD_SEGMENTS, ...BAD_CHARACTERS, 'x'.repeat(201)]) {
      const calls = [
        () => blobs.put(name, patternBytes(1)),
        () => blobs.get(name),
        () => blobs.stream(name),
        () => blobs.delete(name),
        () => blobs.readManifest(name),
        () => blobs.replaceManifest(name, patternBytes(1)),
      ];
      for (const call of calls) await ensureRefused(call, 'ERR_BLOB_NAME', `name ${JSON.stringify(name)}`);
    }
    for (const prefix of ['/', '../', 'a b/', 'x'.repeat(150)]) {
      await ensureRefused(() => blobs.putContent(prefix, patternBytes(1)), 'ERR_BLOB_NAME', `prefix ${prefix}`);
    }
  },
});

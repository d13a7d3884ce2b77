import { setImmediate as nextTurn } from 'node:timers/promises';
import { readableOnce } from '@cairn/errors';
import type { ConformanceCase } from '@cairn/errors/conformance';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { BlobStore } from '../blobs/blob-store.ts';
import { createMemoryBlobStore } from '../blobs/memory-blobs.ts';
import { blobStoreConformance, eventLogConformance } from '../conformance.ts';
import type { StoredEvent } from '../event/event.ts';
import { createHeaders } from '../event/header-list.ts';
import type { EventLog, ReadOptions } from '../log/event-log.ts';
import { createMemoryEventLog } from '../log/memory-log.ts';

// All of it happens in memory: a turn of the event loop stands for a millisecond, so that a wait is as short as its work.
beforeAll(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterAll(() => void vi.useRealTimers());

/** Turns after which a case will never end: more than those that the suites themselves wait for anything. */
const MAX_TURNS = 20_000;

/** Returns the first case that an implementation fails. A missing wake-up is a failure too. */
async function firstFailure<Harness>(
  cases: readonly ConformanceCase<Harness>[],
  create: () => Promise<Harness>,
): Promise<string | undefined> {
  for (const { name, run } of cases) if (!(await isPassed(run(create)))) return name;
  return undefined;
}

async function isPassed(run: Promise<void>): Promise<boolean> {
  let outcome: boolean | undefined;
  run.then(
    () => {
      outcome = true;
    },
    () => {
      outcome = false;
    },
  );
  for (let turns = 0; outcome === undefined && turns < MAX_TURNS; turns++) {
    await nextTurn();
    vi.advanceTimersByTime(1);
  }
  return outcome ?? false;
}

/** Returns an implementation with some of its methods replaced. */
function altered<T extends object>(target: T, changes: (original: T) => Partial<T>): T {
  const replaced = changes(target);
  return new Proxy(target, {
    get(_, key) {
      const source = key in replaced ? replaced : target;
      const member = Reflect.get(source, key, source) as unknown;
      return typeof member === 'function' ? member.bind(source) : member;
    },
  });
}

function mapped(
  batches: AsyncIterable<readonly StoredEvent[]>,
  change: (batch: readonly StoredEvent[]) => readonly StoredEvent[],
): AsyncIterable<readonly StoredEvent[]> {
  return readableOnce(changed(batches, change));
}

async function* changed<Item>(items: AsyncIterable<Item>, change: (item: Item) => Item): AsyncGenerator<Item> {
  for await (const item of items) yield change(item);
}

const BROKEN_LOGS: Readonly<Record<string, (log: EventLog) => Partial<EventLog>>> = {
  'appends event by event': (log) => ({
    async append(topic, batch) {
      const positions: string[] = [];
      for (const event of batch) positions.push(...(await log.append(topic, [event])));
      return positions;
    },
  }),
  'hands out one array to all readers': (log) => {
    const held = new Map<string, StoredEvent>();
    return {
      read: (topic, options) =>
        mapped(log.read(topic, options), (batch) =>
          batch.map((event) => {
            const key = `${topic} ${event.position}`;
            if (!held.has(key)) held.set(key, event);
            return held.get(key)!;
          }),
        ),
    };
  },
  'turns batches round': (log) => ({ append: (topic, batch) => log.append(topic, [...batch].reverse()) }),
  'loses header order and repeats': (log) => ({
    append: (topic, batch) =>
      log.append(
        topic,
        batch.map((event) => ({ ...event, headers: createHeaders(Object.fromEntries(event.headers)) })),
      ),
  }),
  'decodes values as text': (log) => ({
    read: (topic, options) =>
      mapped(log.read(topic, options), (batch) =>
        batch.map((event) => ({ ...event, value: Buffer.from(Buffer.from(event.value).toString()) })),
      ),
  }),
  'makes another key of half of a surrogate pair': (log) => ({
    append: (topic, batch) =>
      log.append(
        topic,
        batch.map((event) =>
          event.key === undefined ? event : { ...event, key: event.key.replace(/\p{Surrogate}/gu, '\ufffd') },
        ),
      ),
  }),
  'drops the key': (log) => ({
    read: (topic, options) => mapped(log.read(topic, options), (batch) => batch.map(({ key: _, ...event }) => event)),
  }),
  'reads from the position instead of after it': (log) => ({
    read: (topic, options = {}) =>
      log.read(topic, options.after === undefined ? options : { ...options, after: undefined }),
  }),
  'ignores the size of batches': (log) => ({
    read: (topic, { maxBatchEvents: _, ...options } = {}) => log.read(topic, options),
  }),
  'never waits': (log) => ({ read: (topic, options = {}) => log.read(topic, { ...options, wait: false }) }),
  'does not hear the signal': (log) => ({
    read: (topic, { signal: _, ...options } = {}) => log.read(topic, options),
  }),
  'throws when aborted': (log) => {
    async function* read(topic: string, options: ReadOptions) {
      yield* log.read(topic, options);
      options.signal?.throwIfAborted();
    }
    return { read: (topic, options = {}) => readableOnce(read(topic, options)) };
  },
  'gives an empty answer when it is read again': (log) => ({
    read: (topic, options) => changed(log.read(topic, options), (batch) => batch),
  }),
  'takes a position of any topic for the same event': (log) => ({
    eventAt: async (topic, position) => (await log.eventAt?.('t', position)) ?? log.eventAt?.(topic, position),
  }),
  'gives the next event for a position that it never gave': (log) => ({
    async eventAt(topic, position) {
      for await (const batch of log.read(topic)) {
        const event = batch.find((candidate) => candidate.position >= position);
        if (event !== undefined) return event;
      }
      return undefined;
    },
  }),
  'keeps keys in lower case': (log) => ({
    append: (topic, batch) =>
      log.append(
        topic,
        batch.map((event) => (event.key === undefined ? event : { ...event, key: event.key.toLowerCase() })),
      ),
  }),
  'compares positions by length': () => ({ comparePositions: (a, b) => a.length - b.length }),
  'counts one too many': (log) => ({ lag: async (topic, after) => (await log.lag(topic, after)) + 1 }),
  'has one position for all groups': (log) => ({
    commit: (_, topic, position) => log.commit('all', topic, position),
    committed: (_, topic) => log.committed('all', topic),
  }),
  'keeps groups in an object': (log) => {
    const groups: Record<string, string> = {};
    return {
      async commit(group, topic, position) {
        await log.commit(group, topic, position);
        groups[group] = position;
      },
      async committed(group, topic) {
        return (await log.committed(group, topic)) ?? groups[group];
      },
    };
  },
  'mixes up topics that differ in case': (log) => ({
    append: (topic, batch) => log.append(topic.toLowerCase(), batch),
    read: (topic, options) => log.read(topic.toLowerCase(), options),
  }),
  'takes any name': (log) => ({ end: async (topic) => (topic === '..' ? undefined : log.end(topic)) }),
  'lists topics in order of creation': (log) => {
    const created = new Set<string>();
    return {
      append: (topic, batch) => log.append(created.add(topic) && topic, batch),
      topics: async () => [...created],
    };
  },
  'answers after close': (log) => ({ topics: () => log.topics().catch(() => []) }),
  'starts over when the position is unknown': (log) => ({
    read(topic, options = {}) {
      const known = /^[0-9]{16}$/.test(options.after ?? '0'.repeat(16));
      return log.read(topic, known ? options : { ...options, after: undefined });
    },
  }),
};

/**
 * Gathers a stream into writes of 256 KiB, one of which runs while the next is gathered, with a bug: the buffer that a
 * write has given back stays on offer while it is in use.
 */
async function* sharingItsSpare(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const size = 256 * 1024;
  const file: Uint8Array[] = [];
  let spare: Buffer | undefined;
  let buffer: Buffer | undefined;
  let filled = 0;
  let writing: Promise<void> | undefined;
  const write = async (): Promise<void> => {
    await writing;
    const full = buffer!;
    const bytes = full.subarray(0, filled);
    buffer = undefined;
    filled = 0;
    writing = nextTurn().then(() => {
      file.push(Uint8Array.from(bytes));
      spare = full;
    });
  };
  for await (const piece of source) {
    for (let from = 0; from < piece.length; ) {
      buffer ??= spare ?? Buffer.alloc(size);
      const part = piece.subarray(from, from + size - filled);
      buffer.set(part, filled);
      filled += part.length;
      from += part.length;
      if (filled === size) await write();
    }
  }
  if (filled > 0) await write();
  await writing;
  yield* file;
}

async function* encodingText(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of source) yield typeof piece === 'string' ? new TextEncoder().encode(piece) : piece;
}

const BROKEN_BLOBS: Readonly<Record<string, (blobs: BlobStore) => Partial<BlobStore>>> = {
  'replaces blobs': (blobs) => ({
    async put(name, source, options) {
      await blobs.delete(name);
      return blobs.put(name, source, options);
    },
  }),
  'keeps what came before a failure': (blobs) => ({
    async put(name, source, options) {
      try {
        return await blobs.put(name, source, options);
      } catch (error) {
        await blobs.put(name, new Uint8Array(3));
        throw error;
      }
    },
  }),
  'does not hear the signal': (blobs) => ({ putContent: (prefix, source) => blobs.putContent(prefix, source) }),
  'names content by its size': (blobs) => ({
    putContent: async (prefix, source, options) => {
      const { name, sizeBytes } = await blobs.putContent(prefix, source, options);
      return blobs.put(`${prefix}${sizeBytes}`, (await blobs.get(name))!);
    },
  }),
  'takes ends as inclusive': (blobs) => ({
    get: (name, range) => blobs.get(name, range?.end === undefined ? range : { ...range, end: range.end + 1 }),
  }),
  'takes an empty range for no blob': (blobs) => ({
    async get(name, range) {
      const bytes = await blobs.get(name, range);
      return range !== undefined && bytes?.length === 0 ? undefined : bytes;
    },
  }),
  'hands out the same bytes again': (blobs) => {
    const held = new Map<string, Uint8Array | undefined>();
    return {
      async get(name, range) {
        const key = `${name} ${range?.start} ${range?.end}`;
        if (!held.has(key)) held.set(key, await blobs.get(name, range));
        return held.get(key);
      },
    };
  },
  'ignores ranges of streams': (blobs) => ({ stream: (name) => blobs.stream(name) }),
  'ignores the prefix': (blobs) => ({ list: () => blobs.list() }),
  'lists backwards': (blobs) => {
    async function* list(prefix: string | undefined) {
      const infos = [];
      for await (const info of blobs.list(prefix)) infos.push(info);
      yield* infos.reverse();
    }
    return { list: (prefix) => readableOnce(list(prefix)) };
  },
  'gives an empty list when it is read again': (blobs) => ({
    list: (prefix) => changed(blobs.list(prefix), (info) => info),
  }),
  'gives no bytes when a stream is read again': (blobs) => ({
    async stream(name, range) {
      const stream = await blobs.stream(name, range);
      return stream && changed(stream, (chunk) => chunk);
    },
  }),
  'fills a buffer again that is still being written': (blobs) => ({
    put: (name, source, options) =>
      blobs.put(name, source instanceof Uint8Array ? source : sharingItsSpare(source), options),
  }),
  'keeps pieces that are not its own': (blobs) => ({
    async putContent(prefix, source, options) {
      if (source instanceof Uint8Array) return blobs.putContent(prefix, source, options);
      const parts: Uint8Array[] = [];
      for await (const part of source) parts.push(part);
      return blobs.putContent(prefix, Buffer.concat(parts), options);
    },
  }),
  'reads the bytes that it was passed some turns later': (blobs) => ({
    async putContent(prefix, source, options) {
      await nextTurn();
      return blobs.putContent(prefix, source, options);
    },
  }),
  'stores text as bytes': (blobs) => ({
    put: (name, source, options) =>
      blobs.put(name, source instanceof Uint8Array ? source : encodingText(source), options),
  }),
  'forgets nothing': () => ({ delete: async () => undefined }),
  'keeps manifests among the blobs': (blobs) => ({
    async replaceManifest(name, bytes) {
      await blobs.delete(name);
      await blobs.put(name, bytes);
    },
    readManifest: (name) => blobs.get(name),
  }),
  'writes a manifest once': (blobs) => ({
    async replaceManifest(name, bytes) {
      if ((await blobs.readManifest(name)) === undefined) await blobs.replaceManifest(name, bytes);
    },
  }),
  'answers after close': (blobs) => ({ get: (name) => blobs.get(name).catch(() => undefined) }),
};

const createLog = (changes: (log: EventLog) => Partial<EventLog>) => async () => ({
  log: altered(createMemoryEventLog({ maxEventBytes: 400_000 }), changes),
  tooLargeBytes: 500_000,
});
const createBlobs = (changes: (blobs: BlobStore) => Partial<BlobStore>) => async () => ({
  blobs: altered(createMemoryBlobStore(), changes),
});

it('the memory log and the memory store pass the suites', async () => {
  expect(
    await firstFailure(
      eventLogConformance,
      createLog(() => ({})),
    ),
  ).toBeUndefined();
  expect(
    await firstFailure(
      blobStoreConformance,
      createBlobs(() => ({})),
    ),
  ).toBeUndefined();
});

describe('a broken event log fails the suite when it', () => {
  for (const [name, changes] of Object.entries(BROKEN_LOGS)) {
    it(name, async () => {
      expect(await firstFailure(eventLogConformance, createLog(changes))).toBeDefined();
    });
  }
});

describe('a broken blob store fails the suite when it', () => {
  for (const [name, changes] of Object.entries(BROKEN_BLOBS)) {
    it(name, async () => {
      expect(await firstFailure(blobStoreConformance, createBlobs(changes))).toBeDefined();
    });
  }

  it('leaves damaged bytes where they are', async () => {
    const create = async () => {
      const damaged = new Set<string>();
      const blobs = createMemoryBlobStore();
      const get: BlobStore['get'] = async (name, range) =>
        damaged.has(name) ? new Uint8Array(3) : blobs.get(name, range);
      return { blobs: altered(blobs, () => ({ get })), damage: async (name: string) => void damaged.add(name) };
    };
    const [healing] = blobStoreConformance.filter(({ name }) => name.includes('damaged blob'));
    await expect(healing?.run(create)).rejects.toThrow('after flip');
  });
});

import { CodedError } from '@cairn/errors';
import { createEvent, createHeaders, type EventLog, HEADER, type StoredEvent } from '@cairn/events';
import { openGraphDataset } from '@cairn/rdf-graph';
import { openSearchIndex } from '@cairn/search';
import { afterEach, describe, expect, it } from 'vitest';
import { EVENT_TYPE, TOPIC } from '../pipeline/contract.ts';
import { slowTopics } from '../pipeline/slow-lanes.ts';
import type { Extractor } from '../port/extractor.ts';
import { createGate } from '../projector/gate.ts';
import { digestDataset, digestIndex } from '../testing/digest.ts';
import { readAll } from '../testing/drain.ts';
import { proxyOf } from '../testing/held-log.ts';
import { createPorts, type House, NAMESPACE, openHouse, SECRET } from '../testing/house.ts';
import { toParts } from '../testing/parts.ts';
import { createTextExtractor } from '../testing/text-extractor.ts';

const UPLOADS = 'document.extractrequest';

interface SlowExtractor extends Extractor {
  /** Names of the files that were read without a limit of a turn, in this order. */
  readonly whole: string[];
  /** The turns that slow files were given, milliseconds. */
  readonly turns: number[];
  /** Lets so many slow files come to their end; they are blocked before. */
  release(count?: number): void;
}

/** Files that begin with `slow` outlast every turn, and without one wait to be released. */
function createSlowExtractor(): SlowExtractor {
  const inner = createTextExtractor();
  const [whole, turns]: [string[], number[]] = [[], []];
  let free = 0;
  let gate = createGate();
  const released = async (signal: AbortSignal | undefined): Promise<void> => {
    const leave = (): void => gate.open();
    signal?.addEventListener('abort', leave, { once: true });
    while (free === 0 && !signal?.aborted) {
      await gate.opened;
      if (free === 0) gate = createGate();
    }
    signal?.removeEventListener('abort', leave);
    free--;
  };
  return {
    whole,
    turns,
    release(count = Number.POSITIVE_INFINITY) {
      free = count;
      gate.open();
    },
    async extract(request, options = {}) {
      if (!request.filename.startsWith('slow')) return inner.extract(request, options);
      if (options.timeLimitMs !== undefined) {
        turns.push(options.timeLimitMs);
        throw new CodedError({ code: 'ERR_TEST_TIME', kind: 'timeout', message: 'the turn is over' });
      }
      whole.push(request.filename);
      await released(options.signal);
      options.signal?.throwIfAborted();
      return inner.extract(request, options);
    },
    close: async () => {},
  };
}

const houses: House[] = [];
afterEach(async () => {
  await Promise.all(houses.splice(0).map(({ ingest }) => ingest.stop()));
});

async function open(extractor: Extractor, given: Parameters<typeof openHouse>[0] = {}): Promise<House> {
  const house = await openHouse(given, { extractor });
  houses.push(house);
  return house;
}

async function send({ ingest }: House, sender: string, files: Readonly<Record<string, string>>): Promise<string[]> {
  const headers = createHeaders({ 'Security-Label': '*' });
  const parts = toParts(files);
  const { documents } = await ingest.upload({ route: 'local', headers, parts, viewer: SECRET, sender });
  return documents.map(({ id }) => NAMESPACE + id);
}

function slowFiles(count: number, of: string): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`slow-${of}${at}.txt`, `${of} document number ${at}`]),
  );
}

async function found({ ingest }: House, uri: string): Promise<boolean> {
  return (await ingest.search.getDocument(SECRET, uri, { indices: ['doc-content'] })) !== undefined;
}

/** Turns of the event loop until something holds; not so many that a test would hang on what never comes. */
async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  for (let turn = 0; turn < 20_000; turn++) {
    if (await holds()) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error('it never came');
}

/** The positions of one who is killed before any is stored. */
function forgetful(log: EventLog): EventLog {
  return { ...proxyOf(log), commit: async () => {} };
}

function deletion(uri: string) {
  const headers = { [HEADER.documentId]: uri, [HEADER.securityLabel]: '*' };
  return createEvent({ id: `delete ${uri}`, type: EVENT_TYPE.delete, key: uri, headers, value: '' });
}

async function idsOf(log: EventLog, topic: string): Promise<string[]> {
  const events: StoredEvent[] = await readAll(log, topic);
  return events.map(({ headers }) => headers.get(HEADER.eventId) ?? '');
}

describe('slow documents', () => {
  it('of one sender hold up nobody else', async () => {
    const extractor = createSlowExtractor();
    const house = await open(extractor);
    const slow = await send(house, 'ann', slowFiles(10, 'ann'));
    const [quick] = await send(house, 'bob', { 'quick.txt': 'words of bob' });
    await until(() => found(house, quick));
    expect(extractor.whole).toEqual(['slow-ann0.txt']);
    expect(await Promise.all(slow.map((uri) => found(house, uri)))).not.toContain(true);
    extractor.release();
    await house.ingest.settle();
    expect(await Promise.all(slow.map((uri) => found(house, uri)))).not.toContain(false);
  });

  it('cost their sender the length of the next turns, and nobody else', async () => {
    const extractor = createSlowExtractor();
    const house = await open(extractor);
    for (let n = 0; n < 3; n++) {
      await send(house, 'ann', slowFiles(30, `ann${n}-`));
    }
    await until(async () => (await house.log.lag(slowTopics(UPLOADS)[0], undefined)) === 90);
    // A turn of 2 s shared among 1 + n, at least 100 ms, and none any more when 32 wait (two are tried at once).
    expect(extractor.turns.length).toBeLessThanOrEqual(33);
    expect(extractor.turns.reduce((sum, turn) => sum + turn, 0)).toBeLessThan(12_000);
    expect(Math.min(...extractor.turns)).toBe(100);
    const tried = extractor.turns.length;
    await send(house, 'bob', slowFiles(1, 'bob'));
    await until(() => extractor.turns.length === tried + 1);
    expect(extractor.turns.at(-1)).toBe(2000);
  });

  it('are read in turns by sender', async () => {
    const extractor = createSlowExtractor();
    const house = await open(extractor);
    await send(house, 'ann', slowFiles(10, 'ann'));
    await until(() => extractor.whole.length === 1);
    const [bobs] = await send(house, 'bob', slowFiles(1, 'bob'));
    await until(async () => (await house.log.end(slowTopics(UPLOADS)[1])) !== undefined);
    for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
    extractor.release(1);
    await until(() => extractor.whole.length === 2);
    expect(extractor.whole).toEqual(['slow-ann0.txt', 'slow-bob0.txt']);
    extractor.release(1);
    await until(() => found(house, bobs));
    extractor.release();
    await house.ingest.settle();
  });

  it('of four senders hold no document of a fifth, however many they have', async () => {
    const extractor = createSlowExtractor();
    const house = await open(extractor);
    for (const sender of ['ann', 'bob', 'cid', 'dan']) await send(house, sender, slowFiles(12, sender));
    const [uri] = await send(house, 'eve', slowFiles(1, 'eve'));
    await until(async () => (await house.log.end(slowTopics(UPLOADS)[4])) !== undefined);
    for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
    // The one that is in work, one of each other lane before it, and its own.
    extractor.release(6);
    await until(() => extractor.whole.includes('slow-eve0.txt'));
    expect(extractor.whole.indexOf('slow-eve0.txt')).toBeLessThan(6);
    await until(() => found(house, uri));
    extractor.release();
    await house.ingest.settle();
  });

  it('keep what is later of the same document behind them', async () => {
    const extractor = createSlowExtractor();
    const house = await open(extractor);
    const [gone, back] = await send(house, 'ann', slowFiles(2, 'ann'));
    await house.log.append(UPLOADS, [deletion(gone), deletion(back)]);
    const [again] = await send(house, 'bob', { 'quick.txt': 'ann document number 1' });
    const [other] = await send(house, 'bob', { 'other.txt': 'words of bob' });
    expect(again).toBe(back);
    await until(() => found(house, other));
    expect(await found(house, back)).toBe(false);
    extractor.release();
    await house.ingest.settle();
    expect([await found(house, gone), await found(house, back)]).toEqual([false, true]);
    const types = (await readAll(house.log, TOPIC.text)).map(({ headers }) => [
      headers.get(HEADER.documentId),
      headers.get(HEADER.eventType),
    ]);
    expect(types.filter(([uri]) => uri === back).map(([, type]) => type)).toEqual([
      EVENT_TYPE.text,
      EVENT_TYPE.delete,
      EVENT_TYPE.text,
    ]);
  });

  it('become dead letters of the topic that they were uploaded to', async () => {
    const extractor = createSlowExtractor();
    const house = await open(extractor);
    await send(house, 'ann', { 'slow-bad.txt': '!poison' });
    extractor.release();
    await house.ingest.settle();
    const [letter] = await readAll(house.log, `${UPLOADS}.dlq`);
    const [upload] = await readAll(house.log, UPLOADS);
    expect(letter.headers.get('Dead-Letter-Topic')).toBe(UPLOADS);
    expect(letter.headers.get('Dead-Letter-Position')).toBe(upload.position);
    expect(letter.headers.get('Dead-Letter-Event-Id')).toBe(upload.headers.get(HEADER.eventId));
    expect(await house.log.topics()).not.toContain(`${slowTopics(UPLOADS)[0]}.dlq`);
  });

  it('can be forgotten while they wait', async () => {
    const extractor = createSlowExtractor();
    const house = await open(extractor);
    const [uri] = await send(house, 'ann', slowFiles(1, 'ann'));
    await until(() => extractor.whole.length === 1);
    const forgetting = house.ingest.forget(uri);
    extractor.release();
    expect(await forgetting).toMatchObject({ topics: expect.arrayContaining([slowTopics(UPLOADS)[0]]) });
    expect(await found(house, uri)).toBe(false);
  });

  it.each([
    ['stopped', (log: EventLog) => log],
    ['killed before a position is stored', forgetful],
  ])('are neither lost nor doubled when the process is %s', async (_, of) => {
    const extractor = createSlowExtractor();
    const first = await open(extractor);
    const slow = await send(first, 'ann', slowFiles(5, 'ann'));
    await first.log.append(UPLOADS, [deletion(slow[1])]);
    await send(first, 'bob', { 'quick.txt': 'words of bob', 'bad.txt': '!poison' });
    extractor.release();
    await first.ingest.settle();
    const expected = `${await digestIndex(first.search)}\n${await digestDataset(first.knowledge)}`;

    // The same uploads, of a process that ends when some are done and others are not, again and again.
    const { log, blobs } = await createPorts();
    for (const event of await readAll(first.log, UPLOADS)) await log.append(UPLOADS, [event]);
    for (let life = 0; life < 4; life++) {
      const dying = createSlowExtractor();
      const search = await openSearchIndex({ indices: ['search', 'doc-content'] });
      const knowledge = await openGraphDataset({ name: 'knowledge' });
      const house = await open(dying, { log: of(log), blobs, search, knowledge });
      await until(() => dying.whole.length === 1);
      dying.release(1);
      await until(() => dying.whole.length === 2);
      await house.ingest.stop();
    }
    const last = createSlowExtractor();
    last.release();
    const house = await open(last, { log, blobs });
    await house.ingest.settle();
    expect(`${await digestIndex(house.search)}\n${await digestDataset(house.knowledge)}`).toBe(expected);
    for (const topic of [TOPIC.text, `${UPLOADS}.dlq`]) {
      expect(new Set(await idsOf(log, topic))).toEqual(new Set(await idsOf(first.log, topic)));
    }
  });
});

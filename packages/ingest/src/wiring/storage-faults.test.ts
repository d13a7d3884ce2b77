import { CodedError } from '@cairn/errors';
import {
  type BlobStore,
  createEvent,
  createMemoryBlobStore,
  createMemoryEventLog,
  type EventLog,
  offloadValue,
  valueBlob,
} from '@cairn/events';
import { afterEach, describe, expect, it } from 'vitest';
import type { Extractor } from '../port/extractor.ts';
import type { ProjectorNotice, ProjectorState } from '../projector/projector.ts';
import { readAll } from '../testing/drain.ts';
import { createHeldLog } from '../testing/held-log.ts';
import { type House, openHouse, PUBLIC, SECRET } from '../testing/house.ts';
import { createTextExtractor } from '../testing/text-extractor.ts';
import type { IngestOptions } from './options.ts';

const system = (code: string, syscall: string): Error =>
  Object.assign(new Error(`${code}: refused, ${syscall}`), { code, errno: -5, syscall });

type Refusal = (() => Error) | 'missing';

/** Errors of reading a blob that are not the writer's fault. */
const REFUSALS: readonly (readonly [string, () => Error])[] = [
  ['a read that fails', () => system('EIO', 'read')],
  ['no file left to open', () => system('EMFILE', 'open')],
  ['a store that is away', () => new CodedError({ code: 'ERR_AWAY', kind: 'unavailable', message: 'away' })],
  [
    'a blob of a later release',
    () => new CodedError({ code: 'ERR_BLOB_VERSION', kind: 'unsupported', message: 'newer' }),
  ],
  ['a store that is slow', () => new CodedError({ code: 'ERR_SLOW', kind: 'timeout', message: 'slow' })],
  ['damage', () => new CodedError({ code: 'ERR_BLOB_CORRUPT', kind: 'corrupt', message: 'damaged' })],
];
const LOSSES: readonly (readonly [string, Refusal])[] = [...REFUSALS, ['a blob that is not there', 'missing']];

const READERS: Readonly<Record<string, readonly string[]>> = {
  'document.extractrequest': ['ingest-extract-text'],
  'document.textandmetadata': ['ingest-find-entities'],
  'document.entities': ['search-documents', 'ingest-document-rdf'],
  'document.corrections': ['search-corrections'],
  knowledge: ['graph'],
};

/** Blobs of which some cannot be read for a while. */
class FaultyBlobs {
  readonly store: BlobStore;
  readonly #inner = createMemoryBlobStore();
  /** Fails the reading of a blob; `undefined` lets it through. */
  refuse: (name: string) => Promise<Refusal | undefined> = async () => undefined;

  constructor() {
    const inner = this.#inner;
    this.store = {
      put: (name, source, options) => inner.put(name, source, options),
      putContent: (prefix, source, options) => inner.putContent(prefix, source, options),
      get: async (name, range) => {
        const refusal = await this.refuse(name);
        if (refusal === 'missing') return undefined;
        if (refusal !== undefined) throw refusal();
        return inner.get(name, range);
      },
      stream: (name, range) => inner.stream(name, range),
      list: (prefix) => inner.list(prefix),
      delete: (name) => inner.delete(name),
      readManifest: (name) => inner.readManifest(name),
      replaceManifest: (name, bytes) => inner.replaceManifest(name, bytes),
      close: () => inner.close(),
    };
  }

  /** From now on the values of a topic cannot be read. */
  refuseTopic(log: EventLog, topic: string, refusal: Refusal): void {
    this.refuse = async (name) => {
      const events = await readAll(log, topic);
      return events.some((event) => valueBlob(event)?.name === name) ? refusal : undefined;
    };
  }

  mend(): void {
    this.refuse = async () => undefined;
  }
}

const houses: House[] = [];

afterEach(async () => {
  await Promise.all(houses.splice(0).map(({ ingest }) => ingest.stop()));
});

interface Faulty extends House {
  readonly faulty: FaultyBlobs;
  readonly notices: readonly ProjectorNotice[];
}

async function openFaulty(options: Partial<IngestOptions> = {}): Promise<Faulty> {
  const faulty = new FaultyBlobs();
  const notices: ProjectorNotice[] = [];
  const house = await openHouse(
    { log: createMemoryEventLog(), blobs: faulty.store },
    { backOff: { initialMs: 1, maxMs: 2 }, onNotice: (notice) => void notices.push(notice), ...options },
  );
  houses.push(house);
  return { ...house, faulty, notices };
}

/** More than an event holds itself, and no word. */
const LARGE = '-'.repeat(1_100_000);

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
}

/** Waits for all that is left, also while something stands still. */
async function settle({ ingest }: House): Promise<void> {
  await until(async () => {
    const reason = await ingest.settle().catch((error: unknown) => error);
    if (reason === undefined) return true;
    expect(reason).toMatchObject({ code: 'ERR_PROJECTOR_STALLED' });
    return false;
  });
}

async function statesOf({ ingest }: House, topic: string): Promise<Map<string, ProjectorState>> {
  const { projectors } = await ingest.figures();
  return new Map(projectors.filter((one) => one.topic === topic).map(({ group, state }) => [group, state]));
}

async function deadLettersOf(log: EventLog): Promise<string[]> {
  return (await log.topics()).filter((topic) => topic.endsWith('.dlq'));
}

/** Events with large values on every topic: a document, a correction that nothing comes of, and RDF. */
async function writeLarge(house: House): Promise<void> {
  await house.upload({ 'large.txt': `The Eagle. uniq ${LARGE}` });
  const statements = `<urn:large> <http://www.w3.org/2000/01/rdf-schema#label> "${LARGE}" .`;
  const headers = { 'Content-Type': 'text/turtle', 'Security-Label': '*' };
  const rdf = createEvent({ id: 'large-rdf', type: 'rdf', headers, value: statements });
  await house.log.append('knowledge', [await offloadValue(rdf, house.blobs)]);
  const correction = { documentUri: 'urn:none', entityText: LARGE, entityCategory: '', labels: [] };
  const corrected = createEvent({
    ...{ id: 'large-correction', type: 'correction', key: 'urn:none' },
    headers: { 'Document-Id': 'urn:none', 'Security-Label': '*' },
    value: JSON.stringify({ ...correction, resolvedEntityUri: 'urn:x', resolvedCategory: 'urn:x', corrected: [] }),
  });
  await house.log.append('document.corrections', [await offloadValue(corrected, house.blobs)]);
}

describe('a value that storage does not give', () => {
  const cases = LOSSES.flatMap(([name, refusal]) =>
    Object.entries(READERS).map(([topic, groups]) => ({ title: `${name}, on ${topic}`, refusal, topic, groups })),
  );
  it.each(cases)('is waited for, and never a dead letter: $title', async ({ refusal, topic, groups }) => {
    const house = await openFaulty();
    const { ingest, faulty, log, notices } = house;
    faulty.refuseTopic(log, topic, refusal);
    await writeLarge(house);
    await until(async () => {
      const states = await statesOf(house, topic);
      return groups.every((group) => states.get(group) === 'stalled');
    });
    const { projectors } = await ingest.figures();
    const stalledBy = projectors.find(({ group }) => group === groups[0])?.stalledBy;
    expect(stalledBy).toMatch(/^(EIO|EMFILE|ERR_AWAY|ERR_VALUE_UNREADABLE|ERR_VALUE_DAMAGED|ERR_BLOB_MISSING)$/);
    faulty.mend();
    await settle(house);
    expect(await deadLettersOf(log)).toEqual([]);
    expect((await ingest.search.search(PUBLIC, { query: 'uniq' })).results).toHaveLength(1);
    expect(await house.knowledge.query(SECRET, 'ASK { <urn:large> ?p ?o }')).toMatchObject({ value: true });
    for (const group of groups) {
      const told = notices.filter((notice) => notice.group === group && notice.topic === topic);
      expect(told.map(({ type }) => type).at(0)).toBe('stalled');
      expect(told.map(({ type }) => type).at(-1)).toBe('resumed');
      // Damage is told of as such at once; the rest when it lasts.
      const isLost = stalledBy === 'ERR_VALUE_DAMAGED' || stalledBy === 'ERR_BLOB_MISSING';
      expect(told.some(({ type }) => type === 'stands-still')).toBe(!isLost);
    }
    for (const state of (await statesOf(house, topic)).values()) expect(state).toBe('running');
  });

  it('holds the names of documents back from being looked for again, and is then looked for', async () => {
    const house = await openFaulty();
    const { ingest, faulty, log } = house;
    await house.upload({ 'large.txt': `The Columbia. ${LARGE}` });
    await ingest.settle();
    await house.load('ex:columbia a ex:Vehicle ; rdfs:label "Columbia" .');
    faulty.refuseTopic(log, 'document.entities', () => system('EIO', 'read'));
    await expect(ingest.reannotate()).rejects.toThrow('EIO');
    faulty.mend();
    expect(await ingest.reannotate()).toBe(1);
  });

  it('does not keep back what stands before it', async () => {
    const house = await openFaulty();
    const { ingest, faulty, log } = house;
    const text = ingest.projectors.find(({ group }) => group === 'ingest-extract-text')!;
    await text.pause();
    await house.upload({ 'small.txt': 'early' });
    await house.upload({ 'large.txt': `late ${LARGE}` });
    faulty.refuseTopic(log, 'document.extractrequest', () => system('EIO', 'read'));
    text.resume();
    await until(async () => (await ingest.search.search(PUBLIC, { query: 'early' })).results.length === 1);
    faulty.mend();
    await settle(house);
    expect((await ingest.search.search(PUBLIC, { query: 'late' })).results).toHaveLength(1);
    expect(await deadLettersOf(log)).toEqual([]);
  });
});

describe('an upload whose content storage does not take or give', () => {
  it.each(REFUSALS)('fails, and is not refused as a file: %s', async (_name, refusal) => {
    const house = await openFaulty();
    house.faulty.refuse = async () => refusal;
    const value = `<urn:a> <urn:p> "${LARGE}" <urn:g> .`;
    await expect(house.upload({ 'large.nq': value })).rejects.toThrow();
    house.faulty.mend();
    expect(await readAll(house.log, 'document.extractrequest')).toEqual([]);
  });
});

/** Errors that only the value of an event can cause, or that may be the fault of an event elsewhere. */
const OF_BLOBS = new Set(['a blob of a later release', 'a store that is slow']);

describe('a cache that cannot be written', () => {
  it.each(REFUSALS.filter(([name]) => !OF_BLOBS.has(name)))(
    'is tried again, and nothing is a dead letter: %s',
    async (_name, refusal) => {
      const house = await openFaulty();
      const { ingest, search, knowledge, log, notices } = house;
      for (const cache of [search, knowledge]) {
        const apply = cache.apply.bind(cache) as (...args: readonly unknown[]) => Promise<void>;
        let failures = 8;
        cache.apply = async (...args: readonly unknown[]): Promise<void> => {
          if (failures-- > 0) throw refusal();
          await apply(...args);
        };
      }
      const mayBeLate = { mayBeLate: true, dataset: 'knowledge', contentType: 'text/turtle', label: '*' };
      const value = new TextEncoder().encode('<urn:a> a <urn:Thing> .');
      await Promise.all([ingest.load({ ...mayBeLate, value }), house.upload({ 'a.txt': 'findable' })]);
      await until(async () => notices.some(({ type }) => type === 'resumed'));
      await settle(house);
      expect(await deadLettersOf(log)).toEqual([]);
      expect((await ingest.search.search(PUBLIC, { query: 'findable' })).results).toHaveLength(1);
      expect(await knowledge.query(SECRET, 'ASK { <urn:a> ?p ?o }')).toMatchObject({ value: true });
    },
  );
});

/** Fails as it is told to for documents that begin with `!`. */
function failingExtractor(error: () => unknown): Extractor {
  const inner = createTextExtractor();
  return {
    extract: async (request, options) => {
      if (request.bytes[0] === 33) throw error();
      return inner.extract(request, options);
    },
    close: () => inner.close(),
  };
}

describe('what an extractor throws', () => {
  const coded = (kind: CodedError['kind']) => () => new CodedError({ code: 'ERR_X', kind, message: 'x' });
  it.each([
    ['a defect that the document has met', () => new TypeError('x is not a function')],
    ['a document that is refused', coded('invalid')],
    ['a document that takes too much memory', coded('exhausted')],
    ['a document that brings its reader down', coded('internal')],
    ['a document that takes too long, again and again', coded('timeout')],
    ['data that zlib refuses', () => Object.assign(new Error('x'), { code: 'Z_DATA_ERROR', errno: -3 })],
  ])('is a dead letter that stops nothing: %s', async (_name, error) => {
    const { ingest, upload, log } = await openFaulty({ extractor: failingExtractor(error) });
    await upload({ 'bad.txt': '!bad' });
    await upload({ 'good.txt': 'good' });
    await ingest.settle();
    expect((await ingest.search.search(PUBLIC, { query: 'good' })).results).toHaveLength(1);
    expect(await readAll(log, 'document.extractrequest.dlq')).toHaveLength(1);
  });

  it.each([
    ['an extractor that cannot be reached', () => system('ECONNREFUSED', 'connect')],
    ['an extractor that has too much to do', coded('overloaded')],
  ])('is tried again: %s', async (_name, error) => {
    let failures = 3;
    const extractor = failingExtractor(error);
    const { ingest, upload, log } = await openFaulty({
      extractor: {
        extract: (request, options) =>
          failures-- > 0 ? extractor.extract(request, options) : createTextExtractor().extract(request, options),
        close: () => extractor.close(),
      },
    });
    await upload({ 'a.txt': '! at last' });
    await ingest.settle();
    expect((await ingest.search.search(PUBLIC, { query: 'last' })).results).toHaveLength(1);
    expect(await deadLettersOf(log)).toEqual([]);
  });
});

describe('an upload of which the log cannot tell whether it was kept', () => {
  it.each([
    ['it was', true],
    ['it was not', false],
  ])('keeps its content until that shows: %s', async (_how, isKept) => {
    const inner = createMemoryEventLog();
    const log = createHeldLog(inner);
    const blobs = createMemoryBlobStore();
    const uploads = async (): Promise<string[]> => {
      const names: string[] = [];
      for await (const { name } of blobs.list('uploads/')) names.push(name);
      return names;
    };
    const first = await openHouse({ log, blobs });
    const refusal = { code: 'ERR_LOG_WRITE', kind: 'unavailable', message: 'fsync failed', retryable: false } as const;
    log.refuse(() => new CodedError(refusal));
    await expect(first.upload({ 'a.txt': `findable ${LARGE}` })).rejects.toMatchObject({ code: 'ERR_LOG_WRITE' });
    await first.ingest.collectUploads();
    const [name] = await uploads();
    expect(name).toBeDefined();
    await first.ingest.stop();
    const headers = { 'Security-Label': '*', 'Value-Blob': `${name} ${`findable ${LARGE}`.length}` };
    const event = createEvent({ id: 'kept', type: 'uploaded', headers, value: '' });
    if (isKept) await inner.append('document.extractrequest', [event]);
    const second = await openHouse({ log: inner, blobs });
    houses.push(second);
    await settle(second);
    if (isKept) expect((await second.ingest.search.search(PUBLIC, { query: 'findable' })).results).toHaveLength(1);
    else await until(async () => (await uploads()).length === 0);
  });
});

describe('a log that does not take what a stage has made', () => {
  it.each([
    ['for a while', true],
    ['until it is opened again', false],
  ])('%s is waited for', async (_how, retryable) => {
    const log = createHeldLog(createMemoryEventLog());
    let failures = 8;
    log.refuse((topic) => {
      if (topic !== 'document.textandmetadata' || failures-- <= 0) return undefined;
      return new CodedError({ code: 'ERR_LOG_WRITE', kind: 'unavailable', message: 'no room', retryable });
    });
    const house = await openHouse({ log }, { backOff: { initialMs: 1, maxMs: 2 } });
    houses.push(house);
    await house.upload({ 'a.txt': 'findable' });
    await until(async () => (await house.ingest.search.search(PUBLIC, { query: 'findable' })).results.length === 1);
    expect(await deadLettersOf(log)).toEqual([]);
  });
});

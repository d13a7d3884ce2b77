import { CodedError } from '@cairn/errors';
import {
  type BlobStore,
  createHeaders,
  createMemoryBlobStore,
  createMemoryEventLog,
  type EventLog,
  loadValue,
} from '@cairn/events';
import { delayedSource, seededRandom } from '@cairn/events/conformance';
import { createViewer } from '@cairn/security';
import { describe, expect, it } from 'vitest';
import type { UploadPart } from '../port/upload-part.ts';
import { parseRoute } from '../routes/parser.ts';
import { readAll } from '../testing/drain.ts';
import { proxyOf } from '../testing/held-log.ts';
import { createCounter } from '../testing/ids.ts';
import { toParts } from '../testing/parts.ts';
import { UploadQueue, type UploadQueueOptions } from './queue.ts';
import { acceptUpload, type UploadOutcome } from './upload.ts';

const TOPIC = 'document.extractrequest';
const MIB = 1024 * 1024;
const viewer = createViewer({ attributes: { clearance: ['S'] } });

interface Harness {
  readonly log: EventLog;
  readonly blobs: BlobStore;
  upload(
    parts: AsyncIterable<UploadPart>,
    headers?: Record<string, string>,
    more?: { signal?: AbortSignal; sender?: string },
  ): Promise<UploadOutcome>;
  blobNames(): Promise<string[]>;
}

function harness(
  config: Record<string, unknown> = {},
  queueOptions?: UploadQueueOptions,
  log = createMemoryEventLog(),
): Harness {
  const blobs = createMemoryBlobStore();
  const queue = new UploadQueue(queueOptions);
  const nextId = createCounter();
  const route = parseRoute(
    { name: 'local', topic: TOPIC, namespace: 'https://example.org/documents/', ...config },
    { file: 'test' },
  );
  return {
    log,
    blobs,
    upload: (parts, headers = { 'Security-Label': 'clearance=S' }, { signal, sender } = {}) =>
      acceptUpload(
        { route, headers: createHeaders(headers), parts, viewer, sender, signal },
        { log, blobs, queue, nextId },
      ),
    async blobNames() {
      const names: string[] = [];
      for await (const { name } of blobs.list()) names.push(name);
      return names;
    },
  };
}

/** Files whose content comes in pieces of twelve bytes, all in one buffer. */
async function* reusingParts(files: Readonly<Record<string, string>>): AsyncGenerator<UploadPart> {
  for (const [filename, text] of Object.entries(files)) {
    const content = delayedSource(new TextEncoder().encode(text), {
      random: seededRandom(1),
      sizes: text.length < 100 ? [12] : [12, 120_000],
      delays: 0,
      memory: 'one',
    });
    yield { filename, declaredType: undefined, content };
  }
}

const big = (length: number, fill = 7): Uint8Array => new Uint8Array(length).fill(fill);

describe('an upload', () => {
  it('is stored as it came from a source that fills one buffer again and again', async () => {
    const { upload, log, blobs } = harness();
    const short = 'first words second word third words ';
    const long = short.repeat(40_000);
    const outcome = await upload(reusingParts({ 'short.txt': short, 'long.txt': long }));
    expect(outcome.successful).toBe(true);
    const events = await readAll(log, TOPIC);
    const values = await Promise.all(events.map((event) => loadValue(event, blobs)));
    expect(
      values.map((value) => new TextDecoder().decode(value)).map((text) => [text.length, text.slice(0, 36)]),
    ).toEqual([
      [short.length, short],
      [long.length, short],
    ]);
    expect(new TextDecoder().decode(values[1]) === long).toBe(true);
  });

  it.each(['text', 5, null, {}, new Uint16Array(2)])(
    'whose content gives %o as a chunk is refused with a code, and leaves nothing behind',
    async (wrong) => {
      for (const before of [0, 10, 2 * MIB]) {
        const { upload, log, blobNames } = harness();
        let isEnded = false;
        const content = async function* (): AsyncGenerator<Uint8Array> {
          try {
            if (before > 0) yield big(before);
            yield wrong as Uint8Array;
          } finally {
            isEnded = true;
          }
        };
        const parts = (async function* (): AsyncGenerator<UploadPart> {
          yield { filename: 'a.txt', declaredType: undefined, content: content() };
        })();
        await expect(upload(parts)).rejects.toMatchObject({
          code: 'ERR_ARGUMENT',
          kind: 'invalid',
          message: expect.stringContaining('a chunk of an uploaded file must be bytes; got '),
        });
        expect([isEnded, await blobNames(), await log.topics()]).toEqual([true, [], []]);
      }
    },
  );

  it('is one event per file, durable on the topic of the route', async () => {
    const { upload, log } = harness();
    const outcome = await upload(toParts({ 'a.txt': 'alpha', 'b.txt': 'beta' }), {
      'Security-Label': 'clearance=S',
      'Request-ID': 'r1',
    });
    expect(outcome.successful).toBe(true);
    expect(outcome.documents.map(({ filename, status }) => [filename, status])).toEqual([
      ['a.txt', 'Accepted by route local'],
      ['b.txt', 'Accepted by route local'],
    ]);
    const events = await readAll(log, TOPIC);
    expect(events.map(({ value }) => new TextDecoder().decode(value))).toEqual(['alpha', 'beta']);
    expect(events[0].headers.get('Security-Label')).toBe('clearance=S');
    expect(events[0].headers.get('Request-ID')).toBe('r1');
    expect(events[0].headers.get('Document-Id')).toBe(`https://example.org/documents/${outcome.documents[0].id}`);
  });

  it('gives the same id to the same content under the same label, and another under another label', async () => {
    const { upload } = harness();
    const idOf = async (label: string, content = 'alpha'): Promise<string> =>
      (await upload(toParts({ 'x.txt': content }), { 'Security-Label': label })).documents[0].id;
    expect(await idOf('clearance=S')).toBe(await idOf(' clearance = S '));
    expect(await idOf('clearance=S')).not.toBe(await idOf('*'));
    expect(await idOf('*')).not.toBe(await idOf('*', 'beta'));
    expect(await idOf('*')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('labels documents with the request and the policy and the route together', async () => {
    const { upload, log } = harness({ securityLabel: 'site=B' });
    const policy = JSON.stringify({ EDH: { classification: 'O', permittedOrgs: ['Acme'] } });
    await upload(toParts({ 'a.txt': 'alpha' }), { 'Security-Label': 'clearance=S', 'Policy-Information': policy });
    const [event] = await readAll(log, TOPIC);
    expect(event.headers.get('Security-Label')).toBe(
      'classification=O&clearance=S&permitted_organisations=Acme&site=B',
    );
    expect(event.headers.get('Policy-Information')).toBe(policy);
  });

  describe('under a policy that their sender lacks', () => {
    const POLICY = JSON.stringify({ EDH: { classification: 'TS' } });
    const hidden = { 'Security-Label': 'clearance=S', 'Policy-Information': POLICY };
    const idOf = async ({ upload }: Harness, sender: string | undefined): Promise<string> =>
      (await upload(toParts({ 'x.txt': 'alpha' }), hidden, { sender })).documents[0].id;

    it('are documents of that sender alone, so that nobody renames one that they cannot see', async () => {
      const house = harness();
      expect(await idOf(house, 'bob')).toBe(await idOf(house, 'bob'));
      expect(await idOf(house, 'bob')).not.toBe(await idOf(house, 'eve'));
      expect(await idOf(house, undefined)).not.toBe(await idOf(house, undefined));
    });

    it.each([
      ['D <urn:s> <urn:p> "hidden" .', false],
      ['PD "ex" .', false],
      ['A <urn:s> <urn:p> "new" .', true],
    ])('take nothing away: %s', async (row, isTaken) => {
      const { upload, log } = harness();
      const files = { 'change.rdfp': `TX .\n${row}\nTC .\n` };
      const { documents } = await upload(toParts(files), hidden);
      expect(documents[0].successful).toBe(isTaken);
      expect(await readAll(log, TOPIC)).toHaveLength(isTaken ? 1 : 0);
      if (!isTaken) expect(documents[0].status).toContain('must have a label that its sender may read');
      const readable = await upload(toParts(files), { 'Security-Label': 'clearance=S' });
      expect(readable.successful).toBe(true);
    });
  });

  it.each([
    [{}, 'ERR_UPLOAD_LABEL', 'the header Security-Label is required'],
    [{ 'Security-Label': 'a&' }, 'ERR_UPLOAD_LABEL', 'is malformed'],
    [{ 'Security-Label': 'clearance=TS' }, 'ERR_UPLOAD_LABEL', 'must be one that the sender may read'],
    [{ 'Security-Label': '*', 'Policy-Information': '{}' }, 'ERR_POLICY_INFORMATION', ''],
  ])('is refused as a whole for headers %j', async (headers, code, message) => {
    const { upload, log } = harness();
    const refused = upload(toParts({ 'a.txt': 'alpha' }), headers as Record<string, string>);
    await expect(refused).rejects.toMatchObject({ code, kind: 'invalid', message: expect.stringContaining(message) });
    expect(await readAll(log, TOPIC)).toEqual([]);
  });

  it('refuses single files with the reason and accepts the others', async () => {
    const { upload, log, blobNames } = harness({ maxDocumentBytes: 2 * MIB, maxFiles: 6 });
    const outcome = await upload(
      toParts(
        {
          'good.txt': 'good',
          'empty.txt': '',
          'large.bin': big(2 * MIB + 1),
          '..': 'dots',
          'line\nbreak': 'control',
          '/etc/passwd': 'a path becomes its last name',
          'seventh.txt': 'too many',
        },
        64 * 1024,
      ),
    );
    expect(outcome.successful).toBe(false);
    expect(outcome.documents.map(({ successful, filename, status }) => [successful, filename, status])).toEqual([
      [true, 'good.txt', 'Accepted by route local'],
      [false, 'empty.txt', 'Refused: the file is empty'],
      [false, 'large.bin', 'Refused: the file exceeds the maximum document size of 2097152 bytes'],
      [false, '..', 'Refused: ".." is not a file name'],
      [false, 'line\nbreak', 'Refused: the file name holds control characters'],
      [true, 'passwd', 'Accepted by route local'],
      [false, 'seventh.txt', 'Refused: an upload has at most 6 files'],
    ]);
    expect((await readAll(log, TOPIC)).length).toBe(2);
    expect(await blobNames()).toEqual([]);
  });

  it('refuses a file that cannot be read to its end and accepts the ones behind it', async () => {
    const { upload, blobNames } = harness();
    const parts = async function* (): AsyncGenerator<UploadPart> {
      const broken = async function* (): AsyncGenerator<Uint8Array> {
        yield big(3 * MIB);
        throw new Error('the disk of the sender is broken');
      };
      yield { filename: 'broken.bin', declaredType: undefined, content: broken() };
      yield* toParts({ 'good.txt': 'good' });
    };
    const { documents } = await upload(parts());
    expect(documents.map(({ successful }) => successful)).toEqual([false, true]);
    expect(documents[0].status).toContain('could not be read: the disk of the sender is broken');
    expect(await blobNames()).toEqual([]);
  });

  it('keeps large files in blobs that the event refers to', async () => {
    const { upload, log, blobNames } = harness();
    await upload(toParts({ 'large.bin': big(3 * MIB) }, 64 * 1024));
    const [event] = await readAll(log, TOPIC);
    expect(event.value.length).toBe(0);
    expect([event.headers.get('Value-Blob')]).toEqual((await blobNames()).map((name) => `${name} ${3 * MIB}`));
  });

  it('leaves nothing behind when it is aborted, however far it came', async () => {
    const { upload, log, blobNames } = harness();
    const abort = new AbortController();
    const parts = async function* (): AsyncGenerator<UploadPart> {
      yield* toParts({ 'first.bin': big(2 * MIB), 'small.txt': 'small' }, 64 * 1024);
      const cut = async function* (): AsyncGenerator<Uint8Array> {
        yield big(2 * MIB);
        abort.abort();
        yield big(MIB);
      };
      yield { filename: 'cut.bin', declaredType: undefined, content: cut() };
    };
    await expect(upload(parts(), undefined, { signal: abort.signal })).rejects.toMatchObject({ kind: 'cancelled' });
    expect(await readAll(log, TOPIC)).toEqual([]);
    expect(await blobNames()).toEqual([]);
  });

  it('leaves nothing behind when the log refuses', async () => {
    const log = createMemoryEventLog();
    const refusing = new Proxy(log, {
      get: (target, key) =>
        key === 'append'
          ? async () => {
              throw new CodedError({ code: 'ERR_LOG_WRITE', kind: 'unavailable', message: 'no space left' });
            }
          : Reflect.get(target, key, target),
    });
    const { upload, blobNames } = harness({}, undefined, refusing);
    await expect(upload(toParts({ 'a.bin': big(2 * MIB) }))).rejects.toMatchObject({ code: 'ERR_LOG_WRITE' });
    expect(await blobNames()).toEqual([]);
  });

  it('is refused without any file', async () => {
    await expect(harness().upload(toParts({}))).rejects.toMatchObject({ code: 'ERR_UPLOAD_EMPTY' });
  });

  it('is refused as overloaded while too many others wait for the log', async () => {
    let append = (): void => {};
    const stalled = new Promise<void>((resolve) => {
      append = resolve;
    });
    const log = createMemoryEventLog();
    const slow = {
      ...proxyOf(log),
      append: async (topic: string, batch: readonly never[]) => {
        await stalled;
        return log.append(topic, batch);
      },
    } as EventLog;
    const { upload } = harness({}, { maxUploads: 2 }, slow);
    const waiting = [upload(toParts({ 'a.txt': 'a' })), upload(toParts({ 'b.txt': 'b' }))];
    const refused = upload(toParts({ 'c.txt': 'c' }));
    await expect(refused).rejects.toMatchObject({ code: 'ERR_UPLOAD_QUEUE_FULL', kind: 'overloaded', retryable: true });
    append();
    expect((await Promise.all(waiting)).every(({ successful }) => successful)).toBe(true);
    await expect(upload(toParts({ 'c.txt': 'c' }))).resolves.toMatchObject({ successful: true });
  });

  it('moves small files to blobs when too many of them wait in memory', async () => {
    const { upload, blobNames } = harness({}, { maxPendingBytes: 1500 });
    await upload(toParts({ 'a.txt': 'a'.repeat(1000), 'b.txt': 'b'.repeat(1000) }));
    expect((await blobNames()).length).toBe(1);
  });
});

import { setImmediate as nextTurn } from 'node:timers/promises';
import { deflateRawSync } from 'node:zlib';
import type { Extractor } from '@cairn/ingest';
import { afterEach, describe, expect, it } from 'vitest';
// Plain scripts, which also make the fixtures on disk.
// @ts-expect-error they have no types
import { docx, word, xlsx } from '../../../../test-fixtures/formats/make/ooxml.mjs';
// @ts-expect-error they have no types
import { pdf } from '../../../../test-fixtures/formats/make/pdf.mjs';
// @ts-expect-error they have no types
import { zip } from '../../../../test-fixtures/formats/make/zip.mjs';
import { createExtractionPool, type ExtractionPoolOptions } from './pool.ts';

const MIB = 1024 * 1024;
const properties = { title: '', creator: '', created: '', modified: '', language: '', keywords: '', description: '' };
const pools: Extractor[] = [];

function openPool(options: ExtractionPoolOptions = {}): Extractor {
  const pool = createExtractionPool({ workers: 1, ...options });
  pools.push(pool);
  return pool;
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

const good = { bytes: Buffer.from('still here'), filename: 'a.txt' };
const zeros = (bytes: number): Buffer => Buffer.alloc(bytes);

const BOMBS: Readonly<Record<string, { options?: ExtractionPoolOptions; make: () => Buffer; limit: string }>> = {
  'a.docx with an entry that inflates a thousandfold': {
    make: () => docx({ properties, document: zeros(32 * MIB) }),
    limit: 'compression ratio of an archive entry must be at most 200 to 1',
  },
  'b.docx with an entry over the limit': {
    options: { maxEntryBytes: MIB },
    make: () => docx({ properties, document: zeros(2 * MIB) }),
    limit: 'an inflated archive entry must be at most 1048576 bytes',
  },
  'c.docx with parts that are too much together': {
    options: { maxArchiveBytes: 3 * MIB },
    make: () =>
      docx({
        properties,
        document: word.document(' '.repeat(2 * MIB)),
        extra: [word.part('footnotes', 'footnotes', ' '.repeat(2 * MIB))],
      }),
    limit: 'the inflated archive must be at most 3145728 bytes',
  },
  'd.docx that says its bomb is small': {
    make: lyingDocx,
    limit: 'too many bytes in the stream',
  },
  'e.odt with too many entries': {
    options: { maxEntries: 50 },
    make: () =>
      zip([
        { name: 'mimetype', content: 'application/vnd.oasis.opendocument.text', stored: true },
        ...Array.from({ length: 60 }, (_, n) => ({ name: `${n}`, content: '' })),
      ]),
    limit: 'archive entries must be at most 50 entries',
  },
  'f.xlsx that repeats one long string': {
    options: { maxTextBytes: MIB },
    make: () =>
      xlsx({
        properties,
        strings: [`<si><t>${'y'.repeat(10_000)}</t></si>`],
        sheets: [{ name: 'a', rows: `<row>${'<c t="s"><v>0</v></c>'.repeat(1000)}</row>` }],
      }),
    limit: 'the extracted text must be at most 1048576 bytes',
  },
  'g.pdf with a stream that fills the memory': {
    options: { memoryMb: 64, maxEntryBytes: 200 * MIB, maxCompressionRatio: 10_000 },
    make: () => pdf({ info: {}, pages: [[]], content: Buffer.alloc(100 * MIB, ' ') }),
    limit: 'the memory of buffers must be at most 67108864 bytes',
  },
  'h.pdf with more pages than allowed': {
    options: { maxPages: 2 },
    make: () => pdf({ info: {}, pages: [[], [], []] }),
    limit: 'pages must be at most 2',
  },
  'i.html with more objects than allowed': {
    options: { memoryMb: 32 },
    make: () => Buffer.from(`<!doctype html>${'<p>some words here'.repeat(800_000)}`),
    limit: 'the memory of the reader must be at most 33554432 bytes',
  },
  'k.csv with an endless line': {
    make: () => Buffer.from(`a,b\n${','.repeat(2_000_000)}`),
    limit: 'a line must be at most 1048576 characters',
  },
  'l.eml with a bomb attached': {
    make: () => {
      const bomb = docx({ properties, document: zeros(16 * MIB) }).toString('base64');
      return Buffer.from(
        `From: a@example.com\r\nMIME-Version: 1.0\r\nContent-Type: application/octet-stream; name=a.docx\r\nContent-Disposition: attachment; filename=a.docx\r\nContent-Transfer-Encoding: base64\r\n\r\n${bomb}`,
      );
    },
    limit: 'compression ratio',
  },
};

function lyingDocx(): Buffer {
  const packed = deflateRawSync(zeros(MIB));
  return docx({
    properties,
    document: word.document(''),
    extra: [{ name: 'word/footnotes.xml', content: '', raw: packed, size: 10 }],
  });
}

describe('the extraction pool', () => {
  it.each(Object.entries(BOMBS))('refuses %s and goes on', async (name, { options, make, limit }) => {
    const pool = openPool({ timeLimitMs: 20_000, ...options });
    const bomb = pool.extract({ bytes: make(), filename: name.split(' ')[0] as string });
    const error = { code: 'ERR_EXTRACTION', kind: 'invalid', message: expect.stringContaining(limit) };
    await expect(bomb).rejects.toMatchObject(error);
    expect(await pool.extract(good)).toMatchObject({ text: 'still here' });
  });

  it.each([
    ['a.json', JSON.stringify(['word '.repeat(400)])],
    ['a.txt', 'word '.repeat(400)],
    ['a.csv', 'a,b\n'.repeat(500)],
    ['a.md', 'word '.repeat(400)],
    ['a.html', `<!doctype html><p>${'word '.repeat(400)}`],
  ])('reads %s without its text, and says why, when that is too long', async (filename, content) => {
    const pool = openPool({ maxTextBytes: 1000 });
    const extraction = await pool.extract({ bytes: Buffer.from(content), filename });
    expect(extraction).toMatchObject({ text: '', reason: 'too much text' });
  });

  it('names the time limit of a document that takes too long, and goes on', async () => {
    const pool = openPool({ timeLimitMs: 300, maxCompressionRatio: 10_000 });
    const content = Buffer.from('BT /F1 12 Tf (words) Tj ET\n'.repeat(500_000));
    const slow = pool.extract({ bytes: pdf({ info: {}, pages: [[]], content }), filename: 'slow.pdf' });
    const error = { code: 'ERR_EXTRACTION', kind: 'invalid', message: expect.stringContaining('300 ms') };
    await expect(slow).rejects.toMatchObject(error);
    expect(await pool.extract(good)).toMatchObject({ text: 'still here' });
  });

  it('lets the event loop go on while a worker is at it', async () => {
    const bytes = Buffer.from(`<!doctype html>${'<p>some words'.repeat(200_000)}`);
    const pool = openPool();
    await pool.extract(good);
    let done = false;
    const extraction = pool.extract({ bytes, filename: 'a.html' }).finally(() => {
      done = true;
    });
    let turns = 0;
    for (; !done; turns++) await nextTurn();
    await extraction;
    expect(turns).toBeGreaterThan(5);
  });

  it('leaves the bytes of the caller alone', async () => {
    const backing = Buffer.from('before|the text|after');
    const bytes = backing.subarray(7, 15);
    expect(await openPool().extract({ bytes, filename: 'a.txt' })).toMatchObject({ text: 'the text' });
    expect(backing.toString()).toBe('before|the text|after');
  });

  it('takes bytes that are handed over as they are, unless others share their buffer', async () => {
    const pool = openPool();
    const own = new Uint8Array(Buffer.from('the text'));
    const shared = Buffer.from('before|the text|after').subarray(7, 15);
    for (const bytes of [own, shared]) {
      const extraction = await pool.extract({ bytes, isHandedOver: true, filename: 'a.txt' });
      expect(extraction).toMatchObject({ text: 'the text' });
    }
    expect([own.length, shared.toString()]).toEqual([0, 'the text']);
  });

  it('stops when its signal is aborted', async () => {
    const pool = openPool({ maxCompressionRatio: 10_000 });
    // Its worker is there, and so is handed the next one at once.
    await pool.extract(good);
    const controller = new AbortController();
    const content = Buffer.from('BT /F1 12 Tf (words) Tj ET\n'.repeat(500_000));
    const bytes = pdf({ info: {}, pages: [[]], content });
    const extraction = pool.extract({ bytes, filename: 'slow.pdf' }, { signal: controller.signal });
    setImmediate(() => controller.abort());
    await expect(extraction).rejects.toMatchObject({ code: 'ERR_CANCELLED', kind: 'cancelled' });
  });

  it('says by its kind that a limit shorter than its own was reached, as the document may come again', async () => {
    const pool = openPool({ maxCompressionRatio: 10_000 });
    const content = Buffer.from('BT /F1 12 Tf (words) Tj ET\n'.repeat(500_000));
    const bytes = pdf({ info: {}, pages: [[]], content });
    const slow = { bytes, filename: 'slow.pdf' };
    const late = { code: 'ERR_WORKER_TIME', kind: 'timeout' };
    await expect(pool.extract(slow, { timeLimitMs: 100 })).rejects.toMatchObject(late);
    const strict = openPool({ maxCompressionRatio: 10_000, timeLimitMs: 100 });
    const refused = { code: 'ERR_EXTRACTION', kind: 'invalid' };
    await expect(strict.extract(slow, { timeLimitMs: 60_000 })).rejects.toMatchObject(refused);
    expect(await pool.extract(good, { timeLimitMs: 60_000 })).toMatchObject({ text: expect.any(String) });
  });

  it('refuses more documents than may wait', async () => {
    const pool = openPool({ maxQueued: 1 });
    const extractions = Array.from({ length: 3 }, () => pool.extract(good));
    const states = (await Promise.allSettled(extractions)).map(({ status }) => status);
    expect(states).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    await expect(extractions[2]).rejects.toMatchObject({ code: 'ERR_WORKER_QUEUE', kind: 'overloaded' });
  });

  it('fails with a reason once closed', async () => {
    const pool = openPool();
    await pool.close();
    await expect(pool.extract(good)).rejects.toMatchObject({ code: 'ERR_WORKER_CLOSED', kind: 'unavailable' });
  });
});

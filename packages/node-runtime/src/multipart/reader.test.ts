import { PassThrough, Readable } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MultipartLimits } from './limits.ts';
import { type MultipartRequest, readMultipart } from './reader.ts';

const RUNS = process.env['CAIRN_LONG'] ? 20_000 : 300;

interface TestPart {
  readonly filename: string | undefined;
  readonly type?: string;
  readonly content: Buffer;
  readonly headers?: string;
}

function encode(parts: readonly TestPart[], boundary = 'b'): Buffer {
  const chunks = parts.map((part, index) => {
    const name = part.filename === undefined ? '' : `; filename="${part.filename}"`;
    const type = part.type === undefined ? '' : `Content-Type: ${part.type}\r\n`;
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="p${index}"${name}\r\n${type}${part.headers ?? ''}\r\n`;
    return Buffer.concat([Buffer.from(head), part.content, Buffer.from('\r\n')]);
  });
  return Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]);
}

function toRequest(
  chunks: Iterable<Buffer> | Readable,
  contentType: string | undefined = 'multipart/form-data; boundary=b',
) {
  const stream = chunks instanceof Readable ? chunks : Readable.from(chunks);
  return Object.assign(stream, {
    headers: contentType === undefined ? {} : { 'content-type': contentType },
  }) as MultipartRequest;
}

async function readAll(request: MultipartRequest, limits?: MultipartLimits, signal?: AbortSignal) {
  const files: { filename: string; declaredType: string | undefined; content: Buffer }[] = [];
  for await (const { filename, declaredType, content } of readMultipart(request, limits, signal)) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of content) chunks.push(chunk);
    files.push({ filename, declaredType, content: Buffer.concat(chunks) });
  }
  return files;
}

/** The naive reference: the whole body as one string, split at the delimiter. */
function readNaively(body: Buffer, boundary = 'b') {
  const sections = `\r\n${body.toString('latin1')}`.split(`\r\n--${boundary}`).slice(1, -1);
  return sections.flatMap((section) => {
    const end = section.indexOf('\r\n\r\n');
    const head = section.slice(2, end);
    const filename = /filename="([^"]*)"/.exec(head)?.[1];
    if (filename === undefined) return [];
    const type = /Content-Type: (.*)/.exec(head)?.[1] ?? 'text/plain';
    const content = Buffer.from(section.slice(end + 4), 'latin1');
    return [{ filename: Buffer.from(filename, 'latin1').toString(), declaredType: type, content }];
  });
}

const file = (filename: string, content = 'x'): TestPart => ({ filename, content: Buffer.from(content) });

describe('readMultipart', { timeout: 600_000 }, () => {
  it('reads the files of any body the same however it is cut into chunks', async () => {
    const content = fc.oneof(
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
      fc
        .array(fc.constantFrom('\r\n', '--', '-', 'b', '\r', '\n', '\r\n--', 'x'), { maxLength: 20 })
        .map((tokens) => Buffer.from(tokens.join(''))),
    );
    const part = fc.record({
      filename: fc.option(fc.stringMatching(/^[a-zé漢 ]{1,12}\.txt$/u), { nil: undefined }),
      content: content.filter((bytes) => !`\r\n${bytes.toString('latin1')}`.includes('\r\n--b')),
    });
    const cuts = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 6 }), cuts, async (parts, sizes) => {
        const body = encode(parts);
        expect(await readAll(toRequest(cut(body, sizes)))).toEqual(readNaively(body));
      }),
      { numRuns: RUNS },
    );
  });

  it('keeps the base name of a file and decodes it as UTF-8', async () => {
    const parts = [file('../../etc/passwd'), file('C:\\temp\\plan.txt'), file('маяк.txt')];
    const files = await readAll(toRequest([encode(parts)]));
    expect(files.map(({ filename }) => filename)).toEqual(['passwd', 'plan.txt', 'маяк.txt']);
  });

  it('gives a file without a name an empty one', async () => {
    const part = { filename: undefined, type: 'application/octet-stream', content: Buffer.from('x') };
    expect(await readAll(toRequest([encode([part])]))).toMatchObject([{ filename: '' }]);
  });

  it('reads an RFC 5987 file name', async () => {
    const head =
      '--b\r\nContent-Disposition: form-data; name="a"; filename*=utf-8\'\'%e6%bc%a2.txt\r\n\r\nx\r\n--b--\r\n';
    expect(await readAll(toRequest([Buffer.from(head)]))).toMatchObject([{ filename: '漢.txt' }]);
  });

  it.each([
    ['a missing Content-Type', undefined],
    ['another type', 'application/json'],
    ['another multipart type', 'multipart/mixed; boundary=b'],
    ['a malformed type', 'multipart'],
  ])('refuses %s', async (_what, contentType) => {
    const request = toRequest([encode([file('a')])], contentType);
    if (contentType === undefined) delete request.headers['content-type'];
    await expect(readAll(request)).rejects.toMatchObject({ code: 'ERR_MEDIA_TYPE', kind: 'unsupported' });
  });

  it.each([
    ['no boundary', 'multipart/form-data'],
    ['an empty boundary', 'multipart/form-data; boundary=""'],
    ['a boundary with forbidden characters', 'multipart/form-data; boundary="a<b"'],
  ])('refuses %s', async (_what, contentType) => {
    const request = toRequest([encode([file('a')])], contentType);
    await expect(readAll(request)).rejects.toMatchObject({ code: 'ERR_MULTIPART', kind: 'invalid' });
  });

  it.each<[string, MultipartLimits, TestPart[]]>([
    ['files', { maxFiles: 2 }, [file('a'), file('b'), file('c')]],
    ['parts', { maxParts: 2 }, [file('a'), { filename: undefined, content: Buffer.from('v') }, file('c')]],
    ['file name', { maxFilenameBytes: 5 }, [file('ééé')]],
    ['field', { maxFieldBytes: 3 }, [{ filename: undefined, content: Buffer.from('1234') }]],
    ['request', { maxRequestBytes: 60 }, [file('a', 'x'.repeat(100))]],
  ])('refuses too large a %s', async (what, limits, parts) => {
    const request = toRequest(cut(encode(parts), [7]));
    const expected = { code: 'ERR_MULTIPART', kind: 'too-large', message: expect.stringContaining(what) };
    await expect(readAll(request, limits)).rejects.toMatchObject(expected);
  });

  it('accepts exactly as much as the limits allow', async () => {
    const parts = [file('éé'), { filename: undefined, content: Buffer.from('123') }, file('c')];
    const body = encode(parts);
    const limits = { maxFiles: 2, maxParts: 3, maxFilenameBytes: 4, maxFieldBytes: 3, maxRequestBytes: body.length };
    expect(await readAll(toRequest([body]), limits)).toHaveLength(2);
  });

  it('refuses a boundary that is too long', async () => {
    const boundary = 'b'.repeat(71);
    const request = toRequest([encode([file('a')], boundary)], `multipart/form-data; boundary=${boundary}`);
    await expect(readAll(request)).rejects.toMatchObject({ code: 'ERR_MULTIPART', kind: 'too-large' });
  });

  it.each([
    ['a part header without a colon', '--b\r\nContent-Disposition\r\n\r\nx\r\n--b--\r\n'],
    ['an endless part header', `--b\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\nx\r\n--b--\r\n`],
    [
      'a body without its last boundary',
      encode([file('a')])
        .subarray(0, -6)
        .toString(),
    ],
    ['an empty body', ''],
    ['a part without a disposition', '--b\r\nContent-Type: text/plain\r\n\r\nx\r\n--b--\r\n'],
    ['a part of another disposition', '--b\r\nContent-Disposition: attachment; filename="a"\r\n\r\nx\r\n--b--\r\n'],
    ['a part without headers', '--b\r\n--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n--b--\r\n'],
    ['an encoded part', encode([{ ...file('a'), headers: 'Content-Transfer-Encoding: base64\r\n' }]).toString()],
  ])('refuses %s', async (_what, body) => {
    const request = toRequest(cut(Buffer.from(body), [50]));
    await expect(readAll(request)).rejects.toMatchObject({ code: 'ERR_MULTIPART', kind: 'invalid' });
  });

  it('passes over a preamble and an epilogue, whatever they hold', async () => {
    const body = Buffer.concat([
      Buffer.from('before\r\n'),
      encode([file('a'), file('b')]),
      Buffer.from('--b\r\nafter\r\n--b'),
    ]);
    for (let size = 1; size < 40; size++) expect(await readAll(toRequest(cut(body, [size])))).toHaveLength(2);
  });

  it('goes on with the next file when the consumer leaves one', async () => {
    const request = toRequest(cut(encode([file('a', 'x'.repeat(300_000)), file('b'), file('c', 'end')]), [1000]));
    const seen: string[] = [];
    for await (const part of readMultipart(request)) {
      seen.push(part.filename);
      if (part.filename === 'a') for await (const _chunk of part.content) break;
    }
    expect(seen).toEqual(['a', 'b', 'c']);
  });

  it('takes no more than one chunk ahead from a request while its consumer stalls', async () => {
    const parts = Array.from({ length: 90 }, (_, index) => file(`f${index}`, 'x'.repeat(1000)));
    const chunks = cut(encode(parts), [1024]);
    let pulled = 0;
    const source = new Readable({
      highWaterMark: 1,
      read() {
        this.push(chunks[pulled++] ?? null);
      },
    });
    const parsed = readMultipart(toRequest(source));
    await parsed.next();
    for (let turn = 0; turn < 100; turn++) await nextTurn();
    expect(pulled).toBeLessThan(6);
    await parsed.return();
  });

  it('ends with a time-out when the sender falls silent, and not while the consumer stalls', async () => {
    const silent = new PassThrough();
    silent.write(encode([file('a', 'x'.repeat(100))]).subarray(0, 80));
    const error = { code: 'ERR_MULTIPART', kind: 'timeout', message: expect.stringContaining('20 ms') };
    await expect(readAll(toRequest(silent), { idleTimeoutMs: 20 })).rejects.toMatchObject(error);

    const slow = toRequest(cut(encode([file('a', 'x'.repeat(400_000))]), [20_000]));
    for await (const { content } of readMultipart(slow, { idleTimeoutMs: 20 })) {
      let chunks = 0;
      // Twice, longer than the sender may be silent.
      for await (const _chunk of content) if (++chunks <= 2) await sleep(30);
      expect(chunks).toBeGreaterThan(3);
    }
  });

  it('stops when its signal is aborted, and leaves the request open', async () => {
    const open = new PassThrough();
    open.write(encode([file('a', 'x'.repeat(100))]).subarray(0, 80));
    const controller = new AbortController();
    const reading = readAll(toRequest(open), {}, controller.signal);
    setImmediate(() => controller.abort());
    await expect(reading).rejects.toMatchObject({ code: 'ERR_CANCELLED', kind: 'cancelled' });
    expect(open.destroyed).toBe(false);
  });

  it('leaves the request open when it refuses it', async () => {
    const open = new PassThrough();
    open.write(encode([file('a'), file('b')]).subarray(0, -4));
    await expect(readAll(toRequest(open), { maxFiles: 1 })).rejects.toMatchObject({ kind: 'too-large' });
    expect(open.destroyed).toBe(false);
  });

  it('fails at once for a request that is already gone', async () => {
    const gone = new PassThrough();
    gone.destroy();
    await expect(readAll(toRequest(gone))).rejects.toMatchObject({ code: 'ERR_MULTIPART', kind: 'cancelled' });
  });
});

function cut(body: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  for (let start = 0, i = 0; start < body.length; i++) {
    const end = start + (sizes[i % sizes.length] as number);
    chunks.push(body.subarray(start, end));
    start = end;
  }
  return chunks;
}

describe('limits that are none', () => {
  it('are refused rather than taken for no limit', async () => {
    const names = ['maxParts', 'maxFiles', 'maxFieldBytes', 'maxRequestBytes', 'idleTimeoutMs'] as const;
    for (const name of names) {
      for (const value of [Number.NaN, -1, JSON.parse('"100"') as number]) {
        const reading = readAll(toRequest([encode([file('a')])]), { [name]: value });
        await expect(reading).rejects.toMatchObject({ code: 'ERR_CONFIGURATION', kind: 'invalid' });
      }
    }
    const endless = { maxRequestBytes: Number.POSITIVE_INFINITY, idleTimeoutMs: Number.POSITIVE_INFINITY };
    const warnings: string[] = [];
    const listener = ({ name }: Error): number => warnings.push(name);
    process.on('warning', listener);
    expect(await readAll(toRequest([encode([file('a')])]), endless)).toHaveLength(1);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', listener);
    expect(warnings).toEqual([]);
  });
});

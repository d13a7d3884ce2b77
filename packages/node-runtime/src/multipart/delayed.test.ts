import { Readable } from 'node:stream';
import { contentHash } from '@cairn/events';
import { delayedSource, noiseBytes, type Random, seededRandom } from '@cairn/events/conformance';
import { describe, expect, it, vi } from 'vitest';
import { type MultipartRequest, readMultipart } from './reader.ts';

const RUNS = process.env['CAIRN_LONG'] ? 2_000 : 40;
const BOUNDARY = '----cairn';

vi.setConfig({ testTimeout: process.env['CAIRN_LONG'] ? 1_800_000 : 60_000 });

interface Sent {
  readonly filename: string;
  readonly content: Uint8Array;
}

/** Files of random sizes whose contents hold what looks like the beginning of a delimiter. */
function randomFiles(random: Random, seed: number): Sent[] {
  return Array.from({ length: 1 + Math.floor(random() * 5) }, (_, n) => {
    const content = noiseBytes(Math.floor(1_500_000 ** random()), seed * 10 + n);
    const near = Buffer.from(`\r\n--${BOUNDARY}`.slice(0, 1 + Math.floor(random() * BOUNDARY.length)));
    if (content.length > 2 * near.length) content.set(near, Math.floor(random() * (content.length - near.length)));
    return { filename: `${n}.bin`, content };
  });
}

function encode(files: readonly Sent[]): Buffer {
  const parts = files.flatMap(({ filename, content }) => [
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="f"; filename="${filename}"\r\n\r\n`),
    content,
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

function toRequest(source: AsyncIterable<Uint8Array>): MultipartRequest {
  const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
  return Object.assign(Readable.from(source, { objectMode: false }), { headers });
}

/** Returns what arrived, and the code of the error that ended it. Some of the files are left before their end. */
async function receive(request: MultipartRequest, leaves: () => boolean) {
  const files: { filename: string; hash: string | undefined }[] = [];
  try {
    for await (const { filename, content } of readMultipart(request)) {
      const isLeft = leaves();
      const chunks: Uint8Array[] = [];
      for await (const chunk of content) {
        chunks.push(new Uint8Array(chunk));
        if (isLeft) break;
      }
      files.push({ filename, hash: isLeft ? undefined : contentHash(Buffer.concat(chunks)) });
    }
  } catch (error) {
    return { files, code: (error as { code?: string }).code };
  }
  return { files, code: undefined };
}

/** A source whose pieces stay as they are: sockets of Node give a new buffer each time. */
async function* kept(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of source) yield new Uint8Array(piece);
}

describe('an upload that comes late and in pieces of every size', () => {
  it('gives every file as it was sent, whoever of their readers leaves', async () => {
    for (let seed = 1; seed <= RUNS; seed++) {
      const random = seededRandom(seed);
      const sent = randomFiles(random, seed);
      const request = toRequest(kept(delayedSource(encode(sent), { random })));
      const { files, code } = await receive(request, () => random() < 0.2);
      expect([code, files.map(({ filename }) => filename)], `seed ${seed}`).toEqual([
        undefined,
        sent.map(({ filename }) => filename),
      ]);
      files.forEach(({ hash }, n) => {
        expect(hash ?? contentHash(sent[n].content), `seed ${seed}, file ${n}`).toBe(contentHash(sent[n].content));
      });
    }
  });

  it('that is cut anywhere before its last delimiter ends in an error, after files that are whole', async () => {
    for (let seed = 1; seed <= RUNS; seed++) {
      const random = seededRandom(seed);
      const sent = randomFiles(random, seed);
      const body = encode(sent);
      const cut = body.subarray(0, Math.floor(random() * (body.length - 4)));
      const { files, code } = await receive(toRequest(kept(delayedSource(cut, { random }))), () => false);
      expect(code, `seed ${seed}, cut at ${cut.length} of ${body.length}`).toBe('ERR_MULTIPART');
      files.forEach(({ hash }, n) => {
        expect(hash, `seed ${seed}, file ${n}`).toBe(contentHash(sent[n].content));
      });
    }
  });
});

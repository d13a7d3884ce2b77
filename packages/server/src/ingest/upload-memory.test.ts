import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { LONG } from '../proofs/testing/scale.ts';
import { temporaryDirectory } from '../proofs/testing/temporary-directory.ts';
import { eventually, TEST_CONFIGURATION } from '../testing/server.ts';
import { type StallingServer, startStallingServer } from './testing/stalling-server.ts';

const MIB = 1024 * 1024;
const PART_BYTES = 90 * MIB;
/** Parts over all uploads: 1 GiB here, 10 GiB in the long run. */
const PARTS = LONG ? 116 : 12;
const UPLOADS = 4;
/** Of what is alive: documents on their way, and one that is read for its text. */
const MAX_GROWTH_MIB = 192;

/** An upload as a client streams it; every part is another document. */
function* body(upload: number, parts: number): Generator<Buffer> {
  const content = Buffer.alloc(MIB, upload);
  for (let part = 0; part < parts; part++) {
    yield Buffer.from(
      `--b\r\nContent-Disposition: form-data; name="f"; filename="${part}.bin"\r\n\r\n${upload}.${part} `,
    );
    for (let sent = 0; sent < PART_BYTES; sent += MIB) yield content;
    yield Buffer.from('\r\n');
  }
  yield Buffer.from('--b--\r\n');
}

function smallBody(): Buffer[] {
  return [Buffer.from('--b\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\n\r\nword\r\n--b--\r\n')];
}

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
}

async function send({ url, token }: StallingServer, content: Iterable<Buffer>): Promise<Answer> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'multipart/form-data; boundary=b',
    'security-label': '*',
  };
  const sent = request(`${url}/api/ingest/documents/local/upload`, { method: 'POST', headers });
  const answered = once(sent, 'response');
  await Promise.race([pipeline(Readable.from(content), sent), answered]);
  const [response] = await answered;
  response.resume();
  sent.destroy();
  return { status: response.statusCode, headers: response.headers };
}

/** Uploaded files that are being stored. */
function draftUploads(data: string): number {
  return readdirSync(path.join(data, 'blobs/drafts')).length;
}

/** Uploaded files that are stored whole. */
function storedUploads(data: string): number {
  const files = readdirSync(path.join(data, 'blobs/blobs'), { recursive: true, withFileTypes: true });
  return files.filter((entry) => entry.isFile() && entry.parentPath.includes('uploads')).length;
}

it(
  `keeps ${PARTS} parts of 90 MiB within ${MAX_GROWTH_MIB} MiB while the log stalls, and says 503 when the queue is full`,
  async () => {
    const data = path.join(temporaryDirectory(), 'data');
    const limits = { maxConcurrentUploads: UPLOADS, maxConcurrentUploadsPerUser: UPLOADS };
    const server = await startStallingServer(data, {
      ...TEST_CONFIGURATION,
      server: { ...TEST_CONFIGURATION.server, limits },
    });
    const idle = await server.look();
    // The first goes through, and is read for its text while the others come in.
    expect((await send(server, body(UPLOADS, 1))).status).toBe(202);
    await server.stall();
    let answered = 0;
    const uploads = Array.from({ length: UPLOADS }, async (_, at) => {
      const { status } = await send(server, body(at, PARTS / UPLOADS));
      answered++;
      return status;
    });
    await eventually(async () => (draftUploads(data) >= UPLOADS ? true : undefined));
    const refused = await send(server, smallBody());
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
    while (storedUploads(data) < PARTS + 1) await pause(100);
    await eventually(async () => ((await server.look()).isWaiting ? true : undefined));
    const { peak } = await server.look();
    // Otherwise it was no stall.
    expect(answered).toBe(0);
    const growthMib = Math.round((peak - idle.live) / MIB);
    if (LONG) console.info('peak over idle, MiB', growthMib);
    expect(growthMib).toBeLessThan(MAX_GROWTH_MIB);
    await server.goOn();
    expect(await Promise.all(uploads)).toEqual([202, 202, 202, 202]);
  },
  LONG ? 900_000 : 180_000,
);

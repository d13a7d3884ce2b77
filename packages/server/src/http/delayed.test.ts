import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { delayedSource, delayedText, noiseBytes, type Random, seededRandom } from '@cairn/events/conformance';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { TEST_HTTP_LIMITS } from '../testing/http-limits.ts';
import { readBody } from './body.ts';
import type { HttpAnswer, HttpListener } from './message.ts';
import { listen } from './node-http.ts';
import { primeBody } from './primed-body.ts';

const RUNS = process.env['CAIRN_LONG'] ? 500 : 15;
const MIB = 1024 * 1024;

vi.setConfig({ testTimeout: process.env['CAIRN_LONG'] ? 1_800_000 : 60_000 });

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Errors that handlers got for unfinished bodies. */
const ends: string[] = [];
let noticed: () => void = () => undefined;

/** The answers of `/stream/SEED`: a text that comes late. */
function streamedText(seed: number): string {
  return Buffer.from(noiseBytes(Math.floor((2 * MIB) ** seededRandom(seed)()), seed)).toString('base64');
}

async function answer(path: string, body: () => Promise<Buffer>): Promise<HttpAnswer> {
  if (path === '/hash') {
    const bytes = await body().catch((error: { code: string }) => {
      ends.push(error.code);
      noticed();
      throw error;
    });
    return { status: 200, body: hashOf(bytes) };
  }
  const seed = Number(path.slice('/stream/'.length));
  return primeBody({ status: 200, body: delayedText(streamedText(seed), { random: seededRandom(seed) }) });
}

let listener: HttpListener;
beforeAll(async () => {
  listener = await listen(
    { host: '127.0.0.1', port: 0 },
    (request) => answer(request.path, () => readBody(request, { maxBytes: 8 * MIB, timeoutMs: 60_000 })),
    TEST_HTTP_LIMITS,
  );
});
afterAll(() => listener.close(0));

async function open(): Promise<Socket> {
  const socket = connect(listener.port, '127.0.0.1');
  socket.setNoDelay(true);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** A request, its body with a length or in chunks of random sizes. */
function requestBytes(body: Uint8Array, random: Random): Buffer {
  const head = 'POST /hash HTTP/1.1\r\nHost: a\r\nConnection: close\r\n';
  if (random() < 0.5) return Buffer.concat([Buffer.from(`${head}Content-Length: ${body.length}\r\n\r\n`), body]);
  const chunks: Buffer[] = [];
  for (let at = 0; at < body.length; ) {
    const part = body.subarray(at, at + 1 + Math.floor(random() * 200_000));
    chunks.push(Buffer.from(`${part.length.toString(16)}\r\n`), Buffer.from(part), Buffer.from('\r\n'));
    at += part.length;
  }
  return Buffer.concat([Buffer.from(`${head}Transfer-Encoding: chunked\r\n\r\n`), ...chunks, Buffer.from('0\r\n\r\n')]);
}

/** Writes bytes late and in pieces of every size. */
async function writeLate(socket: Socket, bytes: Uint8Array, random: Random): Promise<void> {
  for await (const piece of delayedSource(bytes, { random, delays: 0.4 })) {
    if (!socket.write(new Uint8Array(piece)) && !socket.destroyed) {
      await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
    }
  }
}

async function receive(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text;
}

describe('the body of a request that comes late and in pieces of every size', () => {
  it('is read as it was sent', async () => {
    for (let seed = 1; seed <= RUNS; seed++) {
      const random = seededRandom(seed);
      const body = noiseBytes(1 + Math.floor((3 * MIB) ** random()), seed);
      const socket = await open();
      const received = receive(socket);
      await writeLate(socket, requestBytes(body, random), random);
      expect(await received, `seed ${seed}`).toMatch(new RegExp(`^HTTP/1.1 200 .*${hashOf(body)}$`, 's'));
    }
  });

  it('ends as one whose client left when it is cut anywhere', async () => {
    for (let seed = 1; seed <= RUNS; seed++) {
      const random = seededRandom(seed);
      const body = noiseBytes(1 + Math.floor((3 * MIB) ** random()), seed);
      const whole = requestBytes(body, random);
      const bodyAt = whole.indexOf('\r\n\r\n') + 4;
      const cut = whole.subarray(0, bodyAt + Math.floor(random() * Math.max(0, whole.length - bodyAt - 8)));
      ends.length = 0;
      const heard = new Promise<void>((resolve) => {
        noticed = resolve;
      });
      const socket = await open();
      await writeLate(socket, cut, random);
      // A socket that is destroyed drops what it has not handed on yet: the request might not come at all.
      await new Promise((resolve) => socket.write('', resolve));
      socket.destroy();
      await heard;
      expect(ends, `seed ${seed}`).toEqual(['ERR_CANCELLED']);
    }
  });
});

describe('an answer that is made late and in pieces of every size', () => {
  it('arrives as it was made, also at a client that stalls', async () => {
    for (let seed = 1; seed <= RUNS; seed++) {
      const random = seededRandom(seed);
      const response = await fetch(`${listener.url}/stream/${seed}`);
      const chunks: Uint8Array[] = [];
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
        chunks.push(chunk);
        if (random() < 0.2) await new Promise((resolve) => setImmediate(resolve));
      }
      expect(hashOf(Buffer.concat(chunks)), `seed ${seed}`).toBe(hashOf(Buffer.from(streamedText(seed))));
    }
  });
});

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TEST_HTTP_LIMITS } from '../testing/http-limits.ts';
import type { HttpListener } from './message.ts';
import { listen } from './node-http.ts';

const PIECE = Buffer.alloc(65_536, 'x');
const LARGE = Buffer.alloc(64 * 1024 * 1024, 'y');

let ended: () => void = () => undefined;

/** An answer without end; whoever sends it must end it when nobody takes it. */
async function* endless(): AsyncGenerator<Uint8Array> {
  try {
    for (;;) yield PIECE;
  } finally {
    ended();
  }
}

/** An answer whose maker takes longer than a client may. */
async function* thoughtful(): AsyncGenerator<string> {
  yield 'one, ';
  await new Promise((resolve) => setTimeout(resolve, 700));
  yield 'two';
}

let listener: HttpListener;
beforeAll(async () => {
  const limits = { ...TEST_HTTP_LIMITS, answerStallMs: 300 };
  const bodies: Readonly<Record<string, () => Uint8Array | AsyncIterable<Uint8Array | string>>> = {
    '/endless': endless,
    '/large': () => LARGE,
    '/thoughtful': thoughtful,
  };
  listener = await listen(
    { host: '127.0.0.1', port: 0 },
    async ({ path }) => ({ status: 200, body: bodies[path]?.() }),
    limits,
  );
});
afterAll(() => listener.close(0));

/** A client that has asked and does not read. */
async function ask(path: string): Promise<Socket> {
  const socket = connect(listener.port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.pause();
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
  return socket;
}

async function sizeOf(socket: Socket): Promise<number> {
  let bytes = 0;
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  socket.resume();
  await once(socket, 'close');
  return bytes;
}

/** Resolves when an endless answer that nobody takes was cut off. */
async function cutOff(): Promise<void> {
  const over = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const socket = await ask('/endless');
  await over;
  socket.destroy();
}

describe('a client that takes nothing of its answer', () => {
  it('is cut off, and the making of the answer ends', () => cutOff());

  it('does not hold an answer that was made whole', async () => {
    const socket = await ask('/large');
    // Each of these takes as long as the first may: what the system's buffers took from it gives it one more time.
    for (let n = 0; n < 4; n++) await cutOff();
    expect(await sizeOf(socket)).toBeLessThan(LARGE.length);
  });
});

it('does not take the time of who makes an answer for that of the client', async () => {
  expect(await (await fetch(`${listener.url}/thoughtful`)).text()).toBe('one, two');
  expect((await (await fetch(`${listener.url}/large`)).arrayBuffer()).byteLength).toBe(LARGE.length);
});

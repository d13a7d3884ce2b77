import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { TEST_HTTP_LIMITS } from '../testing/http-limits.ts';
import type { HttpHandler } from './message.ts';
import { listen } from './node-http.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function open(handler: HttpHandler, requests: string): Promise<Socket> {
  const listener = await listen({ host: '127.0.0.1', port: 0 }, handler, TEST_HTTP_LIMITS);
  closing.push(() => listener.close(0));
  const socket = connect(listener.port, '127.0.0.1');
  socket.on('error', () => undefined);
  closing.push(() => socket.destroy());
  socket.write(requests);
  return socket;
}

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

it('is aborted for every request in work when the client leaves', async () => {
  const aborted: Promise<unknown>[] = [];
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const socket = await open(async ({ signal }) => {
    const left = once(signal, 'abort');
    if (aborted.push(left) === 3) begin();
    await left;
    return { status: 200 };
  }, GET.repeat(3));
  await begun;
  socket.destroy();
  await Promise.all(aborted);
});

it('is not aborted when the client leaves with its answer', async () => {
  const signals: AbortSignal[] = [];
  const socket = await open(async ({ signal }) => {
    signals.push(signal);
    return { status: 200, body: 'done' };
  }, GET);
  await once(socket, 'data');
  socket.destroy();
  await closing.shift()?.();
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
});

it('is aborted at once for who asks when the client has left', async () => {
  let take = (_isAborted: boolean): void => undefined;
  const asked = new Promise<boolean>((resolve) => {
    take = resolve;
  });
  const sockets: Socket[] = [];
  const socket = open(async (request) => {
    request.body.on('error', () => undefined).once('close', () => take(request.signal.aborted));
    for (const each of sockets) each.destroy();
    return new Promise(() => undefined);
  }, 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n');
  sockets.push(await socket);
  expect(await asked).toBe(true);
});

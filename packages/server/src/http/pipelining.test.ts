import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { TEST_HTTP_LIMITS } from '../testing/http-limits.ts';
import { readBody } from './body.ts';
import type { HttpHandler, HttpLimits, HttpListener } from './message.ts';
import { listen } from './node-http.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Turns of the event loop, counted until the test ends. */
function countTurns(): { turn: number } {
  const counter = { turn: 0 };
  let isOver = false;
  const count = (): void => {
    counter.turn++;
    if (!isOver) setImmediate(count);
  };
  count();
  closing.push(() => {
    isOver = true;
  });
  return counter;
}

async function start(
  handler: HttpHandler,
  limits: Partial<HttpLimits> = {},
  nowMs?: () => number,
): Promise<HttpListener> {
  const listener = await listen({ host: '127.0.0.1', port: 0 }, handler, { ...TEST_HTTP_LIMITS, ...limits }, nowMs);
  closing.push(() => void listener.close(0));
  return listener;
}

async function open({ port }: HttpListener, text = ''): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  closing.push(() => socket.destroy());
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

/** Resolves with what a connection was sent, when that holds so many answers or the connection is closed. */
function answers(socket: Socket, count: number): Promise<string> {
  let text = '';
  return new Promise((resolve) => {
    const end = (): void => resolve(text);
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (text.split('HTTP/1.1 ').length > count) end();
    });
    socket.once('close', end);
  });
}

it('requests that many connections pipeline begin over many turns, and one of a new connection comes between', async () => {
  const each = 500;
  const loop = countTurns();
  let nowMs = 0;
  const begun = new Map<number, string[]>();
  const listener = await start(
    async ({ path }) => {
      nowMs += 1;
      begun.set(loop.turn, [...(begun.get(loop.turn) ?? []), path]);
      return { status: 200, body: 'x' };
    },
    {},
    () => nowMs,
  );
  const crowd = await Promise.all(Array.from({ length: 8 }, (_, i) => open(listener, get(`/${i}`).repeat(each))));
  const all = crowd.map((socket) => answers(socket, each));
  await Promise.race(crowd.map((socket) => once(socket, 'data')));
  const fresh = await open(listener, get('/fresh'));
  await answers(fresh, 1);
  await Promise.all(all);

  const turns = [...begun.values()];
  expect(turns.flat()).toHaveLength(8 * each + 1);
  // The slice of one turn is ten milliseconds, and each request takes one of the clock.
  expect(Math.max(...turns.map(({ length }) => length))).toBeLessThanOrEqual(20);
  expect(turns.flat().indexOf('/fresh')).toBeLessThan(4 * each);
});

it('a connection has sixteen requests in work at most, and all are answered in order', async () => {
  let inWork = 0;
  let most = 0;
  const listener = await start(async ({ path }) => {
    most = Math.max(most, ++inWork);
    await new Promise((resolve) => setTimeout(resolve, 2));
    inWork--;
    return { status: 200, body: `<${path}>` };
  });
  const paths = Array.from({ length: 100 }, (_, i) => `/${i}`);
  const text = await answers(await open(listener, paths.map(get).join('')), 100);
  expect(text.match(/<[^>]*>/g)).toEqual(paths.map((path) => `<${path}>`));
  expect(most).toBeLessThanOrEqual(16);
});

it('bodies are told from the requests that follow them, wherever the bytes are cut', async () => {
  const listener = await start(async (request) => {
    const body = await readBody(request, { maxBytes: 1_000_000, timeoutMs: 60_000 });
    return { status: 200, body: `<${body.toString('latin1')}>` };
  });
  const blank = '\r\n\r\nGET /no HTTP/1.1\r\n\r\n';
  const long = 'y\r\n\r\n'.repeat(40_000);
  const sized = (body: string): string => `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const chunked = (body: string): string =>
    `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  const stream = [sized(blank), get('/'), chunked(blank), sized(''), chunked(long), sized(long), get('/')].join('');
  const expected = [blank, '', blank, '', long, long, ''].map((body) => `<${body}>`);
  for (const size of [1_000_000, 60_001, 7_919, 97]) {
    const socket = await open(listener);
    socket.setNoDelay(true);
    const text = answers(socket, expected.length);
    const whole = size === 97 ? stream.slice(0, 2_000) : stream;
    for (let at = 0; at < whole.length; at += size) {
      socket.write(whole.slice(at, at + size));
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (size === 97) socket.end();
    const bodies = [...(await text).matchAll(/Content-Length: (\d+)\r\n[^<]*?\r\n\r\n/g)].map(({ 1: length }) =>
      Number(length),
    );
    expect(bodies).toEqual(expected.slice(0, bodies.length).map(({ length }) => length));
    expect(bodies.length).toBe(size === 97 ? 4 : expected.length);
  }
});

it('answers what was pipelined before the client ended its side', async () => {
  const listener = await start(async () => ({ status: 200, body: 'x' }));
  const socket = await open(listener);
  socket.end(get('/').repeat(300));
  const text = await answers(socket, 301);
  expect(text.split('HTTP/1.1 200')).toHaveLength(301);
});

it('answers CONNECT, for which there is nothing', async () => {
  const listener = await start(async () => ({ status: 200 }));
  const text = await answers(await open(listener, 'CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n'), 2);
  expect(text).toMatch(/^HTTP\/1\.1 501 /);
});

it('a new connection takes the place of the one that is idle for longest', async () => {
  const listener = await start(async () => ({ status: 200, body: 'x' }), { maxConnections: 3 });
  const silent = await open(listener);
  const slow = await open(listener, 'GET / HTTP/1.1\r\n');
  const served = await open(listener, get('/'));
  await answers(served, 1);
  const first = once(silent, 'close');
  expect(await answers(await open(listener, get('/')), 1)).toContain('200 OK');
  await first;
  const second = once(slow, 'close');
  expect(await answers(await open(listener, get('/')), 1)).toContain('200 OK');
  await second;
  expect(served.destroyed).toBe(false);
});

it('a new connection is refused while all others have a request in work', async () => {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let begun = 0;
  let bothBegun: () => void = () => undefined;
  const waiting = new Promise<void>((resolve) => {
    bothBegun = resolve;
  });
  const listener = await start(
    async ({ path }) => {
      if (++begun === 2) bothBegun();
      if (path === '/long') await released;
      return { status: 200, body: 'x' };
    },
    { maxConnections: 2 },
  );
  const busy = await Promise.all([open(listener, get('/long')), open(listener, get('/long'))]);
  const longs = busy.map((socket) => answers(socket, 1));
  await waiting;
  expect(await answers(await open(listener, get('/')), 1)).toBe('');
  release();
  for (const text of await Promise.all(longs)) expect(text).toContain('200 OK');
});
